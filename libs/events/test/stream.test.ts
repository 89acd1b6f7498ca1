import { nanos } from '@nats-io/transport-node';
import type { Broker } from '../src/stream/broker';
import { ensureConsumer, ensureStream, streamName } from '../src/stream/stream';
import { aProcess, useOutbox } from './stage';

// An operator's choices at the broker are settings too, and must not be overwritten.

useOutbox();

let broker: Broker;
beforeEach(async () => {
  ({ broker } = await aProcess('someone'));
  await broker.manager.streams.delete(streamName).catch(() => undefined);
});

const configOfStream = async () => (await broker.manager.streams.info(streamName)).config;
const aConsumer = { name: 'delivery-submissions', filter: 'sheaf.events.submissions.>', ackWaitMs: 10_000, maxAckPending: 200 };
const configOfConsumer = async () => (await broker.manager.consumers.info(streamName, aConsumer.name)).config;

it('the stream is created with our limits, and later processes find it', async () => {
  await Promise.all([broker.ensureStream(), ensureStream(broker.manager, broker.settings)]);
  expect(await configOfStream()).toMatchObject({
    subjects: ['sheaf.events.>'],
    max_age: nanos(86_400_000),
    max_bytes: 1_073_741_824,
    num_replicas: 1,
  });
});

it('limits that an operator set at the broker are kept', async () => {
  await broker.ensureStream();
  await broker.manager.streams.update(streamName, { max_age: nanos(3_600_000), max_bytes: 64 * 1024 * 1024, description: 'ours' });

  await ensureStream(broker.manager, broker.settings);

  expect(await configOfStream()).toMatchObject({ max_age: nanos(3_600_000), max_bytes: 64 * 1024 * 1024, description: 'ours' });
});

it('our explicit limits are applied to an existing stream, and nothing else changes', async () => {
  await broker.ensureStream();
  await broker.manager.streams.update(streamName, { max_bytes: 64 * 1024 * 1024 });

  await ensureStream(broker.manager, { ...broker.settings, NATS_STREAM_MAX_AGE_MS: 7_200_000 });

  expect(await configOfStream()).toMatchObject({ max_age: nanos(7_200_000), max_bytes: 64 * 1024 * 1024 });
});

it('our subjects are added to a stream without them, and its other subjects are kept', async () => {
  await broker.manager.streams.add({ name: streamName, subjects: ['other.>'] });
  await ensureStream(broker.manager, broker.settings);
  expect((await configOfStream()).subjects).toEqual(['other.>', 'sheaf.events.>']);
  await broker.manager.streams.delete(streamName);
});

it('changed settings are applied to an existing consumer, which keeps its position', async () => {
  await broker.ensureStream();
  for (const n of [1, 2]) await broker.jetstream.publish(`sheaf.events.submissions.submission.${n}`, '{}');
  await ensureConsumer(broker.manager, aConsumer);
  const consumer = await broker.jetstream.consumers.get(streamName, aConsumer.name);
  await (await consumer.next({ expires: 5_000 }))?.ackAck();

  await ensureConsumer(broker.manager, { ...aConsumer, maxAckPending: 4_000 });

  expect(await configOfConsumer()).toMatchObject({ max_ack_pending: 4_000, ack_wait: nanos(10_000), filter_subject: aConsumer.filter });
  expect((await consumer.next({ expires: 5_000 }))?.subject).toBe('sheaf.events.submissions.submission.2');
});

it('an operator’s settings of a consumer are kept', async () => {
  await broker.ensureStream();
  await ensureConsumer(broker.manager, aConsumer);
  await broker.manager.consumers.update(streamName, aConsumer.name, { description: 'ours', max_deliver: 500 });

  await ensureConsumer(broker.manager, { ...aConsumer, maxAckPending: 4_000 });

  expect(await configOfConsumer()).toMatchObject({ max_ack_pending: 4_000, description: 'ours', max_deliver: 500 });
});
