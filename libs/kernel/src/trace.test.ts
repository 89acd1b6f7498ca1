import { readTrace, traceNames } from './trace';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

it('passes on a valid traceparent', () => {
  expect(readTrace(`00-${traceId}-${spanId}-01`)).toBe(`00-${traceId}-${spanId}-01`);
  expect(readTrace(`00-${traceId}-${spanId}-00`)).toBe(`00-${traceId}-${spanId}-00`);
});

it.each([
  ['nothing', undefined],
  ['an empty header', ''],
  ['no traceparent at all', 'hello'],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['a parent of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
  ['the version that is never valid', `ff-${traceId}-${spanId}-01`],
  ['more parts than its version has', `00-${traceId}-${spanId}-01-more`],
  ['two headers in one', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
  ['a trace that is too short', `00-${traceId.slice(1)}-${spanId}-01`],
])('drops %s', (_, given) => {
  expect(readTrace(given)).toBeUndefined();
});

it('reads the known parts of a later version and passes them on as version 00', () => {
  expect(readTrace(`cc-${traceId}-${spanId}-01-what-the-future-brings`)).toBe(`00-${traceId}-${spanId}-01`);
});

it('does not pass on unknown flags', () => {
  expect(readTrace(`00-${traceId}-${spanId}-ff`)).toBe(`00-${traceId}-${spanId}-01`);
  expect(readTrace(`00-${traceId}-${spanId}-02`)).toBe(`00-${traceId}-${spanId}-00`);
});

it('names the trace and the span for the log', () => {
  expect(traceNames(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId });
  expect(traceNames(undefined)).toEqual({});
});
