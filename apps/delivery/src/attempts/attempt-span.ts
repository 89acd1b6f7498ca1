import { OwnFailure, type Outcome } from '@sheaf/egress';
import type { Span, Tracer } from '@sheaf/runtime';
import type { Claim } from './attempt.queries';

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

/** Ends the span with the outcome of the POST. */
export async function endSpanWith(span: Span | undefined, post: Promise<Outcome>): Promise<Outcome> {
  try {
    const outcome = await post;
    span?.end(attributesOf(outcome));
    return outcome;
  } catch (error) {
    span?.end({ 'error.type': error instanceof OwnFailure ? `own_${error.stage}` : 'own_prepare' });
    throw error;
  }
}

function attributesOf(outcome: Outcome): Record<string, string | number> {
  if ('error' in outcome) return { 'error.type': outcome.error };
  const { status } = outcome;
  return { 'http.response.status_code': status, ...(status >= 200 && status < 300 ? {} : { 'error.type': String(status) }) };
}
