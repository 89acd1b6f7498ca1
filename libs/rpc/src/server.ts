import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { admit, Problem, type Caller, type CallerKind } from '@sheaf/kernel';
import type { Process } from '@sheaf/runtime';
import { HealthImplementation } from 'grpc-health-check';
import { Histogram } from 'prom-client';
import { metadataKeys, type Call } from './call';
import type { VerifyCaller } from './caller-token';
import { toStatus } from './problem-status';
import { ownCase, sizeLimits, type Messages, type MethodName, type Protocol } from './protocol';

/** Who asked, and what to hand on when the answer needs another service. */
export interface Asked<C extends Caller = Caller> {
  readonly caller: C;
  readonly call: Call;
}

/** A method behind its door: the kinds of callers that it admits, and what it does for them. */
export interface Door<Taken, Given> {
  readonly admits: readonly CallerKind[];
  readonly handle: (request: Taken, asked: Asked) => Promise<Given>;
}

/** Opens a method to the given kinds of callers and to no others. */
export const open = <K extends CallerKind, Taken, Given>(
  kinds: readonly K[],
  handle: (request: Taken, asked: Asked<Extract<Caller, { kind: K }>>) => Promise<Given>,
): Door<Taken, Given> => ({
  admits: kinds,
  handle: (request, { caller, call }) => handle(request, { caller: admit(caller, kinds), call }),
});

/** One door per method of the protocol. */
export type Doors<Definition> = {
  [M in MethodName<Definition> as Uncapitalize<M>]: Door<Messages<Definition[M]>['taken'], Messages<Definition[M]>['given']>;
};

/** How long work goes on for a client that named no deadline. */
const defaultDeadlineMs = 10_000;
/** How long a peer that ignores GOAWAY can hold up the stop. */
const forceShutdownMs = 3_000;

/**
 * Serves a protocol and stops with the process. Every call has to bring a valid caller token of a kind that its door admits.
 * @returns the port that it listens on.
 */
export async function serve<Definition>(
  own: Process,
  options: {
    protocol: Protocol<Definition>;
    doors: Doors<Definition>;
    verify: VerifyCaller;
    settings: { BIND_HOST: string; GRPC_PORT: number; GRPC_MAX_CONNECTION_AGE_MS: number };
    /** What anything thrown means; services with a database know more kinds of failures than this library does. */
    problemOf?: (thrown: unknown) => Problem;
  },
): Promise<number> {
  const { protocol, verify, settings, problemOf = Problem.from } = options;
  const doors = options.doors as Record<string, Door<unknown, unknown> | undefined>;
  const durations = new Histogram({
    name: 'sheaf_rpc_duration_seconds',
    help: 'Time to answer a call, by method and outcome.',
    labelNames: ['method', 'code'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [own.metrics],
  });

  const handlers: UntypedServiceImplementation = {};
  for (const method of Object.keys(protocol.methods)) {
    const door = doors[ownCase(method)];
    if (!door) throw new Error(`${protocol.name} has no door for ${method}.`);
    handlers[method] = (rpc: ServerUnaryCall<unknown, unknown>, reply: sendUnaryData<unknown>) => {
      const timer = durations.startTimer({ method });
      const call = readCall(rpc);
      const work = async () => door.handle(rpc.request, { caller: verify(call.token), call });
      work().then(
        (answer) => {
          timer({ code: 'ok' });
          reply(null, answer);
        },
        (thrown: unknown) => {
          const problem = problemOf(thrown);
          timer({ code: problem.code });
          // The client reads that something went wrong; what it was stands here, under the same request id.
          if (problem.code === 'internal_error' || problem.code === 'unavailable') own.log.error({ err: problem.cause ?? problem, requestId: call.requestId, method }, 'call failed');
          else own.log.debug({ code: problem.code, reason: problem.cause ?? problem.message, requestId: call.requestId, method }, 'call refused');
          reply(toStatus(problem));
        },
      );
    };
  }

  // Old connections are let go now and then: only then do new copies of this process get their share of the calls.
  const server = new Server({ ...sizeLimits, 'grpc.max_connection_age_ms': settings.GRPC_MAX_CONNECTION_AGE_MS, 'grpc.max_connection_age_grace_ms': 30_000 });
  server.addService(protocol.methods, handlers);

  // The standard health service; it says no more than the probes do and needs no token.
  const health = new HealthImplementation({ '': 'NOT_SERVING' });
  health.addToServer(server);
  const watch = setInterval(() => {
    own.health.unready().then(
      (unready) => health.setStatus('', unready.length === 0 ? 'SERVING' : 'NOT_SERVING'),
      () => health.setStatus('', 'NOT_SERVING'),
    );
  }, 1_000);

  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${settings.BIND_HOST}:${settings.GRPC_PORT}`, ServerCredentials.createInsecure(), (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  own.onStop('grpc', async () => {
    clearInterval(watch);
    health.setStatus('', 'NOT_SERVING');
    await shutDown(server);
  });
  return port;
}

function readCall(rpc: ServerUnaryCall<unknown, unknown>): Call {
  const first = (key: string) => rpc.metadata.get(key)[0]?.toString();
  const deadline = Number(rpc.getDeadline());
  return {
    token: first(metadataKeys.token)?.replace(/^Bearer /, '') ?? '',
    requestId: first(metadataKeys.requestId) ?? 'none',
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
