import { setTimeout as sleep } from 'node:timers/promises';
import {
  eventsAtOnce,
  eventsWithAnswers,
  payloadOf,
  type endFormListener,
  type receiveFormEvents,
  type ReplyOf,
  type RequestOf,
} from '@sheaf/contracts';
import { audited, record } from '@sheaf/events';
import { authorize, demandScope, formRole, hopHeader, isId, Problem, type Client } from '@sheaf/kernel';
import { toFormAccess, type Asked } from '@sheaf/rpc';
import { headersOf } from '../attempts/send';
import type { Deps } from '../deps';
import * as queries from './listening.queries';
import type { Listening, WaitingEvent } from './listening.queries';

export type ListeningDeps = Pick<Deps, 'db' | 'outbox' | 'clock' | 'forms' | 'payloads' | 'webhookKeys' | 'seals' | 'listenedForms'>;

type Wanted = RequestOf<typeof receiveFormEvents>;
type Ending = RequestOf<typeof endFormListener>;
type Received = ReplyOf<typeof receiveFormEvents>;

/** A listener that has not asked for so long is gone. */
const leaseMs = 60_000;
const most = { toForm: 5, inInstance: 100 };

/**
 * The events of a form that a program of a developer has not received yet, as a webhook would send them. The first request begins a listener, which lives
 * for as long as somebody asks. Access is checked each time, so a person who loses it hears nothing more.
 * @throws Problem `not_found`; `forbidden` for callers who may not change webhooks of the form; `insufficient_scope` for those who may not read answers;
 *   `conflict` if too many listen
 */
export async function receiveEvents(deps: ListeningDeps, asked: Asked<Client>, wanted: Wanted): Promise<Received> {
  const { caller } = asked;
  const { form_id: formId, listener_id: id } = wanted;
  await mayListen(deps, asked, formId);
  if (wanted.events.some((event) => eventsWithAnswers.includes(event))) demandScope(caller, ['submissions:read']);
  if (!isId(id)) throw Problem.badRequest('listener_id: must be a UUID');

  const listening = { id, formId, ...holderOf(caller), events: wanted.events };
  const waiting = await next(deps, listening, wanted.received);
  if (waiting === undefined) {
    await begin(deps, asked, listening);
    return { data: [], has_more: false, went_on: false, missed: 0 };
  }
  const { events, more, missed } = waiting;
  const data = await Promise.all(events.map((event) => asSent(deps, listening, wanted, event)));
  return { data, has_more: more, went_on: true, missed };
}

/**
 * Ends a listener, which may have ended by itself. A request that is under way may begin it anew, for a minute.
 * @throws Problem `not_found`; `forbidden` for callers who may not change webhooks of the form
 */
export async function endListener(deps: ListeningDeps, asked: Asked<Client>, { form_id: formId, listener_id: id }: Ending): Promise<void> {
  await mayListen(deps, asked, formId);
  if (isId(id)) await queries.end(deps.db, { id, formId, ...holderOf(asked.caller) });
}

async function mayListen({ forms }: ListeningDeps, { caller, call }: Asked<Client>, formId: string): Promise<void> {
  if (!isId(formId)) throw Problem.notFound('form');
  const role = formRole(caller, toFormAccess(await forms.getFormAccess(call, { form_id: formId })));
  authorize(role, 'change webhooks of this form');
}

const holderOf = ({ instanceId, kind, id }: Client) => ({ instanceId, holder: `${kind} ${id}` });

/** @returns undefined if the listener is not there */
function next({ db, clock }: ListeningDeps, listening: Listening, received: readonly string[]) {
  return db.transaction(async (trx) => {
    const missed = await queries.renew(trx, clock, listening, leaseMs);
    if (missed === undefined) return undefined;
    // A malformed id is none of ours.
    await queries.forgetReceived(trx, listening, received.filter(isId));
    return { missed, ...(await queries.waitingFor(trx, listening.id, eventsAtOnce)) };
  });
}

async function begin(deps: ListeningDeps, asked: Asked<Client>, listening: Listening): Promise<void> {
  const { db, outbox, clock, listenedForms } = deps;
  await queries.removeEnded(db, clock);
  await outbox.transaction(async (trx) => {
    const others = await queries.othersListening(trx, clock, listening);
    if (others.to_form >= most.toForm)
      throw Problem.conflict(`At most ${most.toForm} programs listen to a form at a time. One that has ended is gone after a minute.`);
    if (others.in_instance >= most.inInstance) throw Problem.conflict(`At most ${most.inInstance} programs listen at a time.`);
    if (!(await queries.begin(trx, clock, listening, leaseMs))) throw Problem.notFound('listener');
    const target = { kind: 'form', id: listening.formId } as const;
    await record(trx, audited(asked, { action: 'webhook.listened', target }, clock.now()));
  });
  // From then on every process knows.
  await sleep(listenedForms.rememberMs);
}

/** The request that a webhook would send now. */
async function asSent(
  deps: ListeningDeps,
  { id: listenerId, formId, instanceId }: Listening,
  { payload, fields, link_origin: origin }: Wanted,
  { id, type, occurred_at, body: stored, traceparent }: WaitingEvent,
): Promise<Received['data'][number]> {
  const options = fields === undefined ? null : { fields };
  const body = await deps.payloads.bodyOf({
    payload: payloadOf(payload),
    type,
    body: stored,
    instance_id: instanceId,
    form_id: formId,
    occurred_at,
    link_origin: origin ?? null,
    options,
  });
  const sent = { id, type, subscription_id: listenerId, instance_id: instanceId, options };
  const headers = { ...(await headersOf(deps, sent, { body, at: deps.clock.now(), trace: traceparent })), [hopHeader]: '1' };
  return { id, event: type, headers: Object.entries(headers).map(([name, value]) => ({ name, value })), body };
}
