import { OwnFailure } from '@sheaf/egress';
import type { Span, Tracer } from '@sheaf/runtime';
import { membersOf, type Claim } from './claims.queries';
import type { Result } from './posted';

/** The trace of an attempt: that of its event, or of the first event of a batch that has one. */
export const traceOf = (claim: Claim): string | null => tracesOf(claim)[0] ?? null;

/** Each once: a request may have caused several events. */
const tracesOf = (claim: Claim): string[] => [...new Set(membersOf(claim).flatMap(({ traceparent }) => traceparent ?? []))];

/**
 * The attempt's span, in its trace. That of a batch has links to the traces of its other events. It names only the host, because the address may contain a
 * subscriber's secret. Events without a trace get no span.
 */
export function startSpan(tracer: Tracer, claim: Claim): Span | undefined {
  const [trace, ...others] = tracesOf(claim);
  if (trace === undefined) return undefined;
  const { hostname, port, protocol } = new URL(claim.url);
  const attributes = {
    'http.request.method': 'POST',
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    ...(claim.number > 1 ? { 'http.request.resend_count': claim.number - 1 } : {}),
    ...(claim.batch
      ? { 'sheaf.batch_id': claim.batch.id, 'sheaf.batch_events': membersOf(claim).length }
      : { 'sheaf.delivery_id': claim.id, 'sheaf.event_id': claim.event_id }),
    'sheaf.subscription_id': claim.subscription_id,
  };
  return tracer.start('client', 'POST', trace, attributes, others);
}

export const endSpan = (span: Span, result: Result): void => span.end(attributesOf(result));

function attributesOf(result: Result): Record<string, string | number> {
  if ('fault' in result) return { 'error.type': result.fault instanceof OwnFailure ? `own_${result.fault.stage}` : 'own_prepare' };
  const { outcome } = result;
  if ('error' in outcome) return { 'error.type': outcome.error };
  const { status } = outcome;
  return { 'http.response.status_code': status, ...(status >= 200 && status < 300 ? {} : { 'error.type': String(status) }) };
}
