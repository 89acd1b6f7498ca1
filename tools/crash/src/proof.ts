import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { eventIn, type Ledger } from './ledger';
import { alwaysFails, listensTo, neverFails, type Listener, type Post } from './listeners';

/** A promise that was broken, and the items that broke it. */
export interface Broken {
  promise: string;
  offending: string[];
}

/** A form's submissions as the API lists them, over all pages. */
export interface Listed {
  form: string;
  total: number;
  submissions: { id: string; status: string; data: { name: string } }[];
}

const maxPosts = 3;
const signatureSamples = 500;

/** Checks the subscribers' logs and the listed submissions against the acknowledged requests. */
export function prove(input: {
  ledger: Ledger;
  listeners: readonly Listener[];
  lists: readonly Listed[];
  keys: readonly JsonWebKey[];
}): Broken[] {
  const { ledger, listeners, lists, keys } = input;
  const checks: [promise: string, offending: string[]][] = [
    ['every request is answered and none is refused', ledger.refused],
    [
      'one Idempotency-Key creates one submission',
      ledger.accepted.filter(({ ids }) => ids.size !== 1).map(({ key, ids }) => `${key}: ${[...ids].join(' ')}`),
    ],
    ['every accepted submission is listed once, in its last state', lists.flatMap((list) => listErrors(list, ledger))],
    ['every subscriber that never fails accepts everything', missing(ledger, listeners)],
    ['each event is sent under one webhook-id', listeners.flatMap(sentUnderSeveralIds)],
    ['events of a submission are planned in order', outOfOrder(listeners, ledger)],
    ['no event is sent that did not happen', listeners.flatMap((listener) => unexpectedEvents(listener, ledger))],
    ['at most three POSTs of a webhook-id', listeners.flatMap(tooManyPosts)],
    ['every POST of a webhook-id has the same bytes', listeners.flatMap(withDifferentBytes)],
    ['every POST is signed', unsigned(listeners, keys)],
  ];
  return checks.filter(([, offending]) => offending.length > 0).map(([promise, offending]) => ({ promise, offending }));
}

/** Events that a subscriber that never fails has not accepted yet. */
export function missing({ expectedEvents }: Pick<Ledger, 'expectedEvents'>, listeners: readonly Listener[]): string[] {
  return listeners
    .filter(({ kind }) => neverFails(kind))
    .flatMap((listener) => {
      const accepted = new Set(listener.posts.filter(({ reply }) => reply === 200).map(({ body }) => eventIn(body).identity));
      return expectedEvents
        .filter(
          ({ form, event, begunAt, identity }) =>
            listensTo(listener, form) && event === listener.event && begunAt >= listener.since && !accepted.has(identity),
        )
        .map(({ identity }) => `${identity} to ${listener.url}`);
    });
}

function listErrors({ form, total, submissions }: Listed, { accepted }: Ledger): string[] {
  const kept = new Map(
    accepted
      .filter((submission) => submission.form === form && !submission.deleted)
      .map((submission) => [[...submission.ids][0] ?? '', submission]),
  );
  const ids = submissions.map(({ id }) => id);
  return [
    ...(total === kept.size ? [] : [`total ${total}, not ${kept.size}`]),
    ...[...kept.keys()].filter((id) => !ids.includes(id)).map((id) => `${id} is missing`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is listed twice`),
    ...submissions.flatMap(({ id, status, data }) => {
      const submission = kept.get(id);
      if (!submission) return [`${id} was never accepted, or is deleted`];
      const expectedStatus = submission.statuses.at(-1) ?? 'new';
      return status === expectedStatus && data.name === submission.key
        ? []
        : [`${id} has the status ${status} and the name ${data.name}, not ${expectedStatus} and ${submission.key}`];
    }),
  ];
}

function sentUnderSeveralIds({ posts, url }: Listener): string[] {
  const ids = new Map<string, Set<string>>();
  for (const { webhookId, body } of posts) {
    const { identity } = eventIn(body);
    ids.set(identity, (ids.get(identity) ?? new Set()).add(webhookId));
  }
  return [...ids].filter(([, { size }]) => size > 1).map(([identity, all]) => `${identity} to ${url}: ${[...all].join(' ')}`);
}

function unexpectedEvents(listener: Listener, { expectedEvents }: Ledger): string[] {
  const { posts, event, url } = listener;
  const known = new Set(
    expectedEvents.filter((expected) => listensTo(listener, expected.form) && expected.event === event).map(({ identity }) => identity),
  );
  return [...new Set(posts.map(({ body }) => eventIn(body).identity))]
    .filter((identity) => !known.has(identity))
    .map((identity) => `${identity} to ${url}`);
}

/** Submissions with a later event planned before an earlier one: webhook-ids increase with the planning time. */
function outOfOrder(listeners: readonly Listener[], { expectedEvents }: Pick<Ledger, 'expectedEvents'>): string[] {
  const healthy = listeners.filter(({ kind }) => kind === 'healthy');
  const idOf = new Map(healthy.flatMap(({ posts }) => posts.map(({ body, webhookId }) => [eventIn(body).identity, webhookId] as const)));
  const bySubmission = new Map<string, string[]>();
  for (const { identity } of expectedEvents) {
    const [, submission = ''] = identity.split(' ');
    bySubmission.set(submission, [...(bySubmission.get(submission) ?? []), idOf.get(identity) ?? '']);
  }
  return [...bySubmission]
    .filter(([, ids]) => ids.some((id, index) => id !== '' && id < (ids[index - 1] ?? '')))
    .map(([submission]) => submission);
}

export function byWebhookId({ posts }: Listener): Map<string, Post[]> {
  const grouped = new Map<string, Post[]>();
  for (const post of posts) grouped.set(post.webhookId, [...(grouped.get(post.webhookId) ?? []), post]);
  return grouped;
}

const tooManyPosts = (listener: Listener): string[] =>
  [...byWebhookId(listener)].filter(([, { length }]) => length > maxPosts).map(([id, { length }]) => `${id} to ${listener.url}: ${length}`);

const withDifferentBytes = (listener: Listener): string[] =>
  [...byWebhookId(listener)]
    .filter(([, posts]) => new Set(posts.map(({ body }) => body)).size > 1)
    .map(([id]) => `${id} to ${listener.url}`);

function unsigned(listeners: readonly Listener[], keySet: readonly JsonWebKey[]): string[] {
  const keys = keySet.map((key) => createPublicKey({ key, format: 'jwk' }));
  const posts = listeners.flatMap((listener) => listener.posts);
  const every = Math.max(1, Math.floor(posts.length / signatureSamples));
  return posts
    .filter((_, index) => index % every === 0)
    .filter((post) => !keys.some((key) => isSigned(post, key)))
    .map(({ webhookId }) => webhookId);
}

function isSigned({ webhookId, headers, body }: Post, key: ReturnType<typeof createPublicKey>): boolean {
  const signed = Buffer.from(`${webhookId}.${String(headers['webhook-timestamp'])}.${body}`);
  const signatures = String(headers['webhook-signature'])
    .split(' ')
    .map((entry) => entry.replace(/^v1a,/, ''));
  return signatures.some((signature) => verify(null, signed, key, Buffer.from(signature, 'base64')));
}

/** Figures from the logs that the promise does not cover. */
export interface Figures {
  posts: number;
  /** POSTs of events that were already accepted, which a receiver has to drop by webhook-id. */
  repeats: number;
  /** For subscribers that always fail: deliveries with exactly three POSTs. The others lost one to a kill before it was sent. */
  failing: { deliveries: number; exactlyThree: number };
  /** For subscribers that fail at first: deliveries accepted in the end. */
  flapping: { deliveries: number; accepted: number };
}

export function figuresOf(listeners: readonly Listener[]): Figures {
  const grouped = (of: (listener: Listener) => boolean) => listeners.filter(of).flatMap((listener) => [...byWebhookId(listener).values()]);
  const isAccepted = ({ reply }: Post) => reply === 200;
  const failing = grouped(({ kind }) => alwaysFails(kind));
  const flapping = grouped(({ kind }) => kind === 'flapping');
  return {
    posts: listeners.reduce((sum, { posts }) => sum + posts.length, 0),
    repeats: grouped(() => true).reduce(
      (sum, posts) =>
        sum + Math.max(0, posts.length - 1 - (posts.findIndex(isAccepted) === -1 ? posts.length : posts.findIndex(isAccepted))),
      0,
    ),
    failing: { deliveries: failing.length, exactlyThree: failing.filter(({ length }) => length === maxPosts).length },
    flapping: { deliveries: flapping.length, accepted: flapping.filter((posts) => posts.some(isAccepted)).length },
  };
}
