import type { FormKeepingChanged, FormSettingsPatch, Keeping } from '@sheaf/contracts';
import type { DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { z } from 'zod';
import type { FormRow } from '../rows';
import * as queries from './keeping.queries';
import type { KeepingRow } from './keeping.queries';

type KeepingPatch = Pick<FormSettingsPatch, 'retention' | 'legal_hold' | 'searchable'>;

/** Changes how a locked form keeps its submissions: `retention` is replaced as a whole, and null clears a setting. @returns the event */
export async function changeKeeping(
  trx: Transaction,
  form: Pick<FormRow, 'id' | 'instance_id' | 'workspace_id'>,
  { retention, legal_hold: hold, searchable }: KeepingPatch,
  at: Date,
): Promise<{ keeping: KeepingRow; event: DomainEvent }> {
  const before = await queries.keepingOf(trx, form.id);
  const { trash_days = null, submissions_days = null, files_days = null } = retention ?? {};
  const keeping = {
    ...before,
    ...(retention === undefined ? {} : { trash_days, submissions_days, files_days }),
    ...(hold === undefined ? {} : { legal_hold: hold ?? false }),
    ...(searchable === undefined ? {} : { searchable: searchable ?? true }),
  };
  return { keeping, event: await saveKeeping(trx, form, keeping, at) };
}

/** Saves how a locked form keeps its submissions. @returns the event with which `submissions` learns of it */
export async function saveKeeping(
  trx: Transaction,
  form: Pick<FormRow, 'id' | 'instance_id' | 'workspace_id'>,
  keeping: KeepingRow,
  at: Date,
): Promise<DomainEvent> {
  const revision = await queries.saveKeeping(trx, form.id, keeping);
  const { retention, legal_hold } = shownKeeping(keeping);
  const body: z.output<typeof FormKeepingChanged> = {
    form_id: form.id,
    workspace_id: form.workspace_id,
    legal_hold: legal_hold ?? false,
    ...retention,
    searchable: keeping.searchable,
    revision,
  };
  return {
    id: newId(),
    type: 'form.keeping_changed',
    instanceId: form.instance_id,
    subject: form.id,
    formId: form.id,
    occurredAt: at,
    body: JSON.stringify(body),
  };
}

/** The event for a form in another workspace, to which its erasures belong from now on; none if it keeps and searches everything. */
export async function keepingMoved(
  trx: Transaction,
  form: Pick<FormRow, 'id' | 'instance_id' | 'workspace_id'>,
  at: Date,
): Promise<DomainEvent[]> {
  const keeping = await queries.keepingOf(trx, form.id);
  return Object.keys(shownKeeping(keeping)).length > 0 ? [await saveKeeping(trx, form, keeping, at)] : [];
}

/** The settings as they are shown: absent for what is kept for ever, and if the form can be searched. */
export function shownKeeping({ legal_hold, searchable, ...days }: KeepingRow): Keeping {
  const retention = Object.fromEntries(Object.entries(days).filter(([, value]) => value !== null));
  return {
    ...(Object.keys(retention).length > 0 ? { retention } : {}),
    ...(legal_hold ? { legal_hold } : {}),
    ...(searchable ? {} : { searchable }),
  };
}
