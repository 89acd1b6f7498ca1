import { checkFormPublication, publishFormDraft, type PublishCheck } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client';
import { hasStatus } from '../../api/problem-sentence';
import { FormDialog } from '../../parts/dialog';
import { Problem } from '../../parts/problem';
import { Skeleton } from '../../parts/states';
import { toast } from '../../parts/toasts';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import { Consequences } from './consequences';
import style from './publish.module.css';

/** Shows what publishing changes, and publishes. */
export function PublishDialog({ onClose }: { onClose: () => void }) {
  const say = useWords('builder').publish;
  const queryClient = useQueryClient();
  const { form, editor, state } = useEditing();
  const [openedAt] = useState(state.revision);
  const version = form.current_version + 1;
  const { data, error, refetch } = useQuery({
    // A draft that somebody else saves meanwhile is checked too.
    queryKey: ['draft', form.id, 'publication', state.revision],
    queryFn: ({ signal }) => checkFormPublication({ client, path: { id: form.id }, signal }),
    gcTime: 0,
  });
  const publish = async () => {
    const { revision } = state;
    try {
      const { version: published } = await publishFormDraft({ client, path: { id: form.id }, body: { revision } });
      toast({ text: say.isLive(published) });
    } catch (error) {
      // The changes of somebody else are shown before the person is asked again.
      if (hasStatus(error, 409) && !(await editor.isLatest(revision))) return;
      throw error;
    }
    await Promise.all([['form', form.id], ['forms']].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    onClose();
  };
  return (
    <FormDialog
      title={say.publishVersion(version)}
      onClose={onClose}
      isWide
      submitLabel={say.publishVersion(version)}
      onSubmit={publish}
      staysOpen
      isIncomplete={!data || isUnchanged(data, form.current_version)}
    >
      {error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          {state.revision !== openedAt && (
            <p role="alert" className={style.changed}>
              {say.changedMeanwhile}
            </p>
          )}
          <Consequences check={data} version={form.current_version} />
        </>
      ) : (
        <Skeleton lines={4} />
      )}
    </FormDialog>
  );
}

const isUnchanged = ({ changes, payment }: PublishCheck, version: number): boolean => version > 0 && changes.length === 0 && !payment;
