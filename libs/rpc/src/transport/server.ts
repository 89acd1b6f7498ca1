import {
  Server,
  ServerCredentials,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type MethodDefinition as GrpcMethod,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { admit, demandScope, Problem, readTrace, traceNames, type Caller, type CallerKind, type Scope } from '@sheaf/kernel';
import type { Process } from '@sheaf/runtime';
import { HealthImplementation } from 'grpc-health-check';
import { Histogram } from 'prom-client';
import type { ServiceName } from '../audiences';
import { metadataKeys, type ArrivedCall, type Call } from '../call';
import { MultiplexedDoor } from './calls-server';
import type { VerifyCaller } from '../caller-token';
import { endMark, knowingEnd } from './end-mark';
import { toStatus } from './problem-status';
import { Calls, ownCase, sizeLimits, type MethodTypes, type Protocol } from './protocol';
import { endsWith, spanOf } from './spans';
import { writeAll } from './write-all';

/** The caller, and the data to pass on in calls to other services. */
export interface Asked<C extends Caller = Caller> {
  readonly caller: C;
  readonly call: Call;
}

/** Admits service accounts with one of these scopes. Without a scope, no method admits them. */
export interface AccountsWith {
  readonly kind: 'service_account';
  readonly anyOf: readonly [Scope, ...Scope[]];
}

/** The callers that a method admits. */
export type Admitted = Exclude<CallerKind, 'service_account'> | AccountsWith;

type KindOf<A extends Admitted> = A extends AccountsWith ? 'service_account' : A;

/**
 * The clients in the v1 contract: people, who have every scope, and service accounts with one of these scopes. A method needs several if
 * other services call it for operations with different scopes.
 */
export const clientsWith = (...anyOf: AccountsWith['anyOf']) => ['user', { kind: 'service_account', anyOf }] as const;

/**
 * A method behind its door: the callers that it admits, and its handler. A streamed request is an async iterable of its messages. So is a
 * streamed answer, usually a generator; it is iterated as fast as the client reads, and ended when the client has gone.
 */
export interface Door<Taken, Answer> {
  readonly handle: (request: Taken, asked: Asked) => Answer;
}

/** Opens a method to the given callers only. */
export function open<A extends Admitted, Taken, Answer>(
  admitted: readonly A[],
  handle: (request: Taken, asked: Asked<Extract<Caller, { kind: KindOf<A> }>>) => Answer,
): Door<Taken, Answer> {
  const kinds = admitted.map((one) => (typeof one === 'object' ? one.kind : one) as KindOf<A>);
  const anyOf = admitted.flatMap((one) => (typeof one === 'object' ? one.anyOf : []));
  return {
    handle: (request, { caller, call }) => {
      const known = admit(caller, kinds);
      if (caller.kind === 'service_account') demandScope(caller, anyOf);
      return handle(request, { caller: known, call });
    },
  };
}

/** One door per method of the protocol. */
export type Doors<Definition> = { [M in keyof Definition & string as Uncapitalize<M>]: DoorOf<Definition[M]> };

type DoorOf<Types> =
  Types extends MethodTypes<unknown, infer Taken, infer Given, unknown, infer Streams>
    ? Door<Streams extends 'request' ? AsyncIterable<Taken> : Taken, Streams extends 'answer' ? AsyncIterable<Given> : Promise<Given>>
    : never;

/** How often callers are told whether this copy is ready. */
const watchEveryMs = 1_000;
/** The time limit for calls without a deadline. */
const defaultDeadlineMs = 10_000;
/** How long a peer that ignores GOAWAY can delay the stop: longer than a request at the gateway may take, shorter than the grace period. */
const forceShutdownMs = 6_000;

/**
 * Serves a protocol and stops with the process. Every call needs a valid caller token of a kind that its method admits.
 * @returns the port that it listens on.
 */
export async function serve<Definition>(
  own: Process,
  options: {
    protocol: Protocol<Definition>;
    doors: Doors<Definition>;
    /** Returns the verifier of caller tokens for a service; see `callerVerifier`. */
    verify: (service: ServiceName) => VerifyCaller;
    settings: { BIND_HOST: string; GRPC_PORT: number; GRPC_MAX_CONNECTION_AGE_MS: number };
    /** Converts any thrown value; services with a database recognize more kinds of failures than this library. */
    problemOf?: (thrown: unknown) => Problem;
  },
): Promise<number> {
  const { protocol, settings, problemOf = Problem.from } = options;
  const verify = options.verify(protocol.service);
  const doors = options.doors as Record<string, Door<unknown, unknown> | undefined>;
  const durations = new Histogram({
    name: 'sheaf_rpc_duration_seconds',
    help: 'Time to answer a call, by method and outcome.',
    labelNames: ['method', 'code'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [own.metrics],
  });

  /** Handles a call and returns its result or its problem. */
  async function answer<Answer>(
    method: string,
    asking: ArrivedCall,
    work: (asked: Asked) => Promise<Answer>,
  ): Promise<{ answer: Answer } | { problem: Problem }> {
    const timer = durations.startTimer({ method });
    const span = own.tracer && spanOf(own.tracer, 'server', { service: protocol.name, method }, asking);
    const call = span ? { ...asking, trace: span.trace } : asking;
    try {
      const given = await work({ caller: verify(call.token), call });
      timer({ code: 'ok' });
      span?.end();
      return { answer: given };
    } catch (thrown) {
      const problem = problemOf(thrown);
      const names = { requestId: call.requestId, ...traceNames(call.trace) };
      // After the client has gone, any other failure reaches nobody.
      const isGone = call.signal?.aborted === true;
      timer({ code: isGone ? 'cancelled' : problem.code });
      span?.end(isGone ? { 'sheaf.refusal': 'cancelled' } : endsWith(problem));
      // The client learns only that something went wrong; the log has the cause under the same request id.
      if (isGone) own.log.debug({ ...names, method }, 'the client of a stream is gone');
      else if (problem.code === 'internal_error' || problem.code === 'unavailable')
        own.log.error({ err: problem.cause ?? problem, ...names, method }, 'call failed');
      else own.log.debug({ code: problem.code, reason: problem.cause ?? problem.message, ...names, method }, 'call refused');
      return { problem };
    }
  }

  const unary =
    (method: string, door: Door<unknown, Promise<unknown>>): handleUnaryCall<unknown, unknown> =>
    (rpc, reply) => {
      void answer(method, readCall(rpc), async (asked) => door.handle(rpc.request, asked)).then((done) =>
        'problem' in done ? reply(toStatus(done.problem)) : reply(null, done.answer),
      );
    };
  const streamedRequest =
    (method: string, door: Door<unknown, Promise<unknown>>): handleClientStreamingCall<unknown, unknown> =>
    (rpc, reply) => {
      const call = { ...readCall(rpc), signal: cancellationOf(rpc) };
      void answer(method, call, async (asked) => door.handle(allOf(rpc), asked)).then((done) =>
        'problem' in done ? reply(toStatus(done.problem)) : reply(null, done.answer),
      );
    };
  const streamedAnswer =
    (method: string, door: Door<unknown, AsyncIterable<unknown>>): handleServerStreamingCall<unknown, unknown> =>
    (rpc) => {
      const signal = cancellationOf(rpc);
      void answer(method, { ...readCall(rpc), signal }, (asked) => writeAll(rpc, door.handle(rpc.request, asked), signal)).then((done) =>
        // grpc-js makes this the status of the call, after the messages in flight.
        'problem' in done ? rpc.emit('error', toStatus(done.problem)) : rpc.end(),
      );
    };

  const methods: Record<string, GrpcMethod<unknown, unknown>> = {};
  const handlers: UntypedServiceImplementation = {};
  for (const [method, definition] of Object.entries(protocol.methods)) {
    const { requestStream, responseStream, requestDeserialize } = definition;
    methods[method] = requestStream ? { ...definition, requestDeserialize: knowingEnd(requestDeserialize) } : definition;
    const door = doors[ownCase(method)];
    if (!door) throw new Error(`${protocol.name} has no door for ${method}.`);
    if (responseStream) handlers[method] = streamedAnswer(method, door as Door<unknown, AsyncIterable<unknown>>);
    else handlers[method] = (requestStream ? streamedRequest : unary)(method, door as Door<unknown, Promise<unknown>>);
  }

  // Old connections are closed now and then: only then do new copies of this process get their share of the calls. Calls on an old
  // connection may finish there, however long a stream takes; each has a deadline.
  const server = new Server({ ...sizeLimits, 'grpc.max_connection_age_ms': settings.GRPC_MAX_CONNECTION_AGE_MS });
  server.addService(methods, handlers);

  const multiplexed = new MultiplexedDoor(async (method, call, message) => {
    const definition = protocol.methods[method];
    const door =
      definition?.requestStream || definition?.responseStream
        ? undefined
        : (doors[ownCase(method)] as Door<unknown, Promise<unknown>> | undefined);
    if (!definition || !door) return { problem: Problem.internal(`${protocol.name} has no unary method ${method}`) };
    const done = await answer(method, call, async (asked) =>
      definition.responseSerialize(await door.handle(definition.requestDeserialize(message), asked)),
    );
    return 'problem' in done ? done : { message: done.answer };
  }, settings.GRPC_MAX_CONNECTION_AGE_MS);
  server.addService(Calls.methods, { Open: multiplexed.open });

  // The standard health service. It reveals no more than the probes do and needs no token.
  const health = new HealthImplementation({ '': 'NOT_SERVING' });
  health.addToServer(server);
  const tell = (isReady: boolean) => {
    health.setStatus('', isReady ? 'SERVING' : 'NOT_SERVING');
    multiplexed.setReady(isReady);
  };
  const watch = setInterval(() => {
    own.health.unready().then(
      (unready) => tell(unready.length === 0),
      () => tell(false),
    );
  }, watchEveryMs);

  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${settings.BIND_HOST}:${settings.GRPC_PORT}`, ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  own.onStop('grpc', async () => {
    clearInterval(watch);
    health.setStatus('', 'NOT_SERVING');
    const shut = shutDown(server);
    // Only after the connections were told: a client that opens a new stream must not open it here.
    multiplexed.leave();
    await shut;
  });
  return port;
}

type AnyCall = ServerUnaryCall<unknown, unknown> | ServerReadableStream<unknown, unknown> | ServerWritableStream<unknown, unknown>;

function cancellationOf(rpc: ServerReadableStream<unknown, unknown> | ServerWritableStream<unknown, unknown>): AbortSignal {
  const cancellation = new AbortController();
  rpc.once('cancelled', () => cancellation.abort());
  return cancellation.signal;
}

/** The messages of a streamed request. @throws Problem if the request breaks off. */
async function* allOf(rpc: ServerReadableStream<unknown, unknown>): AsyncGenerator {
  for await (const message of rpc) {
    if (message === endMark) return;
    yield message;
  }
  throw Problem.badRequest('The request broke off.');
}

function readCall(rpc: AnyCall): ArrivedCall {
  const first = (key: string) => rpc.metadata.get(key)[0]?.toString();
  const deadline = Number(rpc.getDeadline());
  return {
    token: first(metadataKeys.token)?.replace(/^Bearer /, '') ?? '',
    requestId: first(metadataKeys.requestId) ?? 'none',
    trace: readTrace(first(metadataKeys.trace)),
    address: first(metadataKeys.address),
    deadline: Number.isFinite(deadline) ? deadline : Date.now() + defaultDeadlineMs,
  };
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
