import { Client as GrpcClient, Metadata, type ServiceError } from '@grpc/grpc-js';
import { Problem, type App, type ServiceName } from '@sheaf/kernel';
import type { Process, Span, Tracer } from '@sheaf/runtime';
import { neighbours, type Neighbour } from '../audiences';
import { metadataKeys, tokenOf, type Call } from '../call';
import { MultiplexedCalls } from './calls-client';
import { certificatesOf, type Certificates, type TlsSettings } from './certificates';
import { callingCredentials } from './credentials';
import { keepClosingConnections } from './closing-connections';
import { endMark, serializerWithEnd } from './end-mark';
import { fromStatus } from './problem-status';
import { lowerFirst, protocols, sizeLimits, type MethodTypes, type Protocol } from './protocol';
import { failureAttributes, spanOf } from './spans';
import { writeAll } from './write-all';

/**
 * The methods of a service, as calls that return an answer or throw a Problem. Each iteration of a streamed answer makes a new call, which
 * is read as fast as it is iterated and cancelled if the iteration ends early. A streamed request is iterated as fast as the service reads
 * it; an error thrown while iterating it cancels the call and is rethrown as a Problem.
 */
export type Client<Definition> = { [M in keyof Definition & string as Uncapitalize<M>]: Method<Definition[M]> };

type Method<Types> =
  Types extends MethodTypes<infer Sent, unknown, unknown, infer Received, infer Streams>
    ? Streams extends 'answer'
      ? (call: Call, request: Sent) => AsyncIterable<Received>
      : (call: Call, request: Streams extends 'request' ? AsyncIterable<Sent> : Sent) => Promise<Received>
    : never;

export interface Connection<Definition> {
  readonly client: Client<Definition>;
  close(): void;
}

const channelOptions = {
  ...sizeLimits,
  // One address may stand for several copies of a service (a headless Service in Kubernetes); the default sends everything to the first.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  // With the defaults (1 s, growing to 2 min) a neighbour that has recovered would stay unused for too long.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  // DNS is queried again when a copy stops. With the default, at most every 30 s, a caller could be left with the addresses of stopped copies
  // if the last answer did not list their successors yet.
  'grpc.dns_min_time_between_resolutions_ms': 1_000,
  'grpc.keepalive_timeout_ms': 5_000,
};

keepClosingConnections();

/**
 * Connects to a service in the background and reconnects when the connection breaks. If the service is down, a call fails at once with
 * `unavailable`; if it is too slow, the call fails the same way at its deadline. A call that is cut off is retried once if the protocol
 * marks it as safe to repeat (`idempotency_level`).
 * @param pingMs how often a connection with calls in flight is pinged; tests use another value.
 */
export function connect<Definition>(
  address: string,
  protocol: Protocol<Definition>,
  { tracer, certificates, pingMs = 30_000 }: { tracer?: Tracer | undefined; certificates?: Certificates | undefined; pingMs?: number } = {},
): Connection<Definition> {
  const grpc = new GrpcClient(address, callingCredentials(protocol.service, certificates), {
    ...channelOptions,
    'grpc.keepalive_time_ms': pingMs,
    // The name that the server is asked for: an address may be a number, which TLS knows no name for.
    ...(certificates ? { 'grpc.ssl_target_name_override': protocol.service } : {}),
  });

  const calls = new MultiplexedCalls(grpc, protocol.service);
  const client: Record<string, unknown> = {};
  for (const [name, method] of Object.entries(protocol.methods)) {
    const begin = tracer && ((call: Call) => spanOf(tracer, 'client', { service: protocol.name, method: name }, call));
    if (method.responseStream) {
      const ask = streamedAnswer(grpc, method, protocol.service);
      client[lowerFirst(name)] = begin ? tracedStream(begin, ask) : ask;
    } else {
      const ask = method.requestStream ? streamedRequest(grpc, method, protocol.service) : unary(calls, name, method);
      client[lowerFirst(name)] = begin ? traced(begin, ask) : ask;
    }
  }
  return { client: client as Client<Definition>, close: () => calls.close() };
}

/** A client of each service that an app calls, by its name. */
export type Neighbours<Of extends App> = {
  readonly [N in Neighbour<Of>]: (typeof protocols)[N] extends Protocol<infer D> ? Client<D> : never;
};

/** The address of each service that an app calls. */
export type Addresses<Of extends App> = Record<`${Uppercase<Neighbour<Of>>}_ADDR`, string>;

/** Connects an app to the services that it calls: with its certificate and its traces, until it stops. */
export function neighboursOf<Of extends App>(process: Process, app: Of, settings: TlsSettings & Addresses<Of>): Neighbours<Of> {
  const calling = { tracer: process.tracer, certificates: certificatesOf(process, settings) };
  const addresses = new Map(Object.entries<string | undefined>({ ...settings }));
  const clients = neighbours[app].map((name) => {
    const connection = connect(addresses.get(`${name.toUpperCase()}_ADDR`) ?? '', protocols[name] as Protocol<unknown>, calling);
    process.onStop(protocols[name].name, () => connection.close());
    return [name, connection.client];
  });
  return Object.fromEntries(clients) as Neighbours<Of>;
}

type GrpcMethod = Protocol<unknown>['methods'][string];

const unary =
  (calls: MultiplexedCalls, name: string, { requestSerialize, responseDeserialize, repeatable = false }: GrpcMethod) =>
  async (call: Call, request: unknown) =>
    responseDeserialize(await calls.call(name, call, requestSerialize(request), repeatable));

const streamedRequest =
  (grpc: GrpcClient, { path, requestSerialize, responseDeserialize }: GrpcMethod, service: ServiceName) =>
  (call: Call, requests: AsyncIterable<unknown>) =>
    new Promise((resolve, reject) => {
      // An answer ends the writing too: a service may answer before it has read everything.
      const answered = new AbortController();
      const end = cancelledBy(call.signal, () => stream.cancel());
      const stream = grpc.makeClientStreamRequest(
        path,
        serializerWithEnd(requestSerialize),
        responseDeserialize,
        metadataOf(call, service),
        { deadline: call.deadline },
        (error, answer) => {
          end();
          answered.abort();
          if (error) reject(fromStatus(error));
          else resolve(answer);
        },
      );
      // Only the callback receives the outcome of the call.
      stream.on('error', () => undefined);
      writeAll(stream, requests, answered.signal).then(
        () => stream.end(endMark),
        (thrown: unknown) => {
          if (answered.signal.aborted) return;
          // Reject first, before the cancellation comes back as a separate failure.
          reject(Problem.from(thrown));
          stream.cancel();
        },
      );
    });

const streamedAnswer = (grpc: GrpcClient, { path, requestSerialize, responseDeserialize }: GrpcMethod, service: ServiceName) =>
  async function* (call: Call, request: unknown) {
    const stream = grpc.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadataOf(call, service), {
      deadline: call.deadline,
    });
    // A cancelled stream still emits an error when nothing iterates it any more.
    stream.on('error', () => undefined);
    const end = cancelledBy(call.signal, () => stream.cancel());
    try {
      yield* stream;
    } catch (error) {
      throw fromStatus(error as ServiceError);
    } finally {
      end();
      stream.cancel();
    }
  };

const traced =
  <Request>(begin: (call: Call) => Span | undefined, ask: (call: Call, request: Request) => Promise<unknown>) =>
  async (call: Call, request: Request) => {
    const span = begin(call);
    if (!span) return ask(call, request);
    try {
      const answer = await ask({ ...call, trace: span.trace }, request);
      span.end();
      return answer;
    } catch (thrown) {
      span.end(failureAttributes(thrown));
      throw thrown;
    }
  };

const tracedStream = (begin: (call: Call) => Span | undefined, ask: (call: Call, request: unknown) => AsyncIterable<unknown>) =>
  async function* (call: Call, request: unknown) {
    const span = begin(call);
    let end: Record<string, string> = {};
    try {
      yield* ask(span ? { ...call, trace: span.trace } : call, request);
    } catch (thrown) {
      end = failureAttributes(thrown);
      throw thrown;
    } finally {
      span?.end(end);
    }
  };

/** @returns a function that stops listening. */
function cancelledBy(signal: AbortSignal | undefined, cancel: () => void): () => void {
  if (signal?.aborted === true) queueMicrotask(cancel);
  signal?.addEventListener('abort', cancel, { once: true });
  return () => signal?.removeEventListener('abort', cancel);
}

function metadataOf(call: Call, service: ServiceName): Metadata {
  const metadata = new Metadata();
  metadata.set(metadataKeys.token, `Bearer ${tokenOf(call, service)}`);
  metadata.set(metadataKeys.requestId, call.requestId);
  if (call.trace !== undefined) metadata.set(metadataKeys.trace, call.trace);
  if (call.address !== undefined) metadata.set(metadataKeys.address, call.address);
  if (call.access !== undefined) metadata.set(metadataKeys.access, call.access);
  return metadata;
}
