import type { SubmissionDeleted, SubmissionStatusChanged } from '@sheaf/contracts';
import type { DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { z } from 'zod';
import type { SubmissionRow } from './submissions.queries';

// The bodies are what subscribers receive, to the byte (contract, section 6.3).

/** `at` is later than the submission where something held it up. */
export function submissionCreated(instanceId: string, submission: SubmissionRow, at: Date = submission.created_at): DomainEvent {
  const { id, form_id, schema_version, created_at } = submission;
  const about = JSON.stringify({ id, form_id, schema_version, created_at: created_at.toISOString() });
  return {
    ...event('submission.created', instanceId, submission, at),
    // The answers are JSON text already.
    body: `{"event":"submission.created","form_id":${JSON.stringify(form_id)},"data":${submission.data},"submission":${about}}`,
  };
}

export function statusChanged(instanceId: string, before: SubmissionRow, after: SubmissionRow, at: Date): DomainEvent {
  const body: z.output<typeof SubmissionStatusChanged> = {
    event: 'submission.status_changed',
    form_id: after.form_id,
    submission_id: after.id,
    previous_status: before.status,
    new_status: after.status,
  };
  return { ...event('submission.status_changed', instanceId, after, at), body: JSON.stringify(body) };
}

export function submissionDeleted(instanceId: string, submission: SubmissionRow, at: Date): DomainEvent {
  const body: z.output<typeof SubmissionDeleted> = { event: 'submission.deleted', form_id: submission.form_id, submission_id: submission.id };
  return { ...event('submission.deleted', instanceId, submission, at), body: JSON.stringify(body) };
}

const event = (type: DomainEvent['type'], instanceId: string, { id, form_id }: SubmissionRow, occurredAt: Date) => ({
  id: newId(),
  type,
  instanceId,
  subject: id,
  formId: form_id,
  occurredAt,
});
