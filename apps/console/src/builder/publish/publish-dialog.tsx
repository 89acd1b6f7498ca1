import { checkFormPublication, publishForm, type PublishCheck } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client';
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
    // The request to publish names no revision: v1's contract has no place for one. Changes that others have saved up to now are shown
    // first.
    if (!(await editor.isLatest(state.revision))) return;
    const { version: published } = await publishForm({ client, path: { id: form.id } });
    toast({ text: say.isLive(published) });
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
