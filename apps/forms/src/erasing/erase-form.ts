import type { FormErased } from '@sheaf/contracts';
import { audited, erasureBegun, erasureConfirmed, record, type DomainEvent } from '@sheaf/events';
import { authorize, newId, Problem, type Client } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { z } from 'zod';
import type { Deps } from '../deps';
import { formChanged, formDeed } from '../form/form-changed';
import * as forms from '../form/forms.queries';
import { lockForm } from '../form/load-form';
import { insertVacated } from '../form/vacated-slugs.queries';
import type { FormRow } from '../rows';
import { keepingOf } from '../settings/keeping.queries';

/**
 * Erases a form from the trash for good, with its versions, grants and settings. The other services then erase what belongs to it; its slug
 * stays reserved for a while, or another form would receive the answers to this one.
 * @returns the id under which the erasure is followed
 * @throws Problem `conflict` under legal hold, and for a form that is not in the trash
 */
export async function eraseForm(deps: Deps, asked: Asked<Client>, { id }: { id: string }): Promise<string> {
  return deps.outbox.transaction(async (trx) => {
    const { form, role } = await lockForm(trx, asked.caller, id);
    authorize(role, 'erase this form');
    return eraseLocked(trx, asked, form, deps.clock.now());
  });
}

/** Like `eraseForm`, for a form that is locked and a caller who is already authorized. */
export async function eraseLocked(trx: Transaction, by: Parameters<typeof audited>[0], form: FormRow, at: Date): Promise<string> {
  const { legal_hold } = await keepingOf(trx, form.id);
  if (legal_hold) throw Problem.conflict('The form is under legal hold, so nothing of it may be erased.');
  if (form.status !== 'trashed') throw Problem.conflict('The form is not in the trash. Move it there first.');
  return eraseUnheld(trx, by, form, at);
}

/** Erases a locked form, wherever it is. Call this only if it is not under legal hold. */
export async function eraseUnheld(trx: Transaction, by: Parameters<typeof audited>[0], form: FormRow, at: Date): Promise<string> {
  await forms.deleteForm(trx, form.id);
  const { instance_id, slug, workspace_id: workspaceId } = form;
  if (slug !== null) await insertVacated(trx, { instance_id, slug, form_id: form.id, vacated_at: at });
  const erasure = { id: newId(), instanceId: instance_id, formId: form.id };
  await record(
    trx,
    formChanged(form, [slug], at),
    formErased(form, erasure.id, at),
    erasureBegun(by, { ...erasure, kind: 'form', targetId: form.id, workspaceId, reason: 'requested', awaited }, at),
    erasureConfirmed(erasure, { service: 'forms', counts: { forms: 1 } }, at),
    audited(by, formDeed('form.erased', form, { erasure: erasure.id }), at),
  );
  return erasure.id;
}

const awaited = ['forms', 'submissions', 'hooks', 'delivery'] as const;

function formErased(form: Pick<FormRow, 'id' | 'instance_id' | 'workspace_id'>, erasureId: string, at: Date): DomainEvent {
  const body: z.output<typeof FormErased> = { erasure_id: erasureId, form_id: form.id, workspace_id: form.workspace_id };
  return {
    id: newId(),
    type: 'form.erased',
    instanceId: form.instance_id,
    subject: form.id,
    formId: form.id,
    occurredAt: at,
    body: JSON.stringify(body),
  };
}
