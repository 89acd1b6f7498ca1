import type { Process } from '@sheaf/runtime';
import { Gauge } from 'prom-client';
import type { Broker } from './broker';
import { streamName } from './stream';

/** Of all consumers of a process. */
export const failuresOf = ({ metrics }: Process): Gauge<'consumer'> =>
  (metrics.getSingleMetric('sheaf_consumer_failures') as Gauge<'consumer'> | undefined) ??
  new Gauge({
    name: 'sheaf_consumer_failures',
    help: 'How often in a row events could not be worked off.',
    labelNames: ['consumer'],
    registers: [metrics],
  });

const watched = new WeakMap<Broker, string[]>();

/** What waits for a consumer at the broker, which is asked when somebody wants to know; its copies all say the same. */
export function watchBacklog({ metrics }: Process, broker: Broker, consumer: string): void {
  const others = watched.get(broker);
  if (others) {
    others.push(consumer);
    return;
  }
  const consumers = [consumer];
  watched.set(broker, consumers);
  new Gauge({
    name: 'sheaf_consumer_messages',
    help: 'Messages that a consumer has not worked off: they wait, or copies have them in hand. Each carries up to 50 events. The same in every process.',
    labelNames: ['consumer', 'state'],
    registers: [metrics],
    async collect() {
      // A request that is made meanwhile would be lost, and waited for.
      if (!broker.connected) throw new Error('NATS is away');
      await Promise.all(
        consumers.map(async (name) => {
          const { num_pending: waiting, num_ack_pending: inHand } = await broker.manager.consumers.info(streamName, name);
          this.set({ consumer: name, state: 'waiting' }, waiting);
          this.set({ consumer: name, state: 'in_hand' }, inHand);
        }),
      );
    },
  });
}
