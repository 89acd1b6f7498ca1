import { OwnFailure } from '@sheaf/egress';
import type { Span, Tracer } from '@sheaf/runtime';
import type { Claim } from './claims.queries';
import type { Result } from './posted';

/**
 * The attempt's span, in its event's trace. It names only the host, because the address may contain a subscriber's secret.
 * An event without a trace gets no span.
 */
export function startSpan(tracer: Tracer, claim: Claim): Span | undefined {
  if (claim.traceparent === null) return undefined;
  const { hostname, port, protocol } = new URL(claim.url);
  return tracer.start('client', 'POST', claim.traceparent, {
    'http.request.method': 'POST',
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    ...(claim.number > 1 ? { 'http.request.resend_count': claim.number - 1 } : {}),
    'sheaf.delivery_id': claim.id,
    'sheaf.event_id': claim.event_id,
    'sheaf.subscription_id': claim.subscription_id,
  });
}

export const endSpan = (span: Span, result: Result): void => span.end(attributesOf(result));

function attributesOf(result: Result): Record<string, string | number> {
  if ('fault' in result) return { 'error.type': result.fault instanceof OwnFailure ? `own_${result.fault.stage}` : 'own_prepare' };
  const { outcome } = result;
  if ('error' in outcome) return { 'error.type': outcome.error };
  const { status } = outcome;
  return { 'http.response.status_code': status, ...(status >= 200 && status < 300 ? {} : { 'error.type': String(status) }) };
}
