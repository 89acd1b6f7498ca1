import type { Outcome } from '@sheaf/egress';
import type { DomainEvent } from '@sheaf/events';
import { eventually } from '@sheaf/testing';
import { Attempts } from '../../src/attempts/attempts';
import type { Deps } from '../../src/deps';
import type { Listener } from '../../src/planning/remembered-listeners';
import type { Service } from './service';

// Support for tests of deliveries whose first attempt is claimed by the statement that plans them.

/** A subscription that has answered before and has nothing queued. */
export async function provenSubscription(service: Service): Promise<Listener> {
  const subscription = service.subscription();
  await service.planEvents(subscription);
  await service.markQuick(subscription);
  await service.run();
  await eventually(async () => expect(await service.deliveries(subscription)).toMatchObject([{ state: 'succeeded' }]));
  // Otherwise its turn would come up when its last attempt could have been lost; now there is nothing to look at.
  await service.db('turn').where({ subscription_id: subscription.id }).update({ due_at: null });
  return subscription;
}

/** Events whose bodies are JSON strings. */
export const textEvents = (service: Service, { form_id }: Listener, texts: readonly string[]): DomainEvent[] =>
  texts.map((text) => service.event(form_id, { body: JSON.stringify(text) }));

/** Whether a POST carries a text event; the others proved a subscription. */
export const isTextEvent = ({ body }: { body: string }): boolean => body.startsWith('"');

export const receivedTexts = (service: Service): string[] =>
  service.subscriber.received.filter(isTextEvent).map(({ body }) => JSON.parse(body) as string);

/** Attempts whose POSTs end on command. */
export function heldAttempts(deps: Deps) {
  const open: ((outcome: Outcome) => void)[] = [];
  const sent: string[] = [];
  const attempts = new Attempts({
    ...deps,
    egress: {
      post: (_url, { body }) => {
        sent.push(JSON.parse(body) as string);
        return new Promise((resolve) => open.push(resolve));
      },
    },
  });
  return { attempts, sent, answer: (status = 200) => open.splice(0).forEach((end) => end({ status, durationMs: 1 })) };
}
