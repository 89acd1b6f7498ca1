import type { Process } from '@sheaf/runtime';
import { Gauge } from 'prom-client';
import type { Broker } from './broker';
import { streamName } from './stream';

/** The failure gauge that all consumers of a process share. */
export const failureGauge = ({ metrics }: Process): Gauge<'consumer'> =>
  (metrics.getSingleMetric('sheaf_consumer_failures') as Gauge<'consumer'> | undefined) ??
  new Gauge({
    name: 'sheaf_consumer_failures',
    help: 'Consecutive failures to process events.',
    labelNames: ['consumer'],
    registers: [metrics],
  });

const watched = new WeakMap<Broker, string[]>();

/** Registers the metric of a consumer's backlog at the broker, which is queried at each scrape. All copies of a service report the same. */
export function watchBacklog({ metrics }: Process, broker: Broker, consumer: string): void {
  const others = watched.get(broker);
  if (others) {
    others.push(consumer);
    return;
  }
  const consumers = [consumer];
  watched.set(broker, consumers);
  new Gauge({
    name: 'sheaf_nats_stream_bytes',
    help: 'Size of the stream of events on the disk of NATS, and its limit (NATS_STREAM_MAX_BYTES). Every copy reports the same.',
    labelNames: ['of'],
    registers: [metrics],
    async collect() {
      if (!broker.connected) throw new Error('NATS is not connected');
      const { state, config } = await broker.manager.streams.info(streamName);
      this.set({ of: 'used' }, state.bytes);
      this.set({ of: 'limit' }, config.max_bytes);
    },
  });
  new Gauge({
    name: 'sheaf_consumer_messages',
    help: 'Unprocessed messages of a consumer, waiting or in hand at a copy. Each carries up to 50 events. Every copy reports the same.',
    labelNames: ['consumer', 'state'],
    registers: [metrics],
    async collect() {
      // A request without a connection would be lost, and the scrape would wait for it.
      if (!broker.connected) throw new Error('NATS is not connected');
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
