import { getPublicForm, type ClosedReason, type FormSettingsDetail } from '@sheaf/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { client } from '../api/client';
import { useQuickSave } from '../form/settings-section';
import { Button, ButtonLink } from '../parts/button';
import { Problem } from '../parts/problem';
import { Badge } from '../parts/states';
import { toast } from '../parts/toasts';
import { useChanges } from '../shell/live-changes';
import { useFormats } from '../words/formats';
import { useWords } from '../words/use-words';
import style from './share.module.css';
import { usualZone } from './wall-time';
import { words } from './words';

/** Whether respondents can send the form right now, as they would be told, and why not. */
export function OpenNow({ form, mayEdit }: { form: FormSettingsDetail; mayEdit: boolean }) {
  const say = useWords(words);
  const isPublished = form.current_version > 0;
  const { data, error, refetch } = useOpenness(form);
  if (!isPublished)
    return (
      <div className={style.status}>
        <Badge>{say.notPublished}</Badge>
        <p>{say.notPublishedHelp}</p>
        {mayEdit && (
          <ButtonLink look="primary" href={`/console/forms/${form.id}/build`}>
            {say.toBuild}
          </ButtonLink>
        )}
      </div>
    );
  if (form.status === 'active' && error) return <Problem error={error} onRetry={() => void refetch()} />;
  const reason = form.status === 'active' ? ignoringDisabled(data?.closed_because) : 'disabled';
  return (
    <div className={style.status} role="status">
      <Badge tone={reason === undefined ? 'good' : 'waiting'}>{reason === undefined ? say.openNow : say.closedNow}</Badge>
      <p>
        <Reason form={form} reason={reason} />
      </p>
      {mayEdit && <OpenOrClose form={form} />}
    </div>
  );
}

/** The page of respondents follows the form's status within a second; here it is known at once. */
const ignoringDisabled = (reason: ClosedReason | undefined): ClosedReason | undefined => (reason === 'disabled' ? undefined : reason);

/** Asked for again when the form changes and submissions arrive, and each minute, because an opening time may pass. */
function useOpenness(form: FormSettingsDetail) {
  const queryClient = useQueryClient();
  const queryKey = ['form', form.id, 'public', form.updated_at];
  const again = useCallback(() => {
    // Respondents see a change a moment later.
    setTimeout(() => void queryClient.invalidateQueries({ queryKey: ['form', form.id, 'public'] }), 1_500);
  }, [queryClient, form.id]);
  useChanges(form.id, again);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => getPublicForm({ client, path: { form: form.id }, signal }),
    enabled: form.current_version > 0 && form.status === 'active',
    refetchInterval: 60_000,
    placeholderData: (before) => before,
  });
}

function Reason({ form, reason }: { form: FormSettingsDetail; reason: ClosedReason | undefined }) {
  const say = useWords(words);
  const formats = useFormats();
  const zone = form.timezone ?? usualZone;
  const time = (value: string | undefined) => (value === undefined ? '' : `${formats.dateTime(value, zone)} (${zone})`);
  if (form.status === 'trashed') return say.isTrashed;
  if (form.status === 'archived') return say.isArchived;
  switch (reason) {
    case 'disabled':
      return say.isDisabled;
    case 'not_yet_open':
      return say.opensLater(time(form.opens_at));
    case 'closed':
      return say.closedSince(time(form.closes_at));
    case 'full':
      return say.isFull(formats.number(form.max_submissions ?? 0));
    case 'payments_not_set_up':
      return say.noPayments;
    case undefined:
      return form.closes_at === undefined ? say.openForAll : say.openUntil(time(form.closes_at));
  }
}

function OpenOrClose({ form }: { form: FormSettingsDetail }) {
  const say = useWords(words);
  const { save, pending } = useQuickSave(form.id);
  const isActive = form.status === 'active';
  const change = () => {
    const before = isActive ? 'active' : form.status === 'archived' ? 'archived' : 'disabled';
    save({ status: isActive ? 'disabled' : 'active' }, () =>
      toast({ text: isActive ? say.nowClosed : say.nowOpen, onUndo: () => save({ status: before }) }),
    );
  };
  return (
    <Button onPress={change} isPending={pending !== undefined}>
      {isActive ? say.closeForm : say.openForm}
    </Button>
  );
}
