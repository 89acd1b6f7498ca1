import {
  checkFormPublication,
  discardFormDraft,
  getFormDraft,
  restoreFormDraft,
  saveFormDraft,
  type Draft,
  type DraftRequest,
  type FormSettingsDetail,
} from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client';
import { hasStatus, problemSentence } from '../../api/problem-sentence';
import { ConfirmDialog } from '../../parts/dialog';
import { Problem } from '../../parts/problem';
import { Skeleton } from '../../parts/states';
import { toast } from '../../parts/toasts';
import { useLanguage, useWords } from '../../words/use-words';
import { ChangesList } from '../differences/changes-list';
import { Differences } from './comparison';
import style from './versions.module.css';

/** Asks before the draft is replaced by a version, or discarded: with what is lost by it. */
export function ReplaceDialog({ form, version, onClose }: { form: FormSettingsDetail; version: number | undefined; onClose: () => void }) {
  const say = useWords('builder').versions;
  const { current_version: latest } = form;
  const { data, error, refetch } = useQuery({
    queryKey: ['draft', form.id, 'replacement'],
    queryFn: async ({ signal }) => {
      const path = { id: form.id };
      const [draft, { changes, payment }] = await Promise.all([
        getFormDraft({ client, path, signal }),
        checkFormPublication({ client, path, signal }),
      ]);
      return { draft, changes, payment };
    },
    gcTime: 0,
  });
  const replace = useReplacement(form.id, version, () => void refetch());
  return (
    <ConfirmDialog
      title={version === undefined ? say.discardTitle : say.restoreTitle(version)}
      isWide
      onClose={onClose}
      submitLabel={version === undefined ? say.discard : say.restoreVersion(version)}
      onSubmit={() => (data ? replace(data.draft) : Promise.resolve())}
    >
      <div className={style.consequences}>
        <p>{version === undefined ? say.discardHelp(latest) : form.publish_mode === 'auto' ? say.restoreLive : say.restoreHelp}</p>
        {error ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <section>
            <h3>{say.lost}</h3>
            {data.changes.length === 0 && !data.payment ? (
              <p className="muted">{say.noneLost}</p>
            ) : (
              <ChangesList changes={data.changes} payment={data.payment} />
            )}
          </section>
        ) : (
          <Skeleton lines={3} />
        )}
        {version !== undefined && version !== latest && (
          <section>
            <h3>{say.against(latest)}</h3>
            <Differences id={form.id} from={latest} to={version} />
          </section>
        )}
      </div>
    </ConfirmDialog>
  );
}

/** Replaces the draft that the person has seen, and offers to bring it back. */
function useReplacement(id: string, version: number | undefined, onStale: () => void) {
  const say = useWords('builder').versions;
  const language = useLanguage();
  const queryClient = useQueryClient();
  const path = { id };
  const refresh = () => {
    queryClient.removeQueries({ queryKey: ['draft', id] });
    return queryClient.invalidateQueries({ queryKey: ['form', id] });
  };
  const bringBack = ({ fields, payment }: Draft, revision: number) => {
    const body = { fields, ...(payment ? { payment } : {}), revision } as DraftRequest;
    saveFormDraft({ client, path, body }).then(
      () => {
        toast({ text: say.broughtBack });
        void refresh();
      },
      (error: unknown) => toast({ text: problemSentence(error, language).title }),
    );
  };
  return async (draft: Draft) => {
    const { revision } = draft;
    try {
      const replaced =
        version === undefined
          ? await discardFormDraft({ client, path, body: { revision } })
          : await restoreFormDraft({ client, path, body: { version, revision } });
      toast({ text: version === undefined ? say.discarded : say.restored(version), onUndo: () => bringBack(draft, replaced.revision) });
      void refresh();
    } catch (error) {
      // Another person has saved it meanwhile: this one looks at what would be lost now.
      if (hasStatus(error, 409)) onStale();
      throw error;
    }
  };
}
