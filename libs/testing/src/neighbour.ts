import { connect, nothing, open, serve, type Client, type Doors, type Protocol } from '@sheaf/rpc';
import { testProcess } from './process';
import { verifyTestCaller } from './callers';

/** Listen on any free loopback port. */
export const servingSettings = { BIND_HOST: '127.0.0.1', GRPC_PORT: 0, GRPC_MAX_CONNECTION_AGE_MS: 60_000 };

/**
 * A neighbour of the service under test, with answers set by the test. It is a real gRPC server that checks caller tokens. Methods that the
 * test does not define refuse all callers.
 */
export async function startNeighbour<Definition>(
  protocol: Protocol<Definition>,
  doors: Partial<Doors<Definition>>,
): Promise<{ client: Client<Definition>; address: string; stop: () => Promise<void> }> {
  const process = testProcess(protocol.name);
  const refusing = open([], nothing, () => Promise.reject(new Error('not expected in this test')));
  const all: object = new Proxy(doors, { get: (given, name) => (Reflect.get(given, name) as unknown) ?? refusing });
  const port = await serve(process, { protocol, doors: all as Doors<Definition>, verify: verifyTestCaller, settings: servingSettings });
  const address = `127.0.0.1:${port}`;
  const connection = connect(address, protocol);
  process.onStop('client', () => connection.close());
  return { client: connection.client, address, stop: () => process.stop() };
}
