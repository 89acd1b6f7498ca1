import type { FormSettingsDetail } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { useFormState, type FormState } from '../form/form-state';
import { useQuickSave } from '../form/settings-section';
import { versionQuery } from '../form/form-version';
import { Button, ButtonLink } from '../parts/button';
import { Badge } from '../parts/states';
import { toast } from '../parts/toasts';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import style from './share.module.css';
import { usualZone } from './wall-time';

/** Whether respondents can send the form right now, as they would be told, and why not. */
export function OpenNow({ form, mayEdit }: { form: FormSettingsDetail; mayEdit: boolean }) {
  const say = useWords('share');
  const isPublished = form.current_version > 0;
  const reason = useReason(form);
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

/** The message to respondents is asked for only if the form has a limit or a payment. */
function useReason(form: FormSettingsDetail): FormState | undefined {
  const { data: version } = useQuery({ ...versionQuery(form), enabled: form.current_version > 0 });
  const state = useFormState(form, { asks: form.max_submissions !== undefined || version?.payment !== undefined });
  return state === 'active' ? undefined : state;
}

function Reason({ form, reason }: { form: FormSettingsDetail; reason: FormState | undefined }) {
  const say = useWords('share');
  const formats = useFormats();
  const zone = form.timezone ?? usualZone;
  const time = (value: string | undefined) => (value === undefined ? '' : `${formats.dateTime(value, zone)} (${zone})`);
  switch (reason) {
    case 'trashed':
      return say.isTrashed;
    case 'archived':
      return say.isArchived;
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
    case 'active':
    case 'never_published':
    case undefined:
      return form.closes_at === undefined ? say.openForAll : say.openUntil(time(form.closes_at));
  }
}

function OpenOrClose({ form }: { form: FormSettingsDetail }) {
  const say = useWords('share');
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
