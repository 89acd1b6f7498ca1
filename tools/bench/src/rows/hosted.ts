import { gzipSync } from 'node:zlib';
import type { FormItemInput } from '@sheaf/client';
import { measure } from '../load';
import { alternate, type Bench, type Result } from '../row';
import { answers } from '../world';

/** Opens the page of a form, and sends it. */
export async function hosted(bench: Bench, report: (result: Result) => void): Promise<void> {
  const { world, yardstick } = bench;
  const { origin } = world.system;

  const long = await world.form('Twenty questions', twentyFields);
  const url = `${origin}/f/${long}`;
  const html = await (await fetch(url)).text();
  await fetch(`${yardstick.origin}/bytes`, { method: 'POST', body: html });
  report(await alternate(bench, 'GET page', { url }, { url: `${yardstick.origin}/bytes` }, 'ratio ≥ 0.4'));
  report(await weight(origin, html));

  const form = await world.form('Sent by page');
  const page = `${origin}/f/${form}`;
  const tokens = await collectTokens(page, world.quick ? 500 : 90_000);
  let n = 0;
  const send = () => {
    const token = tokens.pop();
    if (token === undefined) throw new Error('the tokens of the pages are used up');
    return pageBody(token, answers(n++));
  };
  const submit = {
    url: `${origin}/public/v1/forms/${form}/submissions`,
    method: 'POST' as const,
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify({ data: answers(n++) }),
  };
  report(
    await alternate(
      bench,
      'POST page',
      { url: page, method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: send, good: '3xx' },
      submit,
      'ratio ≥ 0.6 of submit, one form',
      'submit, one form',
    ),
  );
}

/** How many bytes a browser loads. */
async function weight(origin: string, html: string): Promise<Result> {
  const sizeOf = async (pattern: RegExp) => {
    const files = [...html.matchAll(pattern)].map(([, path = '']) => origin + path);
    const sizes = await Promise.all(files.map(async (file) => gzipSync(Buffer.from(await (await fetch(file)).arrayBuffer())).length));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  const shown = gzipSync(html).length + (await sizeOf(/<link[^>]+rel="stylesheet"[^>]+href="([^"]+)"/g));
  const script = await sizeOf(/<script[^>]+src="([^"]+)"/g);
  const kB = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
  return {
    name: 'weight of a page with 20 fields',
    goal: 'HTML + CSS ≤ 25 kB, JS ≤ 5 kB',
    note: `gzipped: HTML + CSS ${kB(shown)}, JavaScript ${kB(script)}`,
  };
}

/** Opens the page many times: each token is good for one submission. */
async function collectTokens(url: string, count: number): Promise<string[]> {
  const tokens: string[] = [];
  const onBody = (html: string) => tokens.push(/name="token" value="([^"]+)"/.exec(html)?.[1] ?? '');
  await measure({ url, onBody: (html) => void onBody(html) }, { answers: Math.ceil(count / 32) });
  return tokens;
}

const pageBody = (token: string, data: Record<string, unknown>): string =>
  new URLSearchParams([
    ['token', token],
    ['version', '1'],
    ['step', '0'],
    ['shown', '0 1 2 3 4'],
    ...Object.entries(data).map(([key, value]): [string, string] => [`a.${key}`, String(value)]),
    ['do', 'send'],
  ]).toString();

const kinds = ['short_text', 'email', 'long_text', 'number', 'date', 'select', 'multi_select', 'boolean', 'rating', 'phone'];
const twentyFields = Array.from({ length: 20 }, (_, n) => {
  const type = kinds[n % kinds.length] ?? 'short_text';
  return {
    key: `question_${n}`,
    label: `Question ${n + 1}: what do you want to tell us here?`,
    help: 'We ask this to answer you faster.',
    type,
    required: n % 2 === 0,
    ...(type.endsWith('select') ? { options: ['The first', 'The second', 'The third', 'The fourth'] } : {}),
  } as FormItemInput;
});
