import { FormErased, SubmissionErased } from '@sheaf/contracts';
import { bodyOf, type DomainEvent } from '@sheaf/events';
import { isId } from '@sheaf/kernel';
import type { Deps } from '../deps';
import { note, type Noted } from './erasing.queries';

/** Notes erased submissions and forms, whose copies `eraseNoted` erases. Noting one twice changes nothing. */
export async function noteErasures({ db, log }: Pick<Deps, 'db' | 'log'>, events: readonly DomainEvent[]): Promise<void> {
  const noted = events.flatMap((event) => {
    const row = event.type === 'form.erased' ? readForm(event) : readSubmission(event);
    // Skipped permanently: a retry would fail as well and delay all later events.
    if (!row) log.error({ eventId: event.id, type: event.type }, 'skipped an unreadable event');
    return row ?? [];
  });
  await note(db, noted);
}

function readSubmission(event: DomainEvent): Noted | undefined {
  const { instanceId, occurredAt } = event;
  const data = bodyOf(SubmissionErased, event);
  if (!data || ![data.submission_id, data.erasure_id, data.form_id, instanceId].every(isId)) return undefined;
  return {
    target_id: data.submission_id,
    erasure_id: data.erasure_id,
    instance_id: instanceId,
    form_id: data.form_id,
    whole_form: false,
    announced_at: data.announced_at === undefined ? null : new Date(data.announced_at),
    noted_at: occurredAt,
  };
}

function readForm(event: DomainEvent): Noted | undefined {
  const { instanceId, occurredAt } = event;
  const data = bodyOf(FormErased, event);
  if (!data || ![data.erasure_id, data.form_id, instanceId].every(isId)) return undefined;
  return {
    target_id: data.form_id,
    erasure_id: data.erasure_id,
    instance_id: instanceId,
    form_id: data.form_id,
    whole_form: true,
    announced_at: null,
    noted_at: occurredAt,
  };
}
