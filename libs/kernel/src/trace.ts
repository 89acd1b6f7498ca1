// W3C Trace Context: https://www.w3.org/TR/trace-context/#traceparent-header. A later version may have more behind what we know of it.
const shape = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * A `traceparent` that came from somewhere else, as it is handed on: which trace this belongs to, what in it is the parent of what
 * comes next, and whether it is recorded. Undefined for none, and for one that is not valid.
 */
export function readTrace(given: string | undefined): string | undefined {
  const [, version, traceId, spanId, flags = '', more] = (given === undefined ? undefined : shape.exec(given)) ?? [];
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return undefined;
  // Of the flags only the first one is known to us, and others must not be passed on.
  return `00-${traceId}-${spanId}-0${Number.parseInt(flags, 16) & 1}`;
}

/** The names of a trace and of a span in it, as they stand in the lines of the log. None of both without a trace. */
export const traceNames = (trace: string | undefined): { traceId?: string; spanId?: string } =>
  trace === undefined ? {} : { traceId: trace.slice(3, 35), spanId: trace.slice(36, 52) };
