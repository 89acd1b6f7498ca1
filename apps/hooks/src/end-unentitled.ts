import { GrantChanged, StandingChanged } from '@sheaf/contracts';
import { audited, record, type DomainEvent } from '@sheaf/events';
import { formRoles, isId, scopes, workspaceRoles } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Log } from '@sheaf/runtime';
import type { Deps } from './deps';
import { isEntitled } from './entitlement';
import * as standing from './standing.queries';
import type { Principal } from './standing.queries';
import { hookDeed, subscriptionChanged } from './subscription-changed';
import * as subscriptions from './subscriptions.queries';
import type { SubscriptionRow } from './subscriptions.queries';

/** A transaction looks at so many subscriptions, so that nobody waits for all of somebody who has very many. */
const atOnce = 200;

/** Whose access changed, on which form if not everywhere, and how that is noted. */
interface Change {
  principal: Principal;
  formId: string | undefined;
  note: (trx: Transaction) => Promise<void>;
}

/**
 * Switches off the subscriptions of people and service accounts whose access ended, or dropped below what subscribing takes. Handling an event
 * twice changes nothing.
 */
export async function endUnentitled(deps: Pick<Deps, 'outbox' | 'clock'>, log: Log, events: readonly DomainEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type !== 'standing.changed' && event.type !== 'grant.changed') continue;
    const change = read(event);
    if (!change) {
      // Left out for good: another try would not help, and would hold up all events after it.
      log.error({ eventId: event.id, type: event.type }, 'left out an event that cannot be read');
      continue;
    }
    let after: string | undefined;
    do after = await endSome(deps, event, change, after);
    while (after !== undefined);
  }
}

/** @returns where to go on, undefined at the end. */
function endSome({ outbox, clock }: Pick<Deps, 'outbox' | 'clock'>, event: DomainEvent, { principal, formId, note }: Change, after: string | undefined): Promise<string | undefined> {
  return outbox.transaction(async (trx) => {
    await standing.lockPrincipal(trx, principal);
    if (after === undefined) await note(trx);
    const rows = await standing.lockActiveOf(trx, principal, { formId, after, limit: atOnce });
    for (const row of rows) if (!(await isEntitled(trx, row))) await end(trx, row, event, clock.now());
    return rows.length < atOnce ? undefined : rows.at(-1)?.id;
  });
}

async function end(trx: Transaction, { id, revision }: SubscriptionRow, event: DomainEvent, now: Date): Promise<void> {
  const row = await subscriptions.deactivate(trx, { id, revision }, now);
  if (!row) return;
  // The service itself does it; the event names the request that led to it.
  const asked = { caller: { kind: 'service', id: 'hooks', instanceId: row.instance_id } as const, call: { requestId: event.id, trace: event.trace } };
  await record(trx, subscriptionChanged(row, 'inactive', now, asked.call), audited(asked, hookDeed('hook.deactivated', row, { reason: 'access_ended' }), now));
}

function read(event: DomainEvent): Change | undefined {
  try {
    const body: unknown = JSON.parse(event.body);
    return event.type === 'standing.changed' ? standingIn(event, body) : grantIn(event, body);
  } catch {
    return undefined;
  }
}

// A role or scope that this process does not know yet gives nothing.
function standingIn({ instanceId, occurredAt }: DomainEvent, body: unknown): Change | undefined {
  const { data } = StandingChanged.safeParse(body);
  if (!data || ![data.id, instanceId].every(isId)) return undefined;
  const principal = { instanceId, kind: data.kind, id: data.id };
  const roles = Object.fromEntries(Object.entries(data.roles).flatMap(([id, name]) => workspaceRoles.filter((known) => known === name).map((role) => [id, role] as const)));
  const known = { roles, scopes: scopes.filter((scope) => data.scopes.includes(scope)) };
  return { principal, formId: undefined, note: (trx) => standing.upsertStanding(trx, principal, known, { toldAt: occurredAt }) };
}

function grantIn({ instanceId, occurredAt }: DomainEvent, body: unknown): Change | undefined {
  const { data } = GrantChanged.safeParse(body);
  if (!data || ![data.form_id, data.user_id, instanceId].every(isId)) return undefined;
  const role = formRoles.find((known) => known === data.role) ?? null;
  return {
    principal: { instanceId, kind: 'user', id: data.user_id },
    formId: data.form_id,
    note: (trx) => standing.upsertGrant(trx, { form_id: data.form_id, user_id: data.user_id, role }, { toldAt: occurredAt }),
  };
}
