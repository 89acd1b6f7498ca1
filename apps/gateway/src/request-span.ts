import type { IncomingMessage, ServerResponse } from 'node:http';
import { readTrace } from '@sheaf/kernel';
import type { Span, Tracer } from '@sheaf/runtime';

/** The trace that a request says to be part of. The client's tracestate goes no further: it is for the systems that wrote it. */
export function traceOf({ headers: { traceparent } }: IncomingMessage): string | undefined {
  return typeof traceparent === 'string' ? readTrace(traceparent) : undefined;
}

/**
 * The span of a request, until its answer is sent or cut off. It names the route and not the path, and nothing of the client's: paths and
 * queries hold identifiers and more, and headers keys and addresses.
 */
export function spanOf(tracer: Tracer, { method, path }: { method: string; path: string }, request: IncomingMessage & { protocol: string }, response: ServerResponse, requestId: string): Span {
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
    else span.end({ 'http.response.status_code': response.statusCode, ...(response.statusCode >= 500 ? { 'error.type': String(response.statusCode) } : {}) });
  });
  return span;
}
