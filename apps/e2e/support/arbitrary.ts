import fc, { type Arbitrary } from 'fast-check';
import { componentsOf, resolved, type Operation, type Schema } from './operations';

/** Strings that often break software. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '\ufeff',
  '\uffff',
  '💥'.repeat(300),
  'x'.repeat(3_000),
  "' or 1=1 --",
  "'; drop table form; --",
  '%',
  '_',
  '\\',
  '%_\\',
  '$1',
  ':title',
  '?',
  '{}',
  '[]',
  '"',
  '`',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  '0',
  '-1',
  '1e400',
  '9223372036854775808',
  '0x10',
  '../../etc/passwd',
  '..',
  '.',
  'true',
  '00000000-0000-0000-0000-000000000000',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '+275760-09-13T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  'Europe/Nowhere',
  'https://',
  'https://[::1]',
  'http://127.0.0.1:1',
  'javascript:alert(1)',
  'a@b',
  '=1+1',
  '\r\nX-Injected: 1',
];

const anyText = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ maxLength: 300 }));
const anyNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 2 ** 31, 2 ** 53, 2 ** 63, 1e308, -1e308, 5e-324, 0.1),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const anyDate = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const anything: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, [], {}, [[]], [null]),
  anyText,
  anyNumber,
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(anyText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 }),
);

/**
 * Generates mostly values that the schema allows, so that many requests pass validation, and sometimes any other value. Each named shape is
 * built once: a form's fields are of many types, each of which may have conditions, and all of them written out took half a minute.
 */
function valueOf(body: Schema, existingIds: readonly string[]): Arbitrary<unknown> {
  const { body: value } = fc.letrec((named) => {
    const valid = validValues(existingIds, valueOrOther);
    function valueOrOther(schema: Schema): Arbitrary<unknown> {
      const { $ref } = schema;
      // A shape that has itself as a part, such as a condition, would have no end: below its second level comes any value, the first of these.
      const end = $ref === undefined ? {} : ({ depthIdentifier: $ref, maxDepth: 2, depthSize: 'max' } as const);
      return fc.oneof(end, { weight: 1, arbitrary: anything }, { weight: 5, arbitrary: $ref === undefined ? valid(schema) : named($ref) });
    }
    return {
      ...Object.fromEntries(componentsOf(body).map(($ref) => [$ref, valid(resolved({ $ref }))])),
      body: valueOrOther(body),
    };
  });
  return value;
}

const validValues = (existingIds: readonly string[], valueOf: (part: Schema) => Arbitrary<unknown>) => {
  const text = fc.oneof(fc.constantFrom(...existingIds), anyText, fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/));
  return (schema: Schema): Arbitrary<unknown> => {
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives) return fc.oneof(...alternatives.map(valueOf));
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (Array.isArray(schema.type)) return anything;
    switch (schema.type) {
      case 'string':
        return schema.format === 'date-time' ? anyDate : text;
      case 'integer':
      case 'number':
        return fc.oneof(fc.integer({ min: 0, max: 200 }), anyNumber);
      case 'boolean':
        return fc.boolean();
      case 'array':
        return fc.array(valueOf(schema.items ?? {}), { maxLength: 5 });
      case 'object':
        return fc.record(Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, value]) => [key, valueOf(value)])), {
          requiredKeys: schema.required ?? [],
        });
      case undefined:
      default:
        return anything;
    }
  };
};

const percentHex = (bytes: Iterable<number>) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
/** Percent-encodes byte by byte, including sequences that `encodeURIComponent` cannot produce, such as half of a character. */
const percentEncoded = (text: string) => percentHex(Buffer.from(text));

const pathSegment = (existingIds: readonly string[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...existingIds) },
    { weight: 1, arbitrary: fc.constantFrom(...hostileTexts.filter((text) => text !== '')).map(percentEncoded) },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 20 }).map(percentHex) },
    { weight: 1, arbitrary: fc.stringMatching(/^[!-"$-.0->@-~]{1,40}$/) },
  );

const queryValue = (schema: Schema) => {
  const { enum: values } = resolved(schema);
  return fc.oneof(
    values ? fc.constantFrom(...values.map(String)) : fc.integer({ min: 0, max: 120 }).map(String),
    anyText.map((text) => percentEncoded(text)),
    fc.constantFrom('%', '%ff', '%00', '%u0041', '+', '1&limit=2', '[]=1'),
  );
};

export interface RandomRequest {
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
}

/** Generates random requests to an operation. */
export function requestsTo({ path, parameters, body }: Operation, existingIds: readonly string[]): Arbitrary<RandomRequest> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const header = parameters.filter((parameter) => parameter.in === 'header');

  const anyBody =
    body === undefined
      ? fc.constantFrom(undefined, '', '{', '{"a":1}')
      : fc.oneof(
          { weight: 8, arbitrary: valueOf(body, existingIds).map((value) => JSON.stringify(value)) },
          { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
          { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
        );
  return fc
    .record({
      values: fc.tuple(...names.map(() => pathSegment(existingIds))),
      query: fc.record(
        Object.fromEntries([...query.map(({ name, schema }) => [name, queryValue(schema)] as const), ['__proto__[x]', fc.constant('1')]]),
        { requiredKeys: [] },
      ),
      headers: fc.record(Object.fromEntries(header.map(({ name }) => [name, fc.stringMatching(/^[ -~]{0,300}$/)] as const)), {
        requiredKeys: [],
      }),
      body: anyBody,
      type: fc.oneof(
        { weight: 9, arbitrary: fc.constant('application/json') },
        {
          weight: 1,
          arbitrary: fc.constantFrom(
            'text/plain',
            'application/json; charset=utf-16',
            'application/json; charset=x',
            ';',
            'multipart/form-data',
          ),
        },
      ),
    })
    .map((parts) => {
      let next = 0;
      const search = Object.entries(parts.query)
        .map(([name, value]) => `${name}=${value}`)
        .join('&');
      return {
        path: path.replace(/\{\w+\}/g, () => parts.values[next++] ?? '') + (search === '' ? '' : `?${search}`),
        headers: { ...parts.headers, ...(parts.body === undefined ? {} : { 'content-type': parts.type }) },
        body: parts.body,
      };
    });
}
