import type {
  SubmissionCorrected,
  SubmissionDeleted,
  SubmissionErased,
  SubmissionRestored,
  SubmissionSpamChanged,
  SubmissionStatusChanged,
} from '@sheaf/contracts';
import { causedBy, type Cause, type DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { z } from 'zod';
import type { AnnouncedRow, SubmissionRow } from './submissions.queries';

// Subscribers receive these bodies byte for byte (contract, section 6.3). `occurred_at` stands in each, so that they can order events.

/**
 * The moment of a change of these submissions: now, or the millisecond after the last change of any of them. Two changes within a millisecond, or a
 * process whose clock is behind, would otherwise tell subscribers the wrong order.
 */
export function momentAfter(changes: readonly Pick<SubmissionRow, 'changed_at' | 'announced_at'>[], now: Date): Date {
  const earlier = changes.flatMap(({ changed_at, announced_at }) => [changed_at, announced_at]);
  return new Date(Math.max(now.getTime(), ...earlier.map((at) => (at === null ? 0 : at.getTime() + 1))));
}

/** `at`: when the submission is announced, which is later than its arrival if it had to wait. */
export function submissionCreated(instanceId: string, submission: AnnouncedRow, at: Date, cause: Cause): DomainEvent {
  const { id, form_id, schema_version, created_at } = submission;
  const metadata = JSON.stringify({ id, form_id, schema_version, created_at: created_at.toISOString() });
  // The answers are already JSON text.
  const head = `"event":"submission.created","form_id":${JSON.stringify(form_id)},"occurred_at":"${at.toISOString()}"`;
  const body = `{${head},"data":${submission.data},"submission":${metadata}}`;
  return event('submission.created', instanceId, submission, { at, cause, body });
}

export function statusChanged(
  instanceId: string,
  before: Pick<SubmissionRow, 'id' | 'form_id' | 'status'>,
  to: string,
  at: Date,
  cause: Cause,
): DomainEvent {
  const body: z.output<typeof SubmissionStatusChanged> = {
    event: 'submission.status_changed',
    form_id: before.form_id,
    occurred_at: at.toISOString(),
    submission_id: before.id,
    previous_status: before.status,
    new_status: to,
  };
  return event('submission.status_changed', instanceId, before, { at, cause, body: JSON.stringify(body) });
}

/** A bulk change is one event, without the previous statuses. */
export function statusesChanged(
  instanceId: string,
  formId: string,
  changed: { ids: string[]; to: string; at: Date },
  cause: Cause,
): DomainEvent {
  const body: z.output<typeof SubmissionStatusChanged> = {
    event: 'submission.status_changed',
    form_id: formId,
    occurred_at: changed.at.toISOString(),
    submission_ids: changed.ids,
    new_status: changed.to,
  };
  return event(
    'submission.status_changed',
    instanceId,
    { id: formId, form_id: formId },
    { at: changed.at, cause, body: JSON.stringify(body) },
  );
}

export function submissionDeleted(
  instanceId: string,
  submission: Pick<SubmissionRow, 'id' | 'form_id'>,
  at: Date,
  cause: Cause,
): DomainEvent {
  const body: z.output<typeof SubmissionDeleted> = {
    event: 'submission.deleted',
    form_id: submission.form_id,
    occurred_at: at.toISOString(),
    submission_id: submission.id,
  };
  return event('submission.deleted', instanceId, submission, { at, cause, body: JSON.stringify(body) });
}

export function submissionRestored(
  instanceId: string,
  submission: Pick<SubmissionRow, 'id' | 'form_id' | 'status'>,
  at: Date,
  cause: Cause,
): DomainEvent {
  const body: z.output<typeof SubmissionRestored> = { event: 'submission.restored', ...stateOf(submission, at) };
  return event('submission.restored', instanceId, submission, { at, cause, body: JSON.stringify(body) });
}

/** Without the answers, which would be one more copy of them in the stream and in the log, for the same erasing to find. */
export function submissionCorrected(
  instanceId: string,
  submission: Pick<SubmissionRow, 'id' | 'form_id' | 'status' | 'revision'>,
  { at, changed, by: { kind, id } }: { at: Date; changed: string[]; by: { kind: string; id: string } },
  cause: Cause,
): DomainEvent {
  const { revision } = submission;
  const body: z.output<typeof SubmissionCorrected> = {
    event: 'submission.corrected',
    ...stateOf(submission, at),
    revision,
    changed,
    corrected_by: { kind, id },
  };
  return event('submission.corrected', instanceId, submission, { at, cause, body: JSON.stringify(body) });
}

export function submissionSpamChanged(
  instanceId: string,
  submission: Pick<SubmissionRow, 'id' | 'form_id' | 'status'>,
  { at, spam }: { at: Date; spam: boolean },
  cause: Cause,
): DomainEvent {
  const body: z.output<typeof SubmissionSpamChanged> = { event: 'submission.spam_changed', ...stateOf(submission, at), spam };
  return event('submission.spam_changed', instanceId, submission, { at, cause, body: JSON.stringify(body) });
}

const stateOf = ({ id, form_id, status }: Pick<SubmissionRow, 'id' | 'form_id' | 'status'>, at: Date) => ({
  form_id,
  occurred_at: at.toISOString(),
  submission_id: id,
  status,
});

/** Not for subscribers: it makes others erase their copies. */
export function submissionErased(
  instanceId: string,
  submission: Pick<SubmissionRow, 'id' | 'form_id' | 'announced_at'>,
  erasureId: string,
  at: Date,
): DomainEvent {
  const body: z.output<typeof SubmissionErased> = {
    erasure_id: erasureId,
    form_id: submission.form_id,
    submission_id: submission.id,
    announced_at: submission.announced_at?.toISOString(),
  };
  return event('submission.erased', instanceId, submission, { at, cause: {}, body: JSON.stringify(body) });
}

/**
 * Whether subscribers may be notified of changes to a submission: not if it is spam that was never announced. An announced submission stays
 * announced, so that no subscriber is left with an outdated status.
 */
export const shouldNotify = ({ announced_at, spam_at }: Pick<SubmissionRow, 'announced_at' | 'spam_at'>): boolean =>
  spam_at === null || announced_at !== null;

/**
 * Whether subscribers know a submission, so that they can make use of what happens to it later. One that they do not know yet is announced as it is by
 * then, if ever.
 */
export const isAnnounced = ({ announced_at }: Pick<SubmissionRow, 'announced_at'>): boolean => announced_at !== null;

const event = (
  type: DomainEvent['type'],
  instanceId: string,
  { id, form_id }: Pick<SubmissionRow, 'id' | 'form_id'>,
  { at, cause, body }: { at: Date; cause: Cause; body: string },
): DomainEvent => ({ id: newId(), type, instanceId, subject: id, formId: form_id, occurredAt: at, body, ...causedBy(cause) });
