import { getFormDraft, type FormSettingsDetail } from '@sheaf/client';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { client } from '../../api/client';
import { Skeleton } from '../../parts/states';
import { useDraftEditor, useEditorState } from '../saving/use-draft-editor';
import { usePublishedFields } from '../versions/version-query';
import { EditingContext, type Editing } from './editing';
import { Leaving } from './leaving';
import { TheirChanges } from './their-changes';
import { Toolbar } from './toolbar';

const route = '/shell/console/forms/$form/build';

const loadEditor = () => import('./editor');
const Editor = lazy(() => loadEditor().then((module) => ({ default: module.Editor })));
const Preview = lazy(() => import('../preview/preview').then((module) => ({ default: module.Preview })));
const Translations = lazy(() => import('../translations/translations').then((module) => ({ default: module.Translations })));

/** The draft of a form, to change. */
export function DraftPage({ form }: { form: FormSettingsDetail }) {
  const { item: selected, view } = useSearch({ from: route });
  // Beside the draft, not after it.
  if (view === undefined) void loadEditor().catch(() => undefined);
  const { data: draft } = useSuspenseQuery({
    queryKey: ['draft', form.id],
    queryFn: () => getFormDraft({ client, path: { id: form.id } }),
    // From now on, the editor knows it better.
    staleTime: 'static',
    gcTime: 0,
  });
  const editor = useDraftEditor(form.id, draft);
  const state = useEditorState(editor);
  const published = usePublishedFields(form);
  const navigate = useNavigate({ from: '/console/forms/$form/build' });
  const [added, setAdded] = useState<string>();

  const select = useCallback(
    (id: string | undefined, isNew = false) => {
      setAdded(isNew ? id : undefined);
      void navigate({ search: (search) => ({ ...search, item: id }), replace: true, resetScroll: false });
    },
    [navigate],
  );
  const editing = useMemo(
    (): Editing => ({ form, editor, state, edit: editor.edit, published, selected, select, added }),
    [form, editor, state, published, selected, select, added],
  );
  return (
    <EditingContext value={editing}>
      <Toolbar />
      <TheirChanges />
      <Suspense fallback={<Skeleton />}>
        {view === 'preview' ? <Preview /> : view === 'translations' ? <Translations /> : <Editor />}
      </Suspense>
      <Leaving editor={editor} />
    </EditingContext>
  );
}
