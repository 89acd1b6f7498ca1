import type { Deps } from '../deps';
import { membersOf, type Claim } from './claims.queries';

/** The `event` of a body that has several, and the `X-Webhook-Event` of its request. */
export const batchEvent = 'batch';

/** The body of a batch, and those of its deliveries that could not be composed. */
export interface BatchBody {
  body: string;
  sent: readonly Claim[];
  left: readonly Claim[];
}

/**
 * Composes the body of a batch: each event as it would be sent singly, behind the id that would be its `webhook-id`. One that cannot be composed holds up
 * no others.
 * @throws the first fault if none can be composed: then `forms` or `submissions` cannot answer.
 */
export async function batchBody(payloads: Deps['payloads'], claim: Claim): Promise<BatchBody> {
  const members = membersOf(claim);
  // At once, because all of it happens within the lease.
  const composed = await Promise.allSettled(members.map((one) => payloads.bodyOf(one)));
  const [sent, left, events]: [Claim[], Claim[], string[]] = [[], [], []];
  members.forEach((member, at) => {
    const one = composed[at];
    if (one?.status === 'fulfilled' && one.value.startsWith('{"')) {
      sent.push(member);
      events.push(inBatch(member.id, one.value));
    } else left.push(member);
  });
  if (sent.length === 0) throw composed.find((one) => one.status === 'rejected')?.reason ?? new Error('no event of the batch is an object');
  return { body: batchOf(claim.batch?.id ?? '', events), sent, left };
}

/** The body of an event with its id in front. As text: parsed numbers could be others. */
const inBatch = (id: string, body: string): string => `{"id":"${id}",${body.slice(1)}`;
const batchOf = (id: string, events: readonly string[]): string => `{"event":"${batchEvent}","id":"${id}","events":[${events.join(',')}]}`;

/** A batch of a single event that has this body. */
export const batchOfOne = (id: string, event: { id: string; body: string }): string => batchOf(id, [inBatch(event.id, event.body)]);
