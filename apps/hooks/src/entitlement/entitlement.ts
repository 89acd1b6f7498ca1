import { eventsWithAnswers } from '@sheaf/contracts';
import {
  canActInWorkspace,
  canActOnForm,
  canActOnInstance,
  formRole,
  Problem,
  type Client,
  type FormAccess,
  type FormAction,
  type Scope,
} from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { eventsOf, type SubscriptionRow } from '../subscription/subscriptions.queries';
import * as standing from './standing.queries';
import type { Principal, Standing } from './standing.queries';

// A subscription stays active while its subscriber, or the last principal who renewed it, is entitled to it by their current roles, grants and
// scopes. Changes to these arrive as events from `workspaces` and `forms`. A user who changes where or what a webhook sends becomes its
// subscriber, and nobody has renewed it: otherwise it would go on sending to their address by the right of somebody else.

/**
 * The required permission: for a platform's subscription, any role on the form; for a webhook of the application, a role that may create
 * one.
 */
const requiredAction = ({ source }: Pick<SubscriptionRow, 'source'>): FormAction =>
  source === null ? 'change webhooks of this form' : 'subscribe to this form';

type Content = Pick<SubscriptionRow, 'source' | 'event' | 'more_events'>;

/**
 * Whether the bodies hold answers, so that whoever makes the webhook must be allowed to read them. A platform's subscription needs only the scope
 * that the contract names.
 */
export const carriesAnswers = (row: Content): boolean =>
  row.source === null && eventsOf(row).some((event) => eventsWithAnswers.includes(event));

/** The scopes that a service account needs for a subscription. */
const requiredScopes = (row: Content): Scope[] => (carriesAnswers(row) ? ['hooks:manage', 'submissions:read'] : ['hooks:manage']);

// Longer than the maximum age of a request and its caller token.
const maxTokenAgeMs = 300_000;

/**
 * Call this in the transaction in which the caller, locked, creates or renews a subscription. An event that is newer than their token takes
 * precedence, so a user who was removed during their request cannot subscribe.
 * @throws Problem `forbidden`
 */
export async function refuseUnentitled(
  trx: Transaction,
  caller: Client,
  { form, wanted, now }: { form: FormAccess & { id: string }; wanted: Content; now: Date },
): Promise<void> {
  const source = fromToken(now);
  await standing.upsertStanding(trx, caller, standingIn(caller), source);
  const grant = { form_id: form.id, user_id: caller.id, role: form.grants[caller.id] ?? null };
  if (caller.kind === 'user') await standing.upsertGrant(trx, grant, source);

  const known = await standing.standingOf(trx, caller);
  const { role } = (await standing.grantOf(trx, { formId: form.id, userId: caller.id })) ?? grant;
  if (known && !allows(known, caller, { ...form, grants: role === null ? {} : { [caller.id]: role } }, wanted)) {
    throw Problem.forbidden(`Your role does not allow you to ${requiredAction(wanted)}.`);
  }
}

/** Like `refuseUnentitled`, for a webhook of a workspace, or of the whole instance if it is null. @throws Problem `forbidden` */
export async function refuseUnentitledBeyondForms(
  trx: Transaction,
  caller: Client,
  { wanted, now }: { wanted: Content & Pick<SubscriptionRow, 'workspace_id'>; now: Date },
): Promise<void> {
  await standing.upsertStanding(trx, caller, standingIn(caller), fromToken(now));
  const known = await standing.standingOf(trx, caller);
  if (known && !allowsBeyondForms(known, caller, wanted)) throw Problem.forbidden('Your role does not allow you to manage these webhooks.');
}

const fromToken = (now: Date): standing.Source => ({ unlessEventSince: new Date(now.getTime() - maxTokenAgeMs) });

/** Whether the subscriber, or who renewed the subscription, is still entitled to it. */
export async function isEntitled(trx: Transaction, row: SubscriptionRow): Promise<boolean> {
  const holders: Principal[] = [{ instanceId: row.instance_id, kind: row.subscriber_kind, id: row.subscriber_id }];
  if (row.renewed_by_kind !== null && row.renewed_by_id !== null)
    holders.push({ instanceId: row.instance_id, kind: row.renewed_by_kind, id: row.renewed_by_id });
  for (const holder of holders) if (await mayHold(trx, row, holder)) return true;
  return false;
}

async function mayHold(trx: Transaction, row: SubscriptionRow, holder: Principal): Promise<boolean> {
  const known = await standing.standingOf(trx, holder);
  // Their access has not changed since they subscribed.
  if (!known) return true;
  if (row.form_id === null) return allowsBeyondForms(known, holder, row);
  const grant = await standing.grantOf(trx, { formId: row.form_id, userId: holder.id });
  // An older version did not record the creator of the form: a member of its workspace gets the benefit of the doubt.
  const isMember = Object.keys(known.roles).some((id) => row.workspace_id === null || id === row.workspace_id);
  if (holder.kind === 'user' && row.form_creator_id === null && isMember) return true;
  const form = {
    workspaceId: row.workspace_id ?? '',
    // The kind does not matter, because ids of users and service accounts never coincide.
    creator: { kind: holder.kind, id: row.form_creator_id ?? '' },
    grants: grant?.role ? { [holder.id]: grant.role } : {},
  };
  return allows(known, holder, form, row);
}

function allows({ roles, scopes }: Standing, { kind, id }: Principal, form: FormAccess, row: Content): boolean {
  if (kind === 'service_account') return requiredScopes(row).every((scope) => scopes.includes(scope));
  // A person without a membership cannot authenticate, whatever was granted to them.
  if (Object.keys(roles).length === 0) return false;
  return canActOnForm(formRole({ kind, id, roles }, form), requiredAction(row));
}

/** Service accounts are members of no workspace; those who run the instance made them. */
function allowsBeyondForms(
  { roles, instance_role, scopes }: Standing,
  { kind }: Pick<Principal, 'kind'>,
  row: Content & Pick<SubscriptionRow, 'workspace_id'>,
): boolean {
  const { workspace_id: workspaceId } = row;
  if (kind === 'service_account') return workspaceId === null && requiredScopes(row).every((scope) => scopes.includes(scope));
  if (workspaceId !== null) return canActInWorkspace(roles[workspaceId], 'manage webhooks of this workspace');
  // Not told yet: such a webhook was made by a right that the previous version gave. `workspaces` tells the role of everybody who had it.
  return (
    instance_role === null || canActOnInstance(instance_role === 'none' ? undefined : instance_role, 'manage webhooks of this instance')
  );
}

const standingIn = (caller: Client): Standing =>
  caller.kind === 'user'
    ? { roles: { ...caller.roles }, instance_role: caller.instanceRole ?? null, scopes: [] }
    : { roles: {}, instance_role: null, scopes: [...caller.scopes] };
