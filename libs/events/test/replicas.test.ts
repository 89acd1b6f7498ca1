import { Health } from '@sheaf/runtime';
import { brokerUrl, eventually, NatsCluster, testProcess, type TestProcess } from '@sheaf/testing';
import { z } from 'zod';
import { Broker } from '../src/stream/broker';
import { brokerSettings } from '../src/stream/nats-servers';
import { Replicas } from '../src/stream/replicas';
import { streamName } from '../src/stream/stream';

// Three real servers of one cluster, which die and come back.

let cluster: NatsCluster;
const processes: TestProcess[] = [];
beforeAll(async () => {
  cluster = await NatsCluster.start();
});
afterAll(async () => {
  for (const process of processes.reverse()) await process.stop();
  await cluster.stop();
});

async function connectedTo(url: string, name = 'submissions') {
  const process = testProcess(name);
  processes.push(process);
  const broker = Broker.start(process, z.object(brokerSettings).parse({ NATS_URL: url, NATS_STREAM_REPLICAS: '3' }));
  await new Promise<void>((resolve) => broker.onceConnected(() => resolve()));
  return { process, broker };
}

/** The view of a process that wants three replicas. */
function watching(broker: Pick<Broker, 'connected' | 'manager'>) {
  const { metrics } = testProcess('submissions');
  const health = new Health();
  const lines: string[] = [];
  const log = { warn: (line: string) => lines.push(line), info: (line: string) => lines.push(line) } as never;
  const replicas = new Replicas({ log, metrics, health }, broker, 3);
  const current = async () => {
    await replicas.ask();
    return /^sheaf_nats_stream_replicas\{state="current"\} (\d)$/m.exec(await metrics.metrics())?.[1];
  };
  return { health, lines, current };
}

it('a service warns while fewer servers than wanted have the stream, and says when all have it again', async () => {
  const { broker } = await connectedTo(cluster.url);
  await eventually(() => broker.ensureStream());
  const { health, lines, current } = watching(broker);
  await eventually(async () => expect(await current()).toBe('3'));
  expect(health.warnings).toEqual([]);

  await cluster.kill(0);
  await eventually(async () => expect(await current()).toBe('2'));
  expect(health.warnings).toEqual(['the stream of events has 2 of 3 replicas']);

  cluster.startMissing();
  await eventually(async () => expect(await current()).toBe('3'));
  expect(health.warnings).toEqual([]);
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(/^the stream of events has [012] of 3 replicas$/),
    'the stream of events has all its replicas again',
  ]);
});

it('a stream without a leader counts as none, but one that nobody has made yet, or a broker that is away, as nothing', async () => {
  const brokerThat = (connected: boolean, info: () => Promise<never>) =>
    ({ connected, manager: { streams: { info } } }) as unknown as Pick<Broker, 'connected' | 'manager'>;
  const noLeader = () => Promise.reject(new Error('timeout'));
  const mute = watching(brokerThat(true, noLeader));
  expect(await mute.current()).toBe('0');
  expect(mute.lines).toEqual(['the stream of events has 0 of 3 replicas']);

  const { broker } = await connectedTo(brokerUrl());
  await broker.manager.streams.delete(streamName).catch(() => undefined);
  expect(await watching(broker).current()).toBeUndefined();
  expect(await watching(brokerThat(false, noLeader)).current()).toBeUndefined();
});

it('only services ask, because the gateway may not', async () => {
  const service = await connectedTo(brokerUrl());
  const gateway = await connectedTo(brokerUrl(), 'gateway');
  const wanted = /^sheaf_nats_stream_replicas\{state="wanted"\} 3$/m;
  expect(await service.process.metrics.metrics()).toMatch(wanted);
  expect(await gateway.process.metrics.metrics()).not.toMatch(wanted);
});
