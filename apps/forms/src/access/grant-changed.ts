import type { GrantChanged } from '@sheaf/contracts';
import { causedBy, type Cause, type DomainEvent } from '@sheaf/events';
import { newId, type FormRole } from '@sheaf/kernel';
import type { z } from 'zod';
import type { FormRow } from '../rows';

/** The event with a user's granted role on the form, or without a role if the grant was revoked. */
export function grantChanged(form: FormRow, userId: string, role: FormRole | undefined, at: Date, cause: Cause): DomainEvent {
  const body: z.output<typeof GrantChanged> = { form_id: form.id, workspace_id: form.workspace_id, user_id: userId, role };
  // Only changes of the same grant must stay in order.
  const subject = `${form.id}:${userId}`;
  return {
    id: newId(),
    type: 'grant.changed',
    instanceId: form.instance_id,
    subject,
    formId: form.id,
    occurredAt: at,
    body: JSON.stringify(body),
    ...causedBy(cause),
  };
}
