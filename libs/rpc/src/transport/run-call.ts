import { traceNames, type Caller, type Problem } from '@sheaf/kernel';
import type { Log, Process } from '@sheaf/runtime';
import { Histogram } from 'prom-client';
import type { ArrivedCall } from '../call';
import type { VerifyCaller } from '../caller-token';
import { failureAttributes, spanOf } from './spans';

/** Verifies the token of a call, handles the call, and returns its answer or its problem; never throws. */
export type RunCall = <Answer>(
  method: string,
  call: ArrivedCall,
  handle: (asked: { caller: Caller; call: ArrivedCall }) => Promise<Answer>,
) => Promise<{ answer: Answer } | { problem: Problem }>;

/** Returns a function that runs the calls of one service, and measures, traces and logs each of them. */
export function callRunner(
  { log, metrics, tracer }: Pick<Process, 'log' | 'metrics' | 'tracer'>,
  { service, verify, problemOf }: { service: string; verify: VerifyCaller; problemOf: (thrown: unknown) => Problem },
): RunCall {
  const durations = new Histogram({
    name: 'sheaf_rpc_duration_seconds',
    help: 'Time to answer a call, by method and outcome.',
    labelNames: ['method', 'code'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics],
  });

  // Only another process sends such a token, so its keys or ours are wrong, and all that its clients hear is a 401.
  const verified = (call: ArrivedCall, method: string): Caller => {
    try {
      return verify(call.token);
    } catch (thrown) {
      const problem = problemOf(thrown);
      if (problem.code === 'unauthorized')
        log.warn(
          { err: problem.cause ?? problem, requestId: call.requestId, method },
          'refused a caller token: compare CALLER_KEY there with CALLER_KEYS here',
        );
      throw thrown;
    }
  };

  return async (method, arrived, handle) => {
    const timer = durations.startTimer({ method });
    const span = tracer && spanOf(tracer, 'server', { service, method }, arrived);
    const call = span ? { ...arrived, trace: span.trace } : arrived;
    try {
      const caller = verified(call, method);
      const answer = await handle({ caller, call });
      timer({ code: 'ok' });
      span?.end();
      return { answer };
    } catch (thrown) {
      const problem = problemOf(thrown);
      // A client that has gone receives no problem, so other failures after that do not count.
      const isGone = call.signal?.aborted === true;
      timer({ code: isGone ? 'cancelled' : problem.code });
      span?.end(isGone ? { 'sheaf.refusal': 'cancelled' } : failureAttributes(problem));
      logFailure(log, method, call, isGone ? 'gone' : problem);
      return { problem };
    }
  };
}

/** The client learns only that something went wrong; the log has the cause under the same request id. */
function logFailure(log: Log, method: string, call: ArrivedCall, failure: Problem | 'gone'): void {
  const names = { requestId: call.requestId, ...traceNames(call.trace) };
  if (failure === 'gone') log.debug({ ...names, method }, 'client disconnected during a call');
  else if (failure.code === 'internal_error' || failure.code === 'unavailable')
    log.error({ err: failure.cause ?? failure, ...names, method }, 'call failed');
  else log.debug({ code: failure.code, reason: failure.cause ?? failure.message, ...names, method }, 'call refused');
}
