import type { IncomingMessage, ServerResponse } from 'node:http';
import { readTrace } from '@sheaf/kernel';
import type { Span, Tracer } from '@sheaf/runtime';

/** The trace that a request belongs to. The client's tracestate is dropped, because it is meant for other systems. */
export function traceOf({ headers: { traceparent } }: IncomingMessage): string | undefined {
  return typeof traceparent === 'string' ? readTrace(traceparent) : undefined;
}

/**
 * Starts the span of a request, which ends when the response is sent or cut off. It names the route instead of the path and contains no
 * client data: paths and queries may contain identifiers, and headers may contain keys and addresses.
 */
export function spanOf(
  tracer: Tracer,
  { method, path }: { method: string; path: string },
  request: IncomingMessage & { protocol: string },
  response: ServerResponse,
  requestId: string,
): Span {
  const verb = method.toUpperCase();
  const span = tracer.start('server', `${verb} ${path}`, traceOf(request), {
    'http.request.method': verb,
    'http.route': path,
    'url.scheme': request.protocol,
    'network.protocol.version': request.httpVersion,
    'sheaf.request_id': requestId,
  });
  response.once('close', () => {
    if (!response.writableFinished) span.end({ 'error.type': 'cut off' });
    else
      span.end({
        'http.response.status_code': response.statusCode,
        ...(response.statusCode >= 500 ? { 'error.type': String(response.statusCode) } : {}),
      });
  });
  return span;
}
