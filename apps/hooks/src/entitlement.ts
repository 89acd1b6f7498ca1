import { formRole, hasScope, mayOnForm, Problem, type Client, type FormAccess, type FormAction } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import * as standing from './standing.queries';
import type { Principal, Standing } from './standing.queries';
import type { SubscriptionRow } from './subscriptions.queries';

// A subscription is entitled to what its form tells for as long as somebody is who made it, or who asked for it again later: by their
// present roles, grants and scopes, of which `workspaces` and `forms` tell by events.

/** What having a subscription takes: for a platform's any role on the form, for a webhook of the application the role that makes one. */
const takes = ({ source }: Pick<SubscriptionRow, 'source'>): FormAction => (source === null ? 'change webhooks of this form' : 'subscribe to this form');

// Longer than a request and the token in it can be old.
const freshMs = 300_000;

/**
 * To be asked in the transaction in which the caller, locked, makes or renews a subscription. Their token may be older than an event that came
 * meanwhile. The event counts then, so that nobody subscribes who was removed while their request was under way.
 * @throws Problem `forbidden`
 */
export async function refuseUnentitled(
  trx: Transaction,
  caller: Client,
  { form, wanted, now }: { form: FormAccess & { id: string }; wanted: Pick<SubscriptionRow, 'source'>; now: Date },
): Promise<void> {
  const source = { unlessToldSince: new Date(now.getTime() - freshMs) };
  await standing.upsertStanding(trx, caller, standingIn(caller), source);
  const grant = { form_id: form.id, user_id: caller.id, role: form.grants[caller.id] ?? null };
  if (caller.kind === 'user') await standing.upsertGrant(trx, grant, source);

  const known = await standing.standingOf(trx, caller);
  const { role } = (await standing.grantOf(trx, { formId: form.id, userId: caller.id })) ?? grant;
  const action = takes(wanted);
  if (known && !allows(known, caller, { ...form, grants: role === null ? {} : { [caller.id]: role } }, action)) {
    throw Problem.forbidden(`Your role does not allow you to ${action}.`);
  }
}

/** Whether anybody is still entitled who made or renewed it. */
export async function isEntitled(trx: Transaction, row: SubscriptionRow): Promise<boolean> {
  const holders: Principal[] = [{ instanceId: row.instance_id, kind: row.subscriber_kind, id: row.subscriber_id }];
  if (row.renewed_by_kind !== null && row.renewed_by_id !== null) holders.push({ instanceId: row.instance_id, kind: row.renewed_by_kind, id: row.renewed_by_id });
  for (const holder of holders) if (await holds(trx, row, holder)) return true;
  return false;
}

async function holds(trx: Transaction, row: SubscriptionRow, holder: Principal): Promise<boolean> {
  const known = await standing.standingOf(trx, holder);
  // Nothing has changed about them since they subscribed.
  if (!known) return true;
  const grant = await standing.grantOf(trx, { formId: row.form_id, userId: holder.id });
  // The version before did not note who made the form: a member of its workspace gets the benefit of the doubt.
  const isMember = Object.keys(known.roles).some((id) => row.workspace_id === null || id === row.workspace_id);
  if (holder.kind === 'user' && row.form_creator_id === null && isMember) return true;
  const form = {
    workspaceId: row.workspace_id ?? '',
    // Nobody has the id of somebody of the other kind.
    creator: { kind: holder.kind, id: row.form_creator_id ?? '' },
    grants: grant === undefined || grant.role === null ? {} : { [holder.id]: grant.role },
  };
  return allows(known, holder, form, takes(row));
}

function allows({ roles, scopes }: Standing, { kind, id, instanceId }: Principal, form: FormAccess, action: FormAction): boolean {
  if (kind === 'service_account') return hasScope({ kind, id, instanceId, scopes, credentialId: '' }, 'hooks:manage');
  // A person without a membership does not even authenticate, whatever was granted to them.
  if (Object.keys(roles).length === 0) return false;
  return mayOnForm(formRole({ kind, id, instanceId, roles, via: 'api_key', credentialId: '' }, form), action);
}

const standingIn = (caller: Client): Standing =>
  caller.kind === 'user' ? { roles: { ...caller.roles }, scopes: [] } : { roles: {}, scopes: [...caller.scopes] };
