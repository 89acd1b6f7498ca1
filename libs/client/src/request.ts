import type { EncodedBody } from './form-data';
import type { OperationRequest } from './operation';

/** The address of an operation. @throws TypeError for a parameter that would lead to another one. */
export function addressOf(base: string, { url, path = {}, query = {} }: OperationRequest): string {
  const filled = url.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (path as Record<string, unknown>)[name];
    if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError(`path.${name}: must be a string or a number`);
    const segment = encodeURIComponent(value);
    if (['', '.', '..'].includes(segment)) throw new TypeError(`path.${name}: must not be "${value}"`);
    return segment;
  });
  const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => pairsOf(name, value))).toString();
  return base + filled + (search === '' ? '' : `?${search}`);
}

/** Lists repeat their name, and objects append each key in brackets: `filter[age][gte]=18`. */
function pairsOf(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => pairsOf(name, item));
  if (typeof value === 'object') return Object.entries(value).flatMap(([key, item]) => pairsOf(`${name}[${key}]`, item));
  return [[name, `${value as string | number}`]];
}

/** The body and the headers of an operation. */
export function contentOf({ body, headers = {}, encodeBody = encode }: OperationRequest): { body?: EncodedBody['body']; headers: Headers } {
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && value !== null) sent.set(name, String(value));
  }
  if (body === undefined) {
    sent.delete('content-type');
    return { headers: sent };
  }
  const encoded = encodeBody(body as never);
  // A JSON type comes from the generated code, for operations that take a file as well.
  if (encoded.contentType !== undefined) sent.set('content-type', encoded.contentType);
  return { body: encoded.body, headers: sent };
}

const encode = (body: unknown): EncodedBody =>
  body instanceof Blob ? { body, contentType: body.type || 'application/octet-stream' } : { body: JSON.stringify(body) };
