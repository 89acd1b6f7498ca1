import type { SubmissionDeleted, SubmissionStatusChanged } from '@sheaf/contracts';
import type { DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { z } from 'zod';
import type { SubmissionRow } from './submissions.queries';

/** What led to it. */
type Cause = Pick<Call, 'trace'>;

// The bodies are what subscribers receive, to the byte (contract, section 6.3).

/** `at`: when it is told, which is later than it came in for what had to wait. */
export function submissionCreated(instanceId: string, submission: SubmissionRow, at: Date, { trace }: Cause): DomainEvent {
  const { id, form_id, schema_version, created_at } = submission;
  const about = JSON.stringify({ id, form_id, schema_version, created_at: created_at.toISOString() });
  // The answers are JSON text already.
  const body = `{"event":"submission.created","form_id":${JSON.stringify(form_id)},"data":${submission.data},"submission":${about}}`;
  return event('submission.created', instanceId, submission, { at, trace, body });
}

export function statusChanged(instanceId: string, before: SubmissionRow, after: SubmissionRow, at: Date, { trace }: Cause): DomainEvent {
  const body: z.output<typeof SubmissionStatusChanged> = {
    event: 'submission.status_changed',
    form_id: after.form_id,
    submission_id: after.id,
    previous_status: before.status,
    new_status: after.status,
  };
  return event('submission.status_changed', instanceId, after, { at, trace, body: JSON.stringify(body) });
}

/** A bulk change is one event, without what it was before. */
export function statusesChanged(
  instanceId: string,
  formId: string,
  changed: { ids: string[]; to: string; at: Date },
  { trace }: Cause,
): DomainEvent {
  const body: z.output<typeof SubmissionStatusChanged> = {
    event: 'submission.status_changed',
    form_id: formId,
    submission_ids: changed.ids,
    new_status: changed.to,
  };
  return event(
    'submission.status_changed',
    instanceId,
    { id: formId, form_id: formId },
    { at: changed.at, trace, body: JSON.stringify(body) },
  );
}

export function submissionDeleted(instanceId: string, submission: SubmissionRow, at: Date, { trace }: Cause): DomainEvent {
  const body: z.output<typeof SubmissionDeleted> = {
    event: 'submission.deleted',
    form_id: submission.form_id,
    submission_id: submission.id,
  };
  return event('submission.deleted', instanceId, submission, { at, trace, body: JSON.stringify(body) });
}

/**
 * Whether subscribers may be told of it: not of spam that they never heard of. What was told of stays told of, so that nobody is left
 * with a status that is no longer true.
 */
export const isToldOf = ({ announced_at, spam_at }: Pick<SubmissionRow, 'announced_at' | 'spam_at'>): boolean =>
  spam_at === null || announced_at !== null;

const event = (
  type: DomainEvent['type'],
  instanceId: string,
  { id, form_id }: Pick<SubmissionRow, 'id' | 'form_id'>,
  { at, trace, body }: { at: Date; trace: string | undefined; body: string },
): DomainEvent => ({ id: newId(), type, instanceId, subject: id, formId: form_id, occurredAt: at, body, trace });
