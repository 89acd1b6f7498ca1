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
type Answer = { status?: number; data?: ReturnType<typeof event>[]; has_more?: boolean; went_on?: boolean; missed?: number };

/** A Sheaf that answers so, one after the other, and then no more: it stands for Ctrl-C. @param form nothing for every form */
async function listen(answers: Answer[], args: string[], { form = ['f'], forms = [] as string[][] } = {}) {
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
        const data = ((forms.length > 1 ? forms.shift() : forms[0]) ?? []).map((id) => ({ id, title: `Form ${id}` }));
        return response.setHeader('content-type', 'application/json').end(JSON.stringify({ data, next_cursor: null }));
      }
      asked.push({ url: request.url ?? '', ...((await json(request)) as { events: string[]; received: string[] }) });
      const answer = answers.shift();
      if (answer === undefined) return interruption.abort();
      const { status = 200, ...page } = answer;
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

it('without a form, every form of the key is listened to, but for those that it may not', async () => {
  const { code, said, shown, asked, ended } = await listen(
    [{ went_on: false }, { went_on: false }, { data: [event('1')] }, { data: [event('2')] }, { status: 403 }, { data: [event('3')] }],
    [],
    { form: [], forms: [['a', 'b']] },
  );
  expect(code).toBe(0);
  expect(said).toContain('Waiting for events of 2 forms');
  expect(said).toContain('“a” is not listened to: Not now.');
  expect(shown.match(/submission\.created/g)).toHaveLength(3);
  const formsOf = (urls: string[]) => urls.map((url) => url.split('/')[4]);
  expect(formsOf(asked.map(({ url }) => url)).slice(2)).toEqual(['a', 'b', 'a', 'b', 'b']);
  expect(formsOf(ended)).toEqual(['b']);
});

it('a form has to be named where there are more than a program listens to', async () => {
  const forms = [Array.from({ length: 21 }, (_, at) => String(at))];
  expect(await listen([], [], { form: [], forms })).toMatchObject({
    code: 1,
    asked: [],
    said: 'There are 21 forms, and a program listens to 20 at most. Name one of them.',
  });
});

it('a person who has lost access is told, and hears no more', async () => {
  const { code, said } = await listen([{ went_on: false }, { status: 403 }], []);
  expect({ code, said }).toEqual({ code: 1, said: expect.stringContaining('Ask an owner of the form') as string });
  expect(await listen([], ['--forward', 'localhost:3000'])).toMatchObject({ code: 2 });
});
