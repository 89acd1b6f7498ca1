import { eventsWithAnswers, hookEvents, webhookEvents, withholdingPart } from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, formRole, hasScope, isId, Problem, type Client, type Operator } from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { cursorAfter, placeOf, timeInPlace, toFormAccess, type Asked, type Call } from '@sheaf/rpc';
import { z } from 'zod';
import type { Deps } from '../deps';
import { firstIdOf, idAfter } from '../ids-by-time';
import { copyOf } from '../planning/store-planned';
import { upsertCopies } from '../subscriptions/subscriptions.queries';
import { deliveryById } from './deliveries.queries';
import { readDelivery, visibleTo, type AddressDeps, type ReadDelivery, type Reader, type ShownDelivery } from './read-deliveries';
import * as queries from './redeliver.queries';

type RedeliveryDeps = Pick<Deps, 'db' | 'outbox' | 'clock' | 'settings'> & {
  /** Tells the worker that something is due. */
  wake: () => void;
};
type AuthorizingDeps = RedeliveryDeps & Pick<Deps, 'forms' | 'hooks' | 'ownCall' | 'payloads'>;

/** An authorized caller, as the audit log records it. */
export interface Actor {
  caller: Client | Operator;
  call: Pick<Call, 'requestId' | 'address' | 'trace'>;
  workspaceId: string | undefined;
  /** The subscriptions that listen to the form; undefined if `hooks` does not tell, so that our copies must do. */
  listening?: ReadonlySet<string> | undefined;
}

/** A range of a form's deliveries. */
export interface Range {
  formId: string;
  from: Date;
  to: Date;
  state: string | undefined;
  reason?: string | undefined;
  subscriptionId: string | undefined;
}

const maxPerRequest = 10_000;
const batchSize = 1_000;
/** The most deliveries that are counted before they are sent in steps. */
const mostCounted = 100_000;
/** Steps wait while more deliveries of the subscriptions do: new events beyond the backlog would be dropped, and whoever stops has stopped nearly all. */
const mostWaiting = 5_000;

/** A step of a range of any size. */
export interface Step {
  limit: number;
  cursor: string | undefined;
}

/**
 * Redelivers a delivery whatever its outcome: under the same id, with three more attempts, which follow the others in the log.
 * @throws Problem `bad_request` while it is pending, or if its subscription is not active or does not listen to its event any more;
 *   `insufficient_scope` for a service account that may not read the answers in it.
 */
export async function redeliver(
  deps: AuthorizingDeps & AddressDeps,
  asked: Asked<Client>,
  { formId, id }: { formId: string; id: string },
): Promise<ShownDelivery> {
  const { reader, listening } = await authorizeRedelivery(deps, asked, formId);
  const by = { ...asked, workspaceId: reader.workspaceId, listening };
  return visibleTo(deps, asked, reader, await redeliverAs(deps, by, { formId, id }));
}

/** Like `redeliver`, for a caller who is already authorized. */
export async function redeliverAs(deps: RedeliveryDeps, by: Actor, { formId, id }: { formId: string; id: string }): Promise<ReadDelivery> {
  const found = isId(id) ? await deliveryById(deps.db, deps.clock, formId, id) : undefined;
  if (!found) throw Problem.notFound('delivery');
  if (found.body === '') throw Problem.badRequest('The submission of this delivery was erased, so there is nothing to send.');
  const { event, subscription_id: subscriptionId } = found;
  if (withheldFrom(by).includes(event)) throw mayNotReadAnswers();

  const range = { formId, first: id, last: id, state: undefined, reason: undefined, subscriptionId, withheld: [] };
  const { clock } = deps;
  await deps.outbox.transaction(async (trx) => {
    const [active] = await queries.lockActive(trx, formId, subscriptionId);
    if (!active) throw Problem.badRequest('The subscription of this delivery is not active.');
    const isListening = (by.listening?.has(active.id) ?? true) && (active.events?.includes(event) ?? true);
    const part = withholdingPart(active.options?.filter, { type: event, body: found.body });
    if (part !== undefined) throw Problem.badRequest(`The filter of the webhook keeps this event from it: filter.${part} does not match.`);
    if (!isListening) throw Problem.badRequest(`The subscription of this delivery does not listen to ${event} of this form any more.`);
    const queued = await queries.requeue(trx, range, { clock, subscriptions: [active.id], limit: 1 });
    if (queued.length === 0) throw Problem.badRequest('This delivery is pending.');
    await record(
      trx,
      audited(by, { action: 'delivery.redelivered', target: { kind: 'delivery', id }, workspaceId: by.workspaceId, formId }, clock.now()),
    );
  });
  deps.wake();
  return readDelivery(deps, formId, id);
}

/**
 * Redelivers everything planned in a time range, oldest first, except pending deliveries and those without an active subscription that listens to
 * their event. It commits a thousand at a time: repeating an interrupted request sends the rest, because the first ones are pending by then.
 * @returns the number of deliveries.
 * @throws Problem `insufficient_scope` for a service account that may not read the answers in one of them.
 */
export async function redeliverMany(deps: AuthorizingDeps, asked: Asked<Client>, range: Range): Promise<number> {
  const { reader, listening } = await authorizeRedelivery(deps, asked, range.formId);
  return redeliverManyAs(deps, { ...asked, workspaceId: reader.workspaceId, listening }, range);
}

/**
 * Redelivers the next deliveries of a range, oldest first, in one transaction with their entry in the audit log. The cursor has the last one, and when
 * the first step was: what has ended since then is left out, so that a step that is repeated because its answer was lost sends nothing twice.
 * @throws Problem `insufficient_scope` for a service account that may not read answers.
 */
export async function redeliverStep(
  deps: AuthorizingDeps,
  asked: Asked<Client>,
  wanted: Range,
  { limit, cursor }: Step,
): Promise<{ redelivered: number; waiting: number; nextCursor: string | undefined }> {
  const { reader, listening } = await authorizeRedelivery(deps, asked, wanted.formId);
  const by = { ...asked, workspaceId: reader.workspaceId, listening };
  if (withheldFrom(by).length > 0) throw mayNotReadAnswers();
  const place = placeIn(wanted, cursor);
  if (wanted.subscriptionId !== undefined && !isId(wanted.subscriptionId)) return { redelivered: 0, waiting: 0, nextCursor: undefined };

  const { clock, outbox, settings } = deps;
  const begunAt = place?.begunAt ?? (await queries.timeOf(deps.db, clock)).toISOString();
  const range = { ...idsOf(wanted, place), withheld: [], endedBefore: begunAt };
  const step = await outbox.transaction(async (trx) => {
    const subscriptions = await lockListening(trx, by, wanted);
    const waiting = await queries.countWaiting(trx, subscriptions);
    if (waiting > Math.min(mostWaiting, settings.DELIVERY_BACKLOG / 2)) return { ids: [], waiting, mustWait: true };
    const ids = await queries.requeue(trx, range, { clock, subscriptions, limit });
    if (ids.length > 0) await record(trx, audited(by, sentAgain(by, wanted.formId, ids.length), clock.now()));
    return { ids, waiting: waiting + ids.length, mustWait: false };
  });
  const { ids, waiting, mustWait } = step;
  if (ids.length > 0) deps.wake();
  const isOver = !mustWait && ids.length < limit;
  return {
    redelivered: ids.length,
    waiting,
    nextCursor: isOver ? undefined : cursorAfter([begunAt, ids.at(-1) ?? place?.after ?? ''], stepsOf(wanted)),
  };
}

/** The place of a step in its range. */
interface Place {
  begunAt: string;
  /** The last one of the steps before; empty if there was none. */
  after: string;
}

const PlaceShape = z.tuple([timeInPlace(), z.union([z.literal(''), z.string().refine(isId)])]);
const stepsOf = ({ formId, from, to, state, subscriptionId }: Range): [string, string, object] => [
  'redelivery',
  formId,
  { from, to, state, subscriptionId },
];

function placeIn(range: Range, cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined;
  const [begunAt, after] = placeOf(PlaceShape, cursor, stepsOf(range));
  return { begunAt, after };
}

const idsOf = ({ formId, from, to, state, reason, subscriptionId }: Range, place?: Place) => ({
  formId,
  first: place && place.after !== '' ? idAfter(place.after) : firstIdOf(from),
  last: firstIdOf(to),
  state,
  reason,
  subscriptionId,
});

const sentAgain = (by: Pick<Actor, 'workspaceId'>, formId: string, count: number) =>
  ({
    action: 'delivery.redelivered',
    target: { kind: 'form', id: formId },
    workspaceId: by.workspaceId,
    formId,
    details: { count },
  }) as const;

/** The number of deliveries that `redeliverMany` would send, or those that are left for steps. If there are more than are counted, `isExact` is false. */
export async function countRedeliverable(
  deps: AuthorizingDeps,
  asked: Asked<Client>,
  range: Range,
  step?: Step,
): Promise<{ matching: number; isExact: boolean }> {
  const { listening } = await authorizeRedelivery(deps, asked, range.formId);
  const place = placeIn(range, step?.cursor);
  if (range.subscriptionId !== undefined && !isId(range.subscriptionId)) return { matching: 0, isExact: true };
  if (step) {
    if (withheldFrom(asked).length > 0) throw mayNotReadAnswers();
    const subscriptions = await deps.db.transaction((trx) => lockListening(trx, { listening }, range));
    const left = { ...idsOf(range, place), withheld: [], endedBefore: place?.begunAt };
    const matching = await queries.countSettled(deps.db, left, subscriptions, mostCounted + 1);
    return { matching, isExact: matching <= mostCounted };
  }
  const { count } = await redeliverable(deps, { ...asked, listening }, range);
  return { matching: count, isExact: count <= maxPerRequest };
}

/** The range in ids, and the number of its deliveries, up to one more than one request may send. */
async function redeliverable(
  { db }: Pick<Deps, 'db'>,
  by: Pick<Actor, 'caller' | 'listening'>,
  { formId, from, to, state, reason, subscriptionId }: Range,
) {
  const subscriptions = await db.transaction((trx) => lockListening(trx, by, { formId, subscriptionId }));
  const range = { ...idsOf({ formId, from, to, state, reason, subscriptionId }), withheld: withheldFrom(by) };
  const countOf = (withheld: readonly string[]) => queries.countSettled(db, { ...range, withheld }, subscriptions, maxPerRequest + 1);
  const count = await countOf([]);
  if (range.withheld.length > 0 && (await countOf(range.withheld)) < count) throw mayNotReadAnswers();
  return { range, count };
}

const mayNotReadAnswers = () => new Problem('insufficient_scope', 'Deliveries that carry answers need the scope submissions:read.');

/** Locks the active subscriptions that still listen to the form. */
async function lockListening(
  trx: Transaction,
  { listening }: Pick<Actor, 'listening'>,
  { formId, subscriptionId }: Pick<Range, 'formId' | 'subscriptionId'>,
): Promise<string[]> {
  const active = await queries.lockActive(trx, formId, subscriptionId);
  return active.flatMap(({ id }) => ((listening?.has(id) ?? true) ? [id] : []));
}

/** The events whose bodies the caller may not read, and so not have sent: the address may be their own. */
const withheldFrom = ({ caller }: Pick<Actor, 'caller'>): readonly string[] =>
  caller.kind === 'service' || hasScope(caller, 'submissions:read') ? [] : eventsWithAnswers;

/** Like `redeliverMany`, for a caller who is already authorized. */
export async function redeliverManyAs(deps: RedeliveryDeps, by: Actor, wanted: Range): Promise<number> {
  const { outbox, clock } = deps;
  const { formId, subscriptionId } = wanted;
  if (subscriptionId !== undefined && !isId(subscriptionId)) return 0;

  const { range, count } = await redeliverable(deps, by, wanted);
  if (count > maxPerRequest) {
    throw Problem.badRequest(`from, to: cover more than ${maxPerRequest} deliveries, please narrow the range`);
  }

  let total = 0;
  for (let first = range.first, more = true; more;) {
    const queued = await outbox.transaction(async (trx) => {
      // Query again in each transaction: a subscription that was switched off meanwhile must get nothing.
      const active = await lockListening(trx, by, wanted);
      const ids = await queries.requeue(trx, { ...range, first }, { clock, subscriptions: active, limit: batchSize });
      if (ids.length > 0) await record(trx, audited(by, sentAgain(by, formId, ids.length), clock.now()));
      return ids;
    });
    if (queued.length > 0) deps.wake();
    total += queued.length;
    first = queued.at(-1) ?? first;
    more = queued.length === batchSize;
  }
  return total;
}

/** Also learns which subscriptions are active: somebody who has just switched one on can send at once what was skipped meanwhile. */
async function authorizeRedelivery(
  deps: AuthorizingDeps,
  { caller, call }: Asked<Client>,
  formId: string,
): Promise<{ reader: Reader } & Pick<Actor, 'listening'>> {
  if (!isId(formId)) throw Problem.notFound('form');
  const form = toFormAccess(await deps.forms.getFormAccess(call, { form_id: formId }));
  const role = formRole(caller, form);
  authorize(role, 'send deliveries of this form again');
  const ask = (events: readonly string[]) =>
    deps.hooks.listListeners(deps.ownCall(), {
      topics: events.map((event) => ({ instance_id: caller.instanceId, form_id: formId, event })),
    });
  const answer = await ask(webhookEvents)
    // An earlier version of `hooks` knows no others.
    .catch((error: unknown) => (error instanceof Problem && error.code === 'bad_request' ? ask(hookEvents) : undefined))
    // While `hooks` is down, our copies must do.
    .catch(() => undefined);
  if (answer && answer.listeners.length > 0) await upsertCopies(deps.db, answer.listeners.map(copyOf));
  return { reader: { workspaceId: form.workspaceId, role }, listening: answer && new Set(answer.listeners.map(({ id }) => id)) };
}
