import { Problem } from '@sheaf/kernel';
import type { Span, Tracer } from '@sheaf/runtime';
import type { Call } from '../call';

/** The span of a call, on the side that makes it or on the one that answers. A call of no trace, as of our own housekeeping, begins none. */
export function spanOf(tracer: Tracer, kind: 'client' | 'server', { service, method }: { service: string; method: string }, call: Call): Span | undefined {
  if (call.trace === undefined) return undefined;
  return tracer.start(kind, `${service}/${method}`, call.trace, { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method, 'sheaf.request_id': call.requestId });
}

/** What became of a call that was not answered. A refusal is an answer too; only what went wrong with us counts as failed. */
export function endsWith(thrown: unknown): Record<string, string> {
  const { code } = Problem.from(thrown);
  return code === 'internal_error' || code === 'unavailable' ? { 'error.type': code } : { 'sheaf.refusal': code };
}
