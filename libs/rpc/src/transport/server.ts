import {
  Server,
  type ServerCredentials,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type MethodDefinition as GrpcMethod,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { Problem, type ServiceName } from '@sheaf/kernel';
import type { Process } from '@sheaf/runtime';
import { HealthImplementation } from 'grpc-health-check';
import type { VerifyCaller } from '../caller-token';
import { messagesOf, readCall, readStreamingCall } from './arrived-call';
import { MultiplexedDoor, type AnswerCall } from './calls-server';
import { tlsOf, type Tls, type TlsSettings } from './certificates';
import { servingCredentials } from './credentials';
import type { Door, Doors } from './door';
import { deserializerWithEnd } from './end-mark';
import { DoorForBoth, tellOfPlainConnections } from './door-for-both';
import { toStatus } from './problem-status';
import { Calls, lowerFirst, sizeLimits, type Protocol } from './protocol';
import { callRunner, type RunCall } from './run-call';
import { writeAll } from './write-all';

/** How often this copy reports to clients whether it is ready. */
const reportEveryMs = 1_000;
/** How long a peer that ignores GOAWAY can delay the stop: longer than a request at the gateway may take, shorter than the grace period. */
const forceShutdownMs = 6_000;

type ServerSettings = Record<'GRPC_PORT' | 'GRPC_MAX_CONNECTION_AGE_MS', number> & TlsSettings & { BIND_HOST: string };

/**
 * Serves a protocol and stops with the process. Every call needs a valid caller token of a kind that its method admits.
 * @returns the port that it listens on.
 */
export async function serve<Definition>(
  process: Process,
  options: {
    protocol: Protocol<Definition>;
    doors: Doors<Definition>;
    /** Returns the verifier of caller tokens for a service; see `callerVerifier`. */
    verify: (service: ServiceName) => VerifyCaller;
    settings: ServerSettings;
    /** Converts any thrown value; services with a database recognize more kinds of failures than this library. */
    problemOf?: (thrown: unknown) => Problem;
  },
): Promise<number> {
  const { protocol, settings, problemOf = Problem.from } = options;
  const doors = options.doors as AnyDoors;
  const run = callRunner(process, { service: protocol.name, verify: options.verify(protocol.service), problemOf });

  // Closing old connections gives new copies of this process their share of the calls. Calls on an old connection may finish there,
  // however long a stream takes; each has a deadline.
  const server = new Server({ ...sizeLimits, 'grpc.max_connection_age_ms': settings.GRPC_MAX_CONNECTION_AGE_MS });
  addMethods(server, protocol, doors, run);
  const multiplexed = new MultiplexedDoor(unaryAnswerer(protocol, doors, run), settings.GRPC_MAX_CONNECTION_AGE_MS);
  server.addService(Calls.methods, { Open: multiplexed.open });
  const stopReporting = reportReadiness(process, server, multiplexed);

  const tls = tlsOf(process, settings);
  const door = tls?.acceptsPlain === true ? doorForBoth(process, server, protocol.service, tls) : undefined;
  const port = door
    ? await door.listen(settings.BIND_HOST, settings.GRPC_PORT)
    : await listen(server, settings, servingCredentials(protocol.service, tls?.certificates));
  process.onStop('grpc', async () => {
    stopReporting();
    door?.close();
    // Sends GOAWAY first, so that a client that opens a new stream does not open it here.
    const shut = shutDown(server);
    multiplexed.leave();
    await shut;
  });
  return port;
}

type AnyDoors = Record<string, Door<unknown, unknown> | undefined>;
/** The door of a method that returns one answer. */
type SingleDoor = Door<unknown, Promise<unknown>>;
type StreamDoor = Door<unknown, AsyncIterable<unknown>>;

function addMethods(server: Server, protocol: Protocol<unknown>, doors: AnyDoors, run: RunCall): void {
  const methods: Record<string, GrpcMethod<unknown, unknown>> = {};
  const handlers: UntypedServiceImplementation = {};
  for (const [method, definition] of Object.entries(protocol.methods)) {
    const { requestStream, responseStream, requestDeserialize } = definition;
    methods[method] = requestStream ? { ...definition, requestDeserialize: deserializerWithEnd(requestDeserialize) } : definition;
    const door = doors[lowerFirst(method)];
    if (!door) throw new Error(`${protocol.name} has no door for ${method}.`);
    if (responseStream) handlers[method] = streamedAnswer(run, method, door as StreamDoor);
    else handlers[method] = (requestStream ? streamedRequest : unary)(run, method, door as SingleDoor);
  }
  server.addService(methods, handlers);
}

const unary =
  (run: RunCall, method: string, door: SingleDoor): handleUnaryCall<unknown, unknown> =>
  (rpc, reply) => {
    void run(method, readCall(rpc), async (asked) => door.handle(rpc.request, asked)).then((done) =>
      'problem' in done ? reply(toStatus(done.problem)) : reply(null, done.answer),
    );
  };

const streamedRequest =
  (run: RunCall, method: string, door: SingleDoor): handleClientStreamingCall<unknown, unknown> =>
  (rpc, reply) => {
    void run(method, readStreamingCall(rpc), async (asked) => door.handle(messagesOf(rpc), asked)).then((done) =>
      'problem' in done ? reply(toStatus(done.problem)) : reply(null, done.answer),
    );
  };

const streamedAnswer =
  (run: RunCall, method: string, door: StreamDoor): handleServerStreamingCall<unknown, unknown> =>
  (rpc) => {
    const call = readStreamingCall(rpc);
    void run(method, call, (asked) => writeAll(rpc, door.handle(rpc.request, asked), call.signal)).then((done) =>
      // grpc-js makes this the status of the call, after the messages in flight.
      'problem' in done ? rpc.emit('error', toStatus(done.problem)) : rpc.end(),
    );
  };

/** Answers the unary calls that arrive over streams (`calls.proto`). */
function unaryAnswerer(protocol: Protocol<unknown>, doors: AnyDoors, run: RunCall): AnswerCall {
  return async (method, call, message) => {
    const definition = protocol.methods[method];
    const isUnary = definition && !definition.requestStream && !definition.responseStream;
    const door = isUnary ? (doors[lowerFirst(method)] as SingleDoor | undefined) : undefined;
    if (!definition || !door) return { problem: Problem.internal(`${protocol.name} has no unary method ${method}`) };
    const done = await run(method, call, async (asked) =>
      definition.responseSerialize(await door.handle(definition.requestDeserialize(message), asked)),
    );
    return 'problem' in done ? done : { message: done.answer };
  };
}

/**
 * Reports whether this copy is ready, to the clients on its streams and on the standard health service, which reveals no more than the
 * probes do and needs no token.
 * @returns a function that stops the reports and leaves the health service at not serving.
 */
function reportReadiness(process: Process, server: Server, multiplexed: MultiplexedDoor): () => void {
  const health = new HealthImplementation({ '': 'NOT_SERVING' });
  health.addToServer(server);
  const report = (isReady: boolean) => {
    health.setStatus('', isReady ? 'SERVING' : 'NOT_SERVING');
    multiplexed.setReady(isReady);
  };
  const reports = setInterval(() => {
    process.health.unready().then(
      (unready) => report(unready.length === 0),
      () => report(false),
    );
  }, reportEveryMs);
  return () => {
    clearInterval(reports);
    health.setStatus('', 'NOT_SERVING');
  };
}

function listen(server: Server, { BIND_HOST, GRPC_PORT }: ServerSettings, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(`${BIND_HOST}:${GRPC_PORT}`, credentials, (error, port) => (error ? reject(error) : resolve(port)));
  });
}

function doorForBoth(process: Process, server: Server, service: ServiceName, { certificates }: Tls): DoorForBoth {
  const door = new DoorForBoth(server, {
    plain: servingCredentials(service, undefined),
    tls: servingCredentials(service, certificates),
  });
  tellOfPlainConnections(process, () => door.plainConnections);
  return door;
}

function shutDown(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, forceShutdownMs);
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });
}
