// W3C Trace Context: https://www.w3.org/TR/trace-context/#traceparent-header. Later versions may append further parts.
const shape = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Reads a `traceparent` from outside and returns it in the form in which we pass it on: trace id, parent span id and the sampled flag.
 * Undefined if it is missing or not valid.
 */
export function readTrace(traceparent: string | undefined): string | undefined {
  const [, version, traceId, spanId, flags = '', more] = (traceparent === undefined ? undefined : shape.exec(traceparent)) ?? [];
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return undefined;
  // We know only the first flag, and unknown flags must not be passed on.
  return `00-${traceId}-${spanId}-0${Number.parseInt(flags, 16) & 1}`;
}

/** The trace id and span id under their names in log lines; empty without a trace. */
export const traceNames = (trace: string | undefined): { traceId?: string; spanId?: string } =>
  trace === undefined ? {} : { traceId: trace.slice(3, 35), spanId: trace.slice(36, 52) };
