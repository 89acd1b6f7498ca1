import { maxUnfinishedBulkChanges, type BulkAction } from '@sheaf/contracts';
import { audited, record, type Deed } from '@sheaf/events';
import { authorize, formRole, isId, newId, Problem, type Client, type FormAccess } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import type { Conditions } from '../search/conditions';
import type { Filter } from '../search/filter';
import { filterOfAll } from '../search/find-all';
import { needsOf } from '../search/needs';
import { placeOf } from './actions';
import * as queries from './bulk-changes.queries';
import type { BulkChangeRow } from './bulk-changes.queries';
import { asHeard, failed, keptMs, mayGoOn } from './entitlement';
import { readyForMembers } from '../exact/ready-for-members';
import { accessOf, lockPrincipal } from './entitlement.queries';

const retryAfterSeconds = 30;

export interface WantedChange extends Conditions {
  action: BulkAction;
  newStatus?: string | undefined;
  newAssignee?: string | undefined;
}

/** The submissions of a bulk change: what was there when it was asked for. Without ids, as there may be many. */
export type Sought =
  | { place: 'list'; conditions: Conditions; filter: Filter }
  | { place: 'spam' | 'trash'; before: string }
  /** Those that another one has changed. */
  | { place: 'changed'; by: string };

/** Begins a change that `runBulkChanges` makes. @throws Problem `bad_request` that names the parameter, `conflict`, `too_many_requests` */
export async function startBulkChange(
  deps: Deps,
  asked: Asked<Client>,
  { action, newStatus, newAssignee, ...conditions }: WantedChange,
): Promise<BulkChangeRow> {
  const { formId } = conditions;
  const access = await mayChange(deps, asked, formId);
  refuseUnfit({ action, newStatus, newAssignee });
  const place = placeOf(action);
  if (place === 'list') refuseOtherPlaces(conditions);
  else refuseConditions(action, conditions);
  const now = deps.clock.now();
  const sought: Sought =
    place === 'list'
      ? { place, conditions, filter: upTo(now, await filterOfAll(deps, asked, conditions)) }
      : { place, before: now.toISOString() };
  return begin(deps, asked, { formId, access, sought, now }, { action, new_status: newStatus ?? null, new_assignee: newAssignee ?? null });
}

/** Begins a change that takes back another one. @throws Problem `not_found`, `conflict`, `too_many_requests` */
export async function undoBulkChange(
  deps: Deps,
  asked: Asked<Client>,
  { formId, id }: { formId: string; id: string },
): Promise<BulkChangeRow> {
  const access = await mayChange(deps, asked, formId);
  const sought: Sought = { place: 'changed', by: id };
  return begin(deps, asked, { formId, access, sought, now: deps.clock.now() }, async (trx) => {
    const found = isId(id) ? await queries.lock(trx, formId, id) : undefined;
    if (!found) throw Problem.notFound('bulk change');
    if (found.undoes !== null) throw Problem.conflict('The bulk change takes back another one, and cannot be taken back.');
    if (found.finished_at === null) throw Problem.conflict('The bulk change is not over yet.');
    if (await queries.isBeingUndone(trx, id)) throw Problem.conflict('The bulk change is being taken back already.');
    const now = deps.clock.now();
    if (found.expires_at <= now) throw Problem.conflict('The bulk change cannot be taken back any more: its time for that is over.');
    await queries.keepFor(trx, id, new Date(now.getTime() + 2 * keptMs));
    const { action, new_status, new_assignee } = found;
    return { action, new_status, new_assignee, undoes: id };
  });
}

type What = Pick<BulkChangeRow, 'action' | 'new_status' | 'new_assignee'> & { undoes?: string };

async function begin(
  deps: Deps,
  asked: Asked<Client>,
  { formId, access, sought, now }: { formId: string; access: FormAccess; sought: Sought; now: Date },
  what: What | ((trx: Transaction) => Promise<What>),
): Promise<BulkChangeRow> {
  const id = newId();
  const { workspaceId } = access;
  const { caller, call } = asked;
  // The background has nobody to ask for the form.
  await readyForMembers(deps, asked, formId);
  await deps.outbox.transaction(async (trx) => {
    const { undoes = null, ...action } = typeof what === 'function' ? await what(trx) : what;
    const { form, workspace } = await queries.countUnfinished(trx, { workspaceId, formId });
    refuseMoreThan(form, maxUnfinishedBulkChanges.form, 'The form');
    refuseMoreThan(workspace, maxUnfinishedBulkChanges.workspace, 'The workspace');
    await lockPrincipal(trx, caller.id);
    const heard = await asHeard(trx, caller, now);
    authorize(mayGoOn(heard, access) ? formRole(heard, access) : undefined, 'change submissions of this form');
    const { requestId, trace, address } = call;
    await queries.insert(trx, {
      id,
      instance_id: caller.instanceId,
      workspace_id: workspaceId,
      form_id: formId,
      caller_kind: caller.kind,
      caller_id: caller.id,
      doer: JSON.stringify({ caller: heard, call: { requestId, trace, address } }),
      access: JSON.stringify(accessOf(caller, access)),
      sought: JSON.stringify(sought),
      needs: needsOf(sought.place === 'list' ? sought.filter : undefined),
      ...action,
      undoes,
      created_at: now,
      // Of one that is not over by then: it fails before.
      expires_at: new Date(now.getTime() + 2 * keptMs),
    });
    await record(trx, audited(asked, deedOf('bulk_change.started', { id, formId, workspaceId, action: action.action }), now));
  });
  await endIfLost(deps, asked, { id, formId });
  return getBulkChange(deps, asked, { formId, id });
}

/** The form may have been moved to the trash, or the grant revoked, before the bulk change was there to hear of it. */
async function endIfLost(deps: Deps, asked: Asked<Client>, { id, formId }: { id: string; formId: string }): Promise<void> {
  const { isTrashed, ...access } = await deps.forms.accessNow(formId, asked);
  const reason = isTrashed ? 'form_trashed' : mayGoOn(asked.caller, access) ? undefined : 'access_ended';
  if (reason !== undefined) await queries.end(deps.db, id, failed(reason, deps.clock.now()));
}

export async function listBulkChanges(deps: Deps, asked: Asked<Client>, formId: string): Promise<BulkChangeRow[]> {
  authorize(await deps.forms.roleOn(formId, asked), 'read submissions of this form');
  return queries.listOf(deps.db, formId);
}

/** @throws Problem `not_found` */
export async function getBulkChange(
  deps: Deps,
  asked: Asked<Client>,
  { formId, id }: { formId: string; id: string },
): Promise<BulkChangeRow> {
  authorize(await deps.forms.roleOn(formId, asked), 'read submissions of this form');
  const found = isId(id) ? await queries.find(deps.db, formId, id) : undefined;
  if (!found) throw Problem.notFound('bulk change');
  return found;
}

/** Ends a bulk change early. A step that a process is in is completed first. */
export async function endBulkChange(
  deps: Deps,
  asked: Asked<Client>,
  { formId, id }: { formId: string; id: string },
): Promise<BulkChangeRow> {
  const { role, workspaceId } = await deps.forms.standingOn(formId, asked);
  authorize(role, 'change submissions of this form');
  await deps.outbox.transaction(async (trx) => {
    const found = isId(id) ? await queries.lock(trx, formId, id) : undefined;
    if (!found) throw Problem.notFound('bulk change');
    if (found.finished_at !== null) return;
    const now = deps.clock.now();
    await queries.end(trx, id, { state: 'cancelled', now, expiresAt: new Date(now.getTime() + keptMs) });
    await record(trx, audited(asked, deedOf('bulk_change.ended', { id, formId, workspaceId, action: found.action }), now));
  });
  return getBulkChange(deps, asked, { formId, id });
}

async function mayChange({ forms }: Pick<Deps, 'forms'>, asked: Asked<Client>, formId: string): Promise<FormAccess> {
  const { isTrashed, ...access } = await forms.accessNow(formId, asked);
  authorize(formRole(asked.caller, access), 'change submissions of this form');
  if (isTrashed) throw Problem.conflict('The form is in the trash. Restore it first.');
  return access;
}

function refuseUnfit({ action, newStatus, newAssignee }: Pick<WantedChange, 'action' | 'newStatus' | 'newAssignee'>): void {
  if (action === 'set_status' && newStatus === undefined) throw Problem.badRequest('new_status: is required for set_status');
  if (action !== 'set_status' && newStatus !== undefined) throw Problem.badRequest('new_status: can only be combined with set_status');
  if (action !== 'assign' && newAssignee !== undefined) throw Problem.badRequest('new_assignee: can only be combined with assign');
}

/** A place apart is changed as a whole; a condition that is not heeded would change more than was meant. */
function refuseConditions(action: BulkAction, { formId: _, filters, statuses, changedSince, ...others }: Conditions): void {
  const filter = filters.length > 0 ? filters : undefined;
  const given = Object.entries({ ...others, filter, status: statuses, changed_since: changedSince }).find(
    ([, value]) => value !== undefined,
  );
  if (given) throw Problem.badRequest(`${given[0]}: cannot be combined with ${action}`);
}

/** A condition on the place would find what these actions do not change. */
function refuseOtherPlaces({ filters }: Conditions): void {
  if (filters.some(({ key }) => key === '_in'))
    throw Problem.badRequest('filter[_in]: bulk changes are of the list, the spam or the trash by their action');
}

/** Without what arrives from now on. */
const upTo = (now: Date, filter: Filter): Filter =>
  filter.to !== undefined && filter.to <= now.toISOString() ? filter : { ...filter, to: now.toISOString() };

function refuseMoreThan(count: number, max: number, where: string): void {
  if (count < max) return;
  throw Problem.tooManyRequests(
    `${where} has ${max} bulk changes that are waiting or running. End one, or wait until one is over.`,
    retryAfterSeconds,
  );
}

/** The names of what submissions get, as in the audit log. */
const changedBy: Readonly<Record<BulkAction, string>> = {
  set_status: 'status',
  assign: 'assignee',
  mark_spam: 'spam',
  release: 'spam',
  trash: 'trash',
  restore: 'trash',
};

const deedOf = (
  name: 'bulk_change.started' | 'bulk_change.ended',
  { id, formId, workspaceId, action }: { id: string; formId: string; workspaceId: string; action: BulkAction },
): Deed => ({ action: name, target: { kind: 'bulk_change', id }, workspaceId, formId, details: { changed: [changedBy[action]] } });
