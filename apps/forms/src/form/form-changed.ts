import type { AuditAction, AuditDetails, FormChanged, FormMoved } from '@sheaf/contracts';
import { causedBy, type Cause, type Deed, type DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { z } from 'zod';
import type { FormRow } from '../rows';

/** A signal: every process drops its cached data about the form, including entries under its slugs before and after the change. */
export function formChanged(
  form: Pick<FormRow, 'id' | 'instance_id'>,
  slugs: readonly (string | null)[],
  at: Date,
  more: Pick<z.output<typeof FormChanged>, 'trashed'> = {},
): DomainEvent {
  const body: z.output<typeof FormChanged> = { form_id: form.id, slugs: [...new Set(slugs.filter((slug) => slug !== null))], ...more };
  return {
    id: newId(),
    type: 'form.changed',
    instanceId: form.instance_id,
    subject: form.id,
    formId: form.id,
    occurredAt: at,
    body: JSON.stringify(body),
  };
}

/** The event with the form's new workspace. */
export function formMoved(form: Pick<FormRow, 'id' | 'instance_id' | 'workspace_id'>, at: Date, cause: Cause): DomainEvent {
  const body: z.output<typeof FormMoved> = { form_id: form.id, workspace_id: form.workspace_id };
  return {
    id: newId(),
    type: 'form.moved',
    instanceId: form.instance_id,
    subject: form.id,
    formId: form.id,
    occurredAt: at,
    body: JSON.stringify(body),
    ...causedBy(cause),
  };
}

/** A deed on a form, for the audit log. */
export const formDeed = (action: AuditAction, form: Pick<FormRow, 'id' | 'workspace_id'>, details?: AuditDetails): Deed => ({
  action,
  target: { kind: 'form', id: form.id },
  workspaceId: form.workspace_id,
  formId: form.id,
  ...(details ? { details } : {}),
});
