import {
  addFavorite,
  duplicateForm,
  getFormDocument,
  removeFavorite,
  restoreForm,
  trashForm,
  updateForm,
  type FoundForm,
} from '@sheaf/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { client } from '../api/client';
import { problemSentence } from '../api/problem-sentence';
import { download } from '../parts/download';
import { toast } from '../parts/toasts';
import { useLanguage, useWords } from '../words/use-words';

/** The part of a form that a row's menu needs. */
export type ListedForm = FoundForm;

/**
 * The actions on a form that happen at once, without a question. Each says that it is done, offers to take it back where that is possible,
 * and says why it could not be done.
 */
export function useFormActions() {
  const say = useWords('forms');
  const { run } = useRun();
  // The same as long as the language is, because every row has them.
  return useMemo(() => formActions(say, run), [say, run]);
}

function formActions(say: Words, run: Run) {
  const setStatus = (form: ListedForm, status: 'active' | 'archived') =>
    run(async () => {
      await updateForm({ client, path: { id: form.id }, body: { status } });
      toast({
        text: status === 'archived' ? say.archivedNow(form.title) : say.activatedNow(form.title),
        onUndo: () => run(() => updateForm({ client, path: { id: form.id }, body: { status: form.status as 'active' } })),
      });
    });
  return {
    duplicate: (form: ListedForm) =>
      run(async () => {
        const { title } = await duplicateForm({ client, path: { id: form.id } });
        toast({ text: say.duplicatedAs(title) });
      }),
    archive: (form: ListedForm) => setStatus(form, 'archived'),
    activate: (form: ListedForm) => setStatus(form, 'active'),
    setFavorite: (form: ListedForm, isFavorite: boolean) =>
      run(() => (isFavorite ? addFavorite : removeFavorite)({ client, path: { id: form.id } })),
    exportDocument: (form: ListedForm) =>
      run(async () => {
        const document = await getFormDocument({ client, path: { id: form.id } });
        download(`${form.title}.json`, JSON.stringify(document, null, 2), 'application/json');
      }),
    trash: (form: ListedForm) =>
      run(async () => {
        await trashForm({ client, path: { id: form.id } });
        toast({ text: say.trashedNow(form.title), onUndo: () => run(() => restoreForm({ client, path: { id: form.id } })) });
      }),
    restore: (form: ListedForm) =>
      run(async () => {
        await restoreForm({ client, path: { id: form.id } });
        toast({ text: say.restoredNow(form.title) });
      }),
  };
}

export type FormActions = ReturnType<typeof useFormActions>;

/** Does one thing, loads the lists of forms and folders again, and shows a failure at the edge of the screen. */
export function useRun() {
  const language = useLanguage();
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onError: (error) => toast({ text: problemSentence(error, language).title }),
    onSettled: () => reloadLists(queryClient),
  });
  return { run: useCallback((work: () => Promise<unknown>) => mutate(work), [mutate]) };
}

type Run = ReturnType<typeof useRun>['run'];
type Words = ReturnType<typeof useWords<'forms'>>;

export const reloadLists = (queryClient: ReturnType<typeof useQueryClient>): Promise<unknown> =>
  Promise.all([queryClient.invalidateQueries({ queryKey: ['forms'] }), queryClient.invalidateQueries({ queryKey: ['folders'] })]);
