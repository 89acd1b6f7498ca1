import type { Deps } from '../deps';
import { endSpan, startSpan, traceOf } from './attempt-span';
import type { Claim } from './claims.queries';
import type { Posted } from './posted';
import { send, type SendDeps } from './send';

export type PostDeps = SendDeps & Pick<Deps, 'tracer'>;

/** Sends the POST of a claimed attempt, in its span. @param onSlow called once the subscriber takes longer than `DELIVERY_SLOW_MS`. */
export async function post(deps: PostDeps, claimed: Claim, onSlow: () => void): Promise<Posted> {
  const span = deps.tracer && startSpan(deps.tracer, claimed);
  const trace = span?.trace ?? traceOf(claimed);
  const result = await send(deps, claimed, { trace, onSlow }).catch((fault: unknown) => ({ fault }));
  if (span) endSpan(span, result);
  return { claim: trace === claimed.traceparent ? claimed : { ...claimed, traceparent: trace }, result };
}
