import { newId } from '@sheaf/kernel';
import { aUser, testProcess, type TestProcess, verifyTestCaller } from '@sheaf/testing';
import { z } from 'zod';
import { connect, type Client } from '../src/transport/client';
import type { MethodTypes, Protocol } from '../src/transport/protocol';
import { open, type Asked } from '../src/transport/door';
import { serve } from '../src/transport/server';

const Message = z.object({ n: z.number(), filling: z.string().optional() });
export type Message = z.output<typeof Message>;
export type Echo = { Echo: MethodTypes<Message, Message, Message, Message, 'neither'> };

const serialize = (value: unknown) => Buffer.from(JSON.stringify(value));
const deserialize = (bytes: Buffer) => JSON.parse(bytes.toString()) as unknown;
const method = {
  path: '/test.Echo/Echo',
  requestStream: false,
  responseStream: false,
  requestSerialize: serialize,
  responseSerialize: serialize,
  requestDeserialize: deserialize,
  responseDeserialize: deserialize,
};
/** A service with one unary method, which is not safe to repeat. */
export const Echo: Protocol<Echo> = { name: 'test.Echo', service: 'forms', methods: { Echo: method } };
export const RepeatableEcho: Protocol<Echo> = { ...Echo, methods: { Echo: { ...method, repeatable: true } } };

export const user = aUser({ instanceId: newId() });
export type Handle = (message: Message, asked: Asked) => Promise<Message>;
export const echo = ({ n }: Message) => Promise.resolve({ n });

const stops: (() => unknown)[] = [];
/** Stops something after the test, before everything that was registered earlier. */
export const afterThisTest = (stop: () => unknown): void => void stops.push(stop);
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Starts a copy of the service. */
export async function startEcho(handle: Handle, { port = 0, maxAgeMs = 60_000 } = {}): Promise<{ port: number; process: TestProcess }> {
  const process = testProcess('echo');
  const settings = { BIND_HOST: '127.0.0.1', GRPC_PORT: port, GRPC_MAX_CONNECTION_AGE_MS: maxAgeMs };
  const bound = await serve(process, {
    protocol: Echo,
    doors: { echo: open(['user'], Message, handle) },
    verify: verifyTestCaller,
    settings,
  });
  afterThisTest(() => process.stop());
  return { port: bound, process };
}

/** Connects to the copies of the service on these ports. */
export function connectToEcho(ports: readonly number[], { protocol = Echo, pingMs = 30_000 } = {}): Client<Echo> {
  const connection = connect(`ipv4:${ports.map((port) => `127.0.0.1:${port}`).join()}`, protocol, { pingMs });
  afterThisTest(() => connection.close());
  return connection.client;
}
