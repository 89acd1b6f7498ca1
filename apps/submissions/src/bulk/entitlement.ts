import { FormChanged, FormErased, FormMoved, GrantChanged, StandingChanged } from '@sheaf/contracts';
import { readEvents, type DomainEvent } from '@sheaf/events';
import { canActOnForm, formRole, formRoles, hasScope, scopes, workspaceRoles, type Client, type FormAccess } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import type { Log } from '@sheaf/runtime';
import type { Deps } from '../deps';
import { end } from './bulk-changes.queries';
import * as queries from './entitlement.queries';
import type { Entitled, Standing } from './entitlement.queries';

// No caller's token is there while a bulk change goes on, so `forms` cannot be asked. The bulk change notes what the right to it follows from, and
// hears of each change of that by events, as `hooks` does for subscriptions.

type FollowDeps = Pick<Deps, 'db' | 'clock'>;

/** Longer than the maximum age of a request and its caller token. */
export const maxTokenAgeMs = 300_000;
export const keptMs = 86_400_000;
/** The clocks of two services differ by less, and a form that is moved to the trash is there by then. An event that is later is of an earlier time there. */
const toleranceMs = 60_000;

/** Whether a caller may go on with a bulk change. A person without a membership cannot authenticate, whatever was granted to them. */
export const mayGoOn = (caller: Client, access: FormAccess): boolean =>
  (caller.kind === 'service_account' ? hasScope(caller, 'submissions:write') : Object.keys(caller.roles).length > 0) &&
  canActOnForm(formRole(caller, access), 'change submissions of this form');

/** The caller with the roles or scopes that were heard of, if their token may have earlier ones. */
export async function asHeard<C extends Client>(trx: Transaction, caller: C, now: Date): Promise<C> {
  const heard = await queries.standingSince(trx, caller.id, new Date(now.getTime() - maxTokenAgeMs));
  return heard ? withStanding(caller, heard) : caller;
}

const withStanding = <C extends Client>(caller: C, { roles, scopes: granted }: Standing): C =>
  caller.kind === 'user' ? { ...caller, roles } : { ...caller, scopes: granted };

/** Ends bulk changes whose caller has lost the right to them, and those of forms that are gone. Handling an event twice changes nothing. */
export async function endUnentitled(deps: FollowDeps, log: Log, events: readonly DomainEvent[]): Promise<void> {
  for (const { event, data } of readEvents(log, events, 'standing.changed', StandingChanged, ['id']))
    await deps.db.transaction(async (trx) => {
      const standing = knownIn(data);
      await queries.lockPrincipal(trx, data.id);
      await queries.hearStanding(trx, data.id, standing, event.occurredAt);
      await follow(trx, deps, await queries.lockUnfinished(trx, { callerId: data.id }), ({ doer: { caller, call }, ...one }) => ({
        ...one,
        doer: { caller: withStanding(caller, standing), call },
      }));
    });
  for (const { data } of readEvents(log, events, 'grant.changed', GrantChanged, ['form_id', 'user_id'])) {
    const role = formRoles.find((known) => known === data.role);
    await deps.db.transaction(async (trx) =>
      follow(trx, deps, await queries.lockUnfinished(trx, { callerId: data.user_id, formId: data.form_id }), ({ access, ...one }) => ({
        ...one,
        access: { ...access, grants: role ? { [data.user_id]: role } : {} },
      })),
    );
  }
  for (const { data } of readEvents(log, events, 'form.moved', FormMoved, ['form_id', 'workspace_id']))
    await deps.db.transaction(async (trx) =>
      follow(trx, deps, await queries.lockUnfinished(trx, { formId: data.form_id }), ({ access, ...one }) => ({
        ...one,
        access: { ...access, workspaceId: data.workspace_id },
      })),
    );
  for (const { event, data } of readEvents(log, events, 'form.changed', FormChanged, ['form_id']))
    if (data.trashed === true)
      await endAllOf(deps, { formId: data.form_id, by: new Date(event.occurredAt.getTime() + toleranceMs) }, 'form_trashed');
  for (const { data } of readEvents(log, events, 'form.erased', FormErased, ['form_id']))
    await endAllOf(deps, { formId: data.form_id }, 'form_erased');
}

/** Unknown roles and scopes, from a newer version, give nothing. */
const knownIn = ({ roles, scopes: granted }: { roles: Record<string, string>; scopes: string[] }): Standing => ({
  roles: Object.fromEntries(
    Object.entries(roles).flatMap(([id, name]) => workspaceRoles.filter((known) => known === name).map((role) => [id, role] as const)),
  ),
  scopes: scopes.filter((scope) => granted.includes(scope)),
});

async function follow(
  trx: Transaction,
  { clock }: Pick<Deps, 'clock'>,
  some: readonly Entitled[],
  after: (one: Entitled) => Entitled,
): Promise<void> {
  for (const before of some) {
    const one = after(before);
    if (mayGoOn(one.doer.caller, one.access)) await queries.saveRight(trx, one);
    else await end(trx, one.id, failed('access_ended', clock.now()));
  }
}

const endAllOf = ({ db, clock }: FollowDeps, which: { formId: string; by?: Date }, reason: string): Promise<void> =>
  db.transaction(async (trx) => {
    for (const { id } of await queries.lockUnfinished(trx, which)) await end(trx, id, failed(reason, clock.now()));
  });

export const failed = (reason: string, now: Date) =>
  ({ state: 'failed', reason, now, expiresAt: new Date(now.getTime() + keptMs) }) as const;
