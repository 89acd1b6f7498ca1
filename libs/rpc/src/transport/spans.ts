import { Problem } from '@sheaf/kernel';
import type { Span, Tracer } from '@sheaf/runtime';
import type { Call } from '../call';

/** Starts the span of a call on the calling or the answering side. A call without a trace, such as housekeeping, does not begin one. */
export function spanOf(
  tracer: Tracer,
  kind: 'client' | 'server',
  { service, method }: { service: string; method: string },
  call: Call,
): Span | undefined {
  if (call.trace === undefined) return undefined;
  return tracer.start(kind, `${service}/${method}`, call.trace, {
    'rpc.system': 'grpc',
    'rpc.service': service,
    'rpc.method': method,
    'sheaf.request_id': call.requestId,
  });
}

/** The attributes of a span whose call ended with a problem. A refusal is a normal answer; only failures on our side count as failed. */
export function failureAttributes(thrown: unknown): Record<string, string> {
  const { code } = Problem.from(thrown);
  return code === 'internal_error' || code === 'unavailable' ? { 'error.type': code } : { 'sheaf.refusal': code };
}
