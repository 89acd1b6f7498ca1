import { urlIn } from '@sheaf/kernel';

/** The facts that the services know of a submission, of an event or of a batch, as their commands `explain` and `list-listeners` answer. */
export interface Facts {
  submission: Submission | null;
  waiting: Waiting[];
  events: Planned[];
  deliveries: Delivery[];
  listeners: Listener[];
  /** How many messages wait for `delivery` at NATS; undefined if it could not be asked. */
  lag: number | undefined;
}

interface Submission {
  id: string;
  form_id: string;
  instance_id: string;
  status: string;
  created_at: string;
  announced_at: string | null;
  spam_at: string | null;
  spam_reason: string | null;
  deleted_at: string | null;
}

interface Waiting {
  id: string;
  type: string;
  occurred_at: string;
  publications: number;
  awaiting: string[];
  is_behind: boolean;
}

interface Planned {
  id: string;
  type: string;
  form_id: string;
  instance_id: string;
  occurred_at: string;
  planned_at: string;
  request_id: string | null;
  /** The webhooks whose filters kept it from them; absent from an earlier version of `delivery`. */
  withheld?: { id: string; part: string }[] | null;
}

interface Attempt {
  number: number;
  started_at: string;
  duration_ms: number | null;
  status: number | null;
  error: string | null;
  code: string | null;
  /** The batch in which it was sent; null if it was sent singly, absent from an earlier version of `delivery`. */
  batch_id?: string | null;
  response: { body: string } | null;
}

interface Delivery {
  id: string;
  event_id: string;
  subscription_id: string;
  url: string;
  state: string;
  reason: string | null;
  next_attempt_at: string | null;
  created_at: string;
  attempts: Attempt[];
}

interface Listener {
  id: string;
  events: string[];
  host: string;
  active: boolean;
  created_at: string;
  deactivated_at: string | null;
  deactivated_reason: string | null;
  deactivated_detail: string | null;
}

/** One thing that is known, for programs by its code, and in plain words. */
export interface Finding {
  code:
    | 'not_found'
    | 'spam'
    | 'trash'
    | 'unpaid'
    | 'stored'
    | 'unpublished'
    | 'behind_another'
    | 'unplanned'
    | 'nobody_listened'
    | 'not_kept'
    | 'filtered'
    | 'held_back'
    | 'skipped'
    | 'waiting'
    | 'under_way'
    | 'sent'
    | 'failed'
    | 'cancelled';
  text: string;
  event_id?: string;
  delivery_id?: string;
}

/** The place of a submission, of an event or of those of a batch, or why it went nowhere: from its arrival to each subscriber. */
export function findingsOf(id: string, facts: Facts): Finding[] {
  const { submission, waiting, events } = facts;
  const found = [
    ...(submission ? [ofSubmission(submission)] : []),
    ...waiting.filter(({ awaiting }) => awaiting.includes('delivery')).flatMap((event) => ofWaiting(event, facts)),
    ...events.flatMap((event) => ofPlanned(event, facts)),
  ];
  if (found.length === 0)
    return [{ code: 'not_found', text: `No submission, event or batch has the id ${id}: it was never accepted, or it was erased.` }];
  const isAnnounced = submission?.announced_at != null;
  const isKnown = [...waiting, ...events].some(({ type }) => type === 'submission.created');
  if (isAnnounced && !isKnown)
    found.push({
      code: 'not_kept',
      text: 'Its event was published and worked off, and is not in the log of deliveries any more (DELIVERY_LOG_DAYS).',
    });
  return found;
}

function ofSubmission({ id, form_id, status, created_at, announced_at, spam_at, spam_reason, deleted_at }: Submission): Finding {
  const name = `The submission ${id} of the form ${form_id} was accepted at ${created_at}`;
  if (spam_at !== null && announced_at === null)
    return {
      code: 'spam',
      text: `${name} and is held as spam since ${spam_at}${spam_reason === null ? '' : ` (${spam_reason})`}: nobody is told of it until a person releases it.`,
    };
  if (announced_at === null && status === 'pending_payment')
    return { code: 'unpaid', text: `${name} and waits for its payment: nobody is told of it before.` };
  const told = announced_at === null ? 'has not been announced' : `was announced at ${announced_at}`;
  if (deleted_at !== null)
    return { code: 'trash', text: `${name}, ${told}, and is in the trash since ${deleted_at}. What was planned before is still sent.` };
  return { code: 'stored', text: `${name} and ${told}.` };
}

function ofWaiting({ id, type, occurred_at, publications, is_behind }: Waiting, { events, lag }: Facts): Finding[] {
  // `delivery` has planned it, and its confirmation is still on the way.
  if (events.some((event) => event.id === id)) return [];
  const name = `The event ${type} (${id})`;
  if (is_behind)
    return [
      {
        code: 'behind_another',
        event_id: id,
        text: `${name} waits in the outbox since ${occurred_at} behind an older event of its subject.`,
      },
    ];
  if (publications === 0)
    return [
      {
        code: 'unpublished',
        event_id: id,
        text: `${name} waits in the outbox since ${occurred_at} and has never been published: NATS has not taken it. See the runbooks SheafEventsWait and SheafIsWithoutNats.`,
      },
    ];
  const behind = lag === undefined ? '' : ` ${lag} messages wait for it.`;
  return [
    {
      code: 'unplanned',
      event_id: id,
      text: `${name} of ${occurred_at} was published ${times(publications)}, and the service delivery has not worked it off.${behind} See the runbooks SheafConsumerIsBehind and SheafEventsFail.`,
    },
  ];
}

function ofPlanned(event: Planned, facts: Facts): Finding[] {
  const own = facts.deliveries.filter(({ event_id }) => event_id === event.id);
  const name = `The event ${event.type} (${event.id}) of ${event.occurred_at}`;
  const withheld = (event.withheld ?? []).map(({ id, part }): Finding => ({
    code: 'filtered',
    event_id: event.id,
    text: `${name} was not sent to the webhook ${id}, because its filter kept it back: filter.${part} did not match at ${event.planned_at}.`,
  }));
  if (own.length + withheld.length > 0) return [...own.map((delivery) => ofDelivery(event, delivery)), ...withheld];
  return [
    {
      code: 'nobody_listened',
      event_id: event.id,
      text: `${name} was worked off at ${event.planned_at}, and nobody listened to it then. ${listening(event, facts.listeners)}`,
    },
  ];
}

/** The webhooks that listen to such events now, so that one sees whether a webhook came too late, or listens to something else. */
function listening(event: Planned, listeners: readonly Listener[]): string {
  const same = listeners.filter(({ events }) => events.includes(event.type));
  const [late] = same.filter(({ created_at }) => Date.parse(created_at) > Date.parse(event.planned_at));
  if (late) return `The webhook ${late.id} to ${late.host} was made later, at ${late.created_at}.`;
  const [other] = listeners;
  if (same.length === 0 && other)
    return `No webhook of this form listens to ${event.type}; ${other.id} to ${other.host} listens to ${other.events.join(', ')}.`;
  if (same.length === 0) return 'This form has no webhook.';
  return 'A webhook that listens to it now was changed since then.';
}

function ofDelivery(event: Planned, delivery: Delivery): Finding {
  const { id, url, state, reason, next_attempt_at, attempts, created_at } = delivery;
  const name = `The event ${event.type} (${event.id})`;
  const to = `to the webhook ${delivery.subscription_id} at ${hostOf(url)}`;
  const as = { event_id: event.id, delivery_id: id };
  const last = attempts.at(-1);
  const again = wasRedelivered(attempts) ? ' It was redelivered.' : '';
  if (state === 'skipped')
    return {
      ...as,
      code: 'skipped',
      text: `${name} was not sent ${to}, which was switched off at ${created_at}. It can be sent afterwards: deliveries redeliver ${id}`,
    };
  if (state === 'succeeded')
    return {
      ...as,
      code: 'sent',
      text: `${name} was sent ${to} at ${last?.started_at ?? '?'} and accepted with ${answerOf(last)}, at attempt ${attempts.length}.${again}`,
    };
  if (state === 'cancelled')
    return {
      ...as,
      code: 'cancelled',
      text: `${name} is not sent any more ${to}: ${reasons[reason ?? ''] ?? reason ?? 'cancelled'}.${again}`,
    };
  if (state === 'failed' && reason === 'restored')
    return {
      ...as,
      code: 'held_back',
      text: `${name} is held back ${to}: the system was restored from a backup, and may have sent it before. If the receiver does not have it: deliveries redeliver ${id}`,
    };
  if (state === 'failed') {
    const why =
      reason === 'backlog_full'
        ? 'too many deliveries to it were pending (DELIVERY_BACKLOG)'
        : `attempt ${attempts.length} at ${last?.started_at ?? '?'} got ${answerOf(last)}`;
    return { ...as, code: 'failed', text: `${name} was given up ${to}: ${why}.${again} Once it is mended: deliveries redeliver ${id}` };
  }
  if (next_attempt_at === null) {
    const earlier = attempts.at(-2);
    const so = earlier === undefined ? '' : ` The one before, at ${earlier.started_at}, got ${answerOf(earlier)}.`;
    return {
      ...as,
      code: 'under_way',
      text: `${name} is being sent ${to}: attempt ${attempts.length} began at ${last?.started_at ?? '?'}.${so}${again}`,
    };
  }
  const before = last === undefined ? '' : ` The last one, at ${last.started_at}, got ${answerOf(last)}.`;
  return {
    ...as,
    code: 'waiting',
    text: `${name} waits for attempt ${attempts.length + 1} ${to}, due at ${next_attempt_at}.${before}${again}`,
  };
}

/** Nothing else is attempted after a third attempt, a success or a 410. */
const wasRedelivered = (attempts: readonly Attempt[]): boolean =>
  attempts.length > 3 || attempts.slice(0, -1).some(({ status }) => status !== null && (status < 300 || status === 410));

/** An attempt's outcome, with the first line of what the receiver said. */
function answerOf(attempt: Attempt | undefined): string {
  if (attempt === undefined) return 'no attempt';
  const { status, error, code, duration_ms, batch_id, response } = attempt;
  const said = response?.body.split('\n', 1)[0]?.slice(0, 200);
  const outcome = status === null ? [error ?? 'no outcome yet', code].filter((part) => part !== null).join(' ') : `HTTP ${status}`;
  const after = duration_ms === null ? '' : ` after ${duration_ms} ms`;
  const within = batch_id == null ? '' : ` in the batch ${batch_id}`;
  return `${outcome}${after}${within}${said === undefined || said === '' ? '' : ` (“${said}”)`}`;
}

const reasons: Record<string, string> = {
  gone: 'the receiver answered 410, so the webhook was switched off',
  failing: 'every attempt to the webhook failed for days, so it was switched off',
  ended: 'the webhook was removed or switched off',
  event_removed: 'the webhook does not listen to this event any more',
  erased: 'the submission was erased',
  filtered: 'the filter of the webhook keeps it back since it was changed',
};

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** The address may hold a secret. */
const hostOf = (url: string): string => urlIn(url)?.host ?? '?';
