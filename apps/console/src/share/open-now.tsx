import { getPublicForm, type ClosedReason, type FormSettingsDetail } from '@sheaf/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client } from '../api/client';
import { useQuickSave } from '../form/settings-section';
import { versionQuery } from '../form/form-version';
import { Button, ButtonLink } from '../parts/button';
import { Badge } from '../parts/states';
import { toast } from '../parts/toasts';
import { useFormats } from '../words/formats';
import { useWords } from '../words/use-words';
import style from './share.module.css';
import { usualZone } from './wall-time';
import { words } from './words';

/** Whether respondents can send the form right now, as they would be told, and why not. */
export function OpenNow({ form, mayEdit }: { form: FormSettingsDetail; mayEdit: boolean }) {
  const say = useWords(words);
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

/**
 * What the form's settings say, and only if they leave it open what respondents are told: of an open form that counts as a view, so it is
 * asked just for forms with a limit or a payment, and once.
 */
function useReason(form: FormSettingsDetail): ClosedReason | undefined {
  const now = useMinute();
  const known = closedBySettings(form, now);
  const { data: version } = useQuery({ ...versionQuery(form), enabled: form.current_version > 0 });
  const mayBeClosed = known === undefined && (form.max_submissions !== undefined || version?.payment !== undefined);
  const { data } = useQuery({
    queryKey: ['form-as-respondents-see-it', form.id, form.updated_at],
    queryFn: ({ signal }) => getPublicForm({ client, path: { form: form.id }, signal }),
    enabled: form.current_version > 0 && mayBeClosed,
    staleTime: 'static',
  });
  const told = data?.closed_because;
  return known ?? (told === 'full' || told === 'payments_not_set_up' ? told : undefined);
}

function closedBySettings(form: FormSettingsDetail, now: number): ClosedReason | undefined {
  const { status, opens_at: opens, closes_at: closes, max_submissions: limit, submissions } = form;
  if (status !== 'active') return 'disabled';
  if (opens !== undefined && now < Date.parse(opens)) return 'not_yet_open';
  if (closes !== undefined && now >= Date.parse(closes)) return 'closed';
  return limit !== undefined && (submissions?.total ?? 0) >= limit ? 'full' : undefined;
}

/** The time, told anew each minute, because an opening time may pass. */
function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
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
