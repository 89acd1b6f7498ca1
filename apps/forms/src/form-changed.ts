import type { AuditAction, AuditDetails, FormChanged } from '@sheaf/contracts';
import type { Deed, DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { z } from 'zod';
import type { FormRow } from './rows';

/** Tells every process to forget what it remembers of a form, also by a slug that it had before the change or has since. */
export function formChanged(form: Pick<FormRow, 'id' | 'instance_id'>, slugs: readonly (string | null)[], at: Date): DomainEvent {
  const body: z.output<typeof FormChanged> = { form_id: form.id, slugs: [...new Set(slugs.filter((slug) => slug !== null))] };
  return { id: newId(), type: 'form.changed', instanceId: form.instance_id, subject: form.id, formId: form.id, occurredAt: at, body: JSON.stringify(body) };
}

/** What was done to a form, for the audit log. */
export const formDeed = (action: AuditAction, form: Pick<FormRow, 'id' | 'workspace_id'>, details?: AuditDetails): Deed => ({
  action,
  target: { kind: 'form', id: form.id },
  workspaceId: form.workspace_id,
  formId: form.id,
  ...(details ? { details } : {}),
});
