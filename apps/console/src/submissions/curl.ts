import { shellWord } from '@sheaf/contracts';
import type { ListQuery } from './list-search';

/** The request for a list, for a terminal. The key stays a placeholder: it must not end up in a clipboard. */
export function curlFor(origin: string, form: string, query: ListQuery): string {
  const parameters = [...pairs(query), ['limit', '100']].map(
    ([name = '', value = '']) => `  --data-urlencode ${shellWord(`${name}=${value}`)}`,
  );
  return [
    `curl --get ${shellWord(`${origin}/app/v1/forms/${form}/submissions`)}`,
    `  --header 'Authorization: Bearer YOUR_API_KEY'`,
    ...parameters,
  ].join(' \\\n');
}

/** The parameters of a list, by the names that the API has for them. */
export function pairs(query: ListQuery): [string, string][] {
  const flat = (name: string, value: unknown): [string, string][] => {
    if (Array.isArray(value)) return value.flatMap((each) => flat(name, each));
    if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([key, each]) => flat(`${name}[${key}]`, each));
    return [[name, String(value)]];
  };
  return Object.entries(query).flatMap(([name, value]) => flat(name, value));
}
