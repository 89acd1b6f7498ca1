import type { Deps } from '../deps';
import { membersOf, type Claim } from './claims.queries';

/** The `event` of a body that has several, and the `X-Webhook-Event` of its request. */
export const batchEvent = 'batch';

/** The most bytes of a body with several events. Many receivers refuse more than 1 MiB, the default of nginx. */
const mostBytes = 900_000;
/** How many events are composed at the same time: each may ask `forms` and `submissions`. */
const atOnce = 10;
/** For how long more are composed: the lease has to last for the POST. */
const composingMs = 2_000;

/** The body of a batch, its deliveries that could not be composed, and those that have no place in it. */
export interface BatchBody {
  body: string;
  sent: readonly Claim[];
  left: readonly Claim[];
  tooMany: readonly Claim[];
  /** Why the first of `left` could not be composed. */
  fault: unknown;
}

/**
 * Composes the body of a batch: each event as it would be sent singly, behind the id that would be its `webhook-id`. One that cannot be composed holds up
 * no others, and one that is too large for a batch is its only one.
 */
export async function batchBody({ payloads, clock }: Pick<Deps, 'payloads' | 'clock'>, claim: Claim): Promise<BatchBody> {
  const members = membersOf(claim);
  const until = clock.now().getTime() + composingMs;
  const [sent, left, events]: [Claim[], Claim[], string[]] = [[], [], []];
  let tooMany: readonly Claim[] = [];
  let [bytes, fault]: [number, unknown] = [0, undefined];
  for (let at = 0; at < members.length && tooMany.length === 0; at += atOnce) {
    const some = members.slice(at, at + atOnce);
    const composed = await Promise.allSettled(some.map((one) => payloads.bodyOf(one)));
    for (const [index, member] of some.entries()) {
      const one = composed[index];
      if (one?.status !== 'fulfilled' || !one.value.startsWith('{"')) {
        fault ??= one?.status === 'rejected' ? one.reason : new Error('the event is no object');
        left.push(member);
        continue;
      }
      const event = inBatch(member, one.value);
      bytes += Buffer.byteLength(event);
      // None after it either, as they keep their order.
      if (sent.length > 0 && bytes > mostBytes) {
        tooMany = members.slice(at + index);
        break;
      }
      sent.push(member);
      events.push(event);
    }
    if (tooMany.length === 0 && clock.now().getTime() >= until) tooMany = members.slice(at + atOnce);
  }
  return { body: batchOf(claim.batch?.id ?? '', events), sent, left, tooMany, fault };
}

/** The body of an event behind what the headers of its own request would say. As text: parsed numbers could be others. */
const inBatch = ({ id, traceparent }: Pick<Claim, 'id' | 'traceparent'>, body: string): string =>
  `{"id":"${id}",${traceparent === null ? '' : `"traceparent":"${traceparent}",`}${body.slice(1)}`;
const batchOf = (id: string, events: readonly string[]): string => `{"event":"${batchEvent}","id":"${id}","events":[${events.join(',')}]}`;

/** A batch of a single event that has this body. */
export const batchOfOne = (id: string, { body, ...event }: { id: string; traceparent: string | null; body: string }): string =>
  batchOf(id, [inBatch(event, body)]);
