import { GrantChanged, StandingChanged } from '@sheaf/contracts';
import { audited, record, type DomainEvent } from '@sheaf/events';
import { formRoles, instanceRoles, isId, scopes, workspaceRoles } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Log } from '@sheaf/runtime';
import type { Deps } from '../deps';
import { hookDeed, subscriptionChanged } from '../subscription/subscription-changed';
import * as subscriptions from '../subscription/subscriptions.queries';
import type { SubscriptionRow } from '../subscription/subscriptions.queries';
import { isEntitled } from './entitlement';
import * as standing from './standing.queries';
import type { Principal, Standing } from './standing.queries';

/** Subscriptions per transaction, so that requests never wait for all subscriptions of one principal. */
const batchSize = 200;

/** A change of a principal's access, on one form or everywhere. */
interface Change {
  principal: Principal;
  formId: string | undefined;
  /** Stores the new access. */
  save: (trx: Transaction) => Promise<void>;
}

/**
 * Deactivates the subscriptions of people and service accounts whose access no longer suffices for them. Handling an event twice changes
 * nothing.
 */
export async function endUnentitled(deps: Pick<Deps, 'outbox' | 'clock'>, log: Log, events: readonly DomainEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type !== 'standing.changed' && event.type !== 'grant.changed') continue;
    const change = read(event);
    if (!change) {
      // Skipped permanently: a retry would fail as well and delay all later events.
      log.error({ eventId: event.id, type: event.type }, 'skipped an unreadable event');
      continue;
    }
    let after: string | undefined;
    do after = await endBatch(deps, event, change, after);
    while (after !== undefined);
  }
}

/** @returns the id after which the next batch starts; undefined at the end. */
function endBatch(
  { outbox, clock }: Pick<Deps, 'outbox' | 'clock'>,
  event: DomainEvent,
  { principal, formId, save }: Change,
  after: string | undefined,
): Promise<string | undefined> {
  return outbox.transaction(async (trx) => {
    await standing.lockPrincipal(trx, principal);
    if (after === undefined) await save(trx);
    const rows = await standing.lockActiveOf(trx, principal, { formId, after, limit: batchSize });
    for (const row of rows) if (!(await isEntitled(trx, row))) await end(trx, row, event, clock.now());
    return rows.length < batchSize ? undefined : rows.at(-1)?.id;
  });
}

/** The event or request that ends a subscription. */
export type Cause = Pick<DomainEvent, 'id' | 'trace' | 'requestId'>;

export async function end(trx: Transaction, { id, revision }: SubscriptionRow, cause: Cause, now: Date): Promise<void> {
  const row = await subscriptions.deactivate(trx, { id, revision }, { reason: 'access_ended', now });
  if (!row) return;
  // The service itself is the actor; an event stands in for a request.
  const asked = {
    caller: { kind: 'service', id: 'hooks', instanceId: row.instance_id } as const,
    call: { requestId: cause.requestId ?? cause.id, trace: cause.trace },
  };
  await record(
    trx,
    subscriptionChanged(row, 'inactive', now, asked.call),
    audited(asked, hookDeed('hook.deactivated', row, { reason: 'access_ended' }), now),
  );
}

function read(event: DomainEvent): Change | undefined {
  try {
    const body: unknown = JSON.parse(event.body);
    return event.type === 'standing.changed' ? standingIn(event, body) : grantIn(event, body);
  } catch {
    return undefined;
  }
}

// Unknown roles and scopes, from a newer version, grant nothing.
function standingIn({ instanceId, occurredAt }: DomainEvent, body: unknown): Change | undefined {
  const { data } = StandingChanged.safeParse(body);
  if (!data || ![data.id, instanceId].every(isId)) return undefined;
  const principal = { instanceId, kind: data.kind, id: data.id };
  const roles = Object.fromEntries(
    Object.entries(data.roles).flatMap(([id, name]) => workspaceRoles.filter((known) => known === name).map((role) => [id, role] as const)),
  );
  const known = { roles, instance_role: instanceRoleIn(data.instance_role), scopes: scopes.filter((scope) => data.scopes.includes(scope)) };
  return { principal, formId: undefined, save: (trx) => standing.upsertStanding(trx, principal, known, { eventAt: occurredAt }) };
}

/** Null where a `workspaces` of the version before does not say it. */
const instanceRoleIn = (told: string | null | undefined): Standing['instance_role'] =>
  told === undefined ? null : (instanceRoles.find((known) => known === told) ?? 'none');

function grantIn({ instanceId, occurredAt }: DomainEvent, body: unknown): Change | undefined {
  const { data } = GrantChanged.safeParse(body);
  if (!data || ![data.form_id, data.user_id, instanceId].every(isId)) return undefined;
  const role = formRoles.find((known) => known === data.role) ?? null;
  return {
    principal: { instanceId, kind: 'user', id: data.user_id },
    formId: data.form_id,
    save: (trx) => standing.upsertGrant(trx, { form_id: data.form_id, user_id: data.user_id, role }, { eventAt: occurredAt }),
  };
}
