import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { json, text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { runProgram } from './program';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
async function serve(answer: Parameters<typeof createServer>[1], port = 0) {
  const server = createServer(answer);
  servers.push(server);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const event = (id: string) => ({
  id,
  event: 'submission.created',
  headers: [
    { name: 'Content-Type', value: 'application/json' },
    { name: 'webhook-id', value: id },
    { name: 'webhook-timestamp', value: String(Math.floor(Date.now() / 1_000)) },
    { name: 'webhook-signature', value: 'v1a,by-the-instance' },
  ],
  body: `{"event":"submission.created","occurred_at":"2026-03-04T16:05:12.000Z","data":{"name":"Zoë \\u001b[2J"}}`,
});
type Answer = { form?: string; status?: number; data?: ReturnType<typeof event>[]; has_more?: boolean; went_on?: boolean; missed?: number };

const formOf = (url: string): string | undefined => url.split('/')[4];

/**
 * A Sheaf that answers so, one after the other, and then no more: it stands for Ctrl-C.
 * @param form nothing for every form
 * @param forms by the place in which they are; the role on those whose names begin with “viewed” is viewer
 */
async function listen(
  answers: Answer[],
  args: string[],
  { form = ['f'], forms = {} }: { form?: string[]; forms?: Record<string, string[]> } = {},
) {
  const interruption = new AbortController();
  const asked: { url: string; events: string[]; received: string[] }[] = [];
  const ended: string[] = [];
  const port = await serve((request, response) => {
    void (async () => {
      if (request.method === 'DELETE') {
        ended.push(request.url ?? '');
        return response.writeHead(204).end();
      }
      if (request.method === 'GET') {
        const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://sheaf');
        const place = query.get('workspace_id') ?? (query.get('shared') === 'true' ? 'shared' : 'active');
        const data =
          pathname === '/api/v1/workspaces'
            ? Object.keys(forms).flatMap((id) => (id === 'shared' ? [] : [{ id }]))
            : (forms[place] ?? []).map((id) => ({ id, title: `Form ${id}`, role: id.startsWith('viewed') ? 'viewer' : 'editor' }));
        return response.setHeader('content-type', 'application/json').end(JSON.stringify({ data, next_cursor: null }));
      }
      asked.push({ url: request.url ?? '', ...((await json(request)) as { events: string[]; received: string[] }) });
      const at = answers.findIndex(({ form: of }) => of === undefined || of === formOf(request.url ?? ''));
      const [answer] = at === -1 ? [] : answers.splice(at, 1);
      if (answer === undefined) return interruption.abort();
      const { status = 200, form: _, ...page } = answer;
      response.writeHead(status, { 'content-type': 'application/json' });
      const refusal = { error: { code: status === 503 ? 'unavailable' : 'forbidden', message: 'Not now.' } };
      response.end(JSON.stringify(status === 200 ? { data: [], has_more: false, went_on: true, missed: 0, ...page } : refusal));
    })();
  });
  const said: string[] = [];
  const out = new PassThrough({ encoding: 'utf8' });
  const code = await runProgram(
    ['webhooks', 'listen', ...form, ...args],
    {
      program: 'sheaf',
      environment: { SHEAF_URL: `http://127.0.0.1:${port}`, SHEAF_KEY: 'shf_secret' },
      out,
      say: (line) => void said.push(line),
      isTerminal: true,
      hasColours: false,
      confirm: undefined,
      readSecret: () => Promise.reject(new Error('nobody asked for a key')),
      signal: interruption.signal,
    },
    '0.0.0',
  );
  return { code, asked, ended, said: said.join('\n'), shown: String(out.read() ?? '') };
}

it('each event is forwarded as it is, and a library for Standard Webhooks verifies it with the printed secret', async () => {
  const got: { headers: Record<string, string>; body: string }[] = [];
  const port = await serve((request, response) => {
    void text(request).then((body) => {
      got.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(204).end();
    });
  });
  const { code, said, shown, asked, ended } = await listen(
    [{ went_on: false }, { data: [event('1'), event('2')] }],
    ['--forward', `http://127.0.0.1:${port}/hook`, '--print-json'],
  );
  expect(code).toBe(0);
  const secret = /whsec_\S+/.exec(said)?.[0] ?? '';
  for (const { headers, body } of got) expect(new Webhook(secret).verify(body, headers)).toMatchObject({ event: 'submission.created' });
  expect(got.map(({ body }) => body)).toEqual([event('1').body, event('2').body]);
  expect(got[0]?.headers['webhook-signature']).toMatch(/^v1a,by-the-instance v1,/);
  expect(shown).toMatch(/submission\.created +1 {2}204 {2}\d+ ms\n\{"event"/);
  for (const hidden of ['\u001b', 'shf_secret']) expect(shown + said).not.toContain(hidden);
  // Sheaf hears of their arrival, under one id of the program.
  expect(asked.map(({ received }) => received)).toEqual([[], [], ['1', '2']]);
  expect(new Set(asked.map(({ url }) => url)).size).toBe(1);
  // After Ctrl-C there is room for another program at once.
  expect(ended).toEqual([asked[0]?.url]);
});

it('a local server that is down is named, and the next event is forwarded again', async () => {
  const port = await serve((_, response) => response.end());
  const down = servers.pop();
  await new Promise((resolve) => down?.close(resolve));
  const { code, said, shown, asked } = await listen(
    [{ went_on: false }, { data: [event('1')] }, { data: [event('2')] }],
    ['--forward', `http://127.0.0.1:${port}/`],
  );
  expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('Start your server there') as string });
  expect(shown.match(/ECONNREFUSED/g)).toHaveLength(2);
  expect(asked.at(-1)?.received).toEqual(['2']);
});

it('an answer of Sheaf that is lost brings its events again, and the program says what it may have missed', async () => {
  const { code, said, asked } = await listen(
    [{ went_on: false }, { data: [event('1')] }, { status: 503 }, { went_on: false }],
    ['--events', 'submission.created'],
  );
  expect(code).toBe(0);
  expect(asked.map(({ received }) => received)).toEqual([[], [], ['1'], ['1'], []].slice(0, asked.length));
  expect(asked[0]?.events).toEqual(['submission.created']);
  expect(said).toContain('what happened in between is not shown');
});

const begun = { went_on: false };

it('without a form, every form of the key is listened to, but for those that it may not', async () => {
  const { code, said, shown, asked, ended } = await listen(
    [
      begun,
      begun,
      { form: 'a', data: [event('1')] },
      { form: 'b', data: [event('2')] },
      { form: 'a', status: 403 },
      { form: 'b', data: [event('3')] },
    ],
    [],
    { form: [], forms: { active: ['a', 'b'] } },
  );
  expect(code).toBe(0);
  expect(said).toContain('Waiting for events of 2 forms');
  expect(said).toContain('“Form a” is not listened to: Not now.');
  expect(shown.match(/submission\.created/g)).toHaveLength(3);
  const times = (form: string) => asked.filter(({ url }) => formOf(url) === form).length;
  expect([times('a'), times('b')]).toEqual([3, 4]);
  expect(ended.map(formOf)).toEqual(['b']);
});

it('a form whose events a slow server receives keeps no other one waiting, nor does a form that fails', async () => {
  let ahead = 0;
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  let heardOfB: () => void = () => undefined;
  const other = new Promise<void>((resolve) => (heardOfB = resolve));
  // It answers the first form once it has heard of the second one, and then takes long for each event.
  const port = await serve((request, response) => {
    if (request.headers['webhook-id'] === 'b') heardOfB();
    void other.then(() => {
      if (request.headers['webhook-id'] === 'a') ahead += 21_000;
      response.end();
    });
  });
  const { code, said, shown, asked } = await listen(
    [
      begun,
      begun,
      begun,
      { form: 'fails', status: 503 },
      { form: 'a', data: [event('a'), event('later')], has_more: true },
      { form: 'b', data: [event('b')] },
      { form: 'fails' },
      { form: 'a', data: [event('a')], has_more: true },
      { form: 'b' },
    ],
    ['--forward', `http://127.0.0.1:${port}`],
    { form: [], forms: { active: ['fails', 'a', 'b'] } },
  );
  clock.mockRestore();
  expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('Not now. Trying again.') as string });
  expect(shown.match(/submission\.created +\w+ {2}200/g)).toHaveLength(3);
  // A look at a form ends in time for the others, although there is more.
  const looks = [0, 1, 2].map((look) => asked.slice(look * 3, look * 3 + 3).map(({ url }) => formOf(url)));
  for (const look of looks) expect(new Set(look)).toEqual(new Set(['fails', 'a', 'b']));
});

it('a person’s forms are those of every workspace, and those that are shared with them', async () => {
  const forms = { active: ['a'], elsewhere: ['b'], shared: ['c'] };
  const { asked } = await listen([begun, begun, begun], [], { form: [], forms });
  expect(new Set(asked.map(({ url }) => formOf(url)))).toEqual(new Set(['a', 'b', 'c']));
});

it('a form has to be named where there are more than a program listens to', async () => {
  const active = Array.from({ length: 21 }, (_, at) => String(at));
  expect(await listen([], [], { form: [], forms: { active } })).toMatchObject({
    code: 1,
    asked: [],
    said: 'There are 21 forms, and a program listens to 20 at most. Name one of them.',
  });
  // Those that the key may only read do not count.
  const { said } = await listen(
    [...active.slice(1)].map(() => begun),
    [],
    { form: [], forms: { active: [...active.slice(1), 'viewed'] } },
  );
  expect(said).toContain('Waiting for events of 20 forms');
});

it('a person who has lost access is told, and hears no more', async () => {
  const { code, said } = await listen([{ went_on: false }, { status: 403 }], []);
  expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('Ask an owner of the form') as string });
  expect(await listen([], ['--forward', 'localhost:3000'])).toMatchObject({ code: 2 });
});
