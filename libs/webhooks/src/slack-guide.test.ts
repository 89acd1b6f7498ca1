import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { Instance } from '../test/instance';
import { WebhookReceiver } from './receiver';

// The program for Slack in docs/guides/connect-other-services.md, which a fake of Slack's incoming webhooks listens to.

interface Message {
  text: string;
  blocks: { type: string; text?: PlainText; elements?: PlainText[] }[];
}
interface PlainText {
  type: string;
  text: string;
  emoji: boolean;
}

const page = readFileSync(join(__dirname, '../../../docs/guides/connect-other-services.md'), 'utf8');
const program = (/```js slack\.mjs\n([\s\S]*?)```/.exec(page)?.[1] ?? '').replaceAll(/^ *import .*$/gm, '');

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});
const made = (listener: RequestListener): Server => {
  const server = createServer(listener);
  servers.push(server);
  return server;
};
const listening = async (server: Server): Promise<string> => {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

/** What Slack refuses: https://docs.slack.dev/reference/block-kit/blocks */
function faultOf({ text, blocks }: Message): string | undefined {
  if (text === '') return 'no_text';
  const texts = blocks.flatMap((block) => [
    ...(block.text ? [{ ...block.text, most: block.type === 'header' ? 150 : 3_000 }] : []),
    ...(block.elements ?? []),
  ]);
  const isLegal = (one: PlainText & { most?: number }) =>
    one.type === 'plain_text' && one.text.length > 0 && one.text.length <= (one.most ?? 3_000);
  return blocks.length > 50 || !texts.every(isLegal) ? 'invalid_blocks' : undefined;
}

async function startSlack() {
  const slack = { messages: [] as Message[], refusals: [] as string[], isBusy: false, url: '' };
  const server = made((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString()) as Message;
      const fault = faultOf(message);
      if (fault !== undefined) slack.refusals.push(fault);
      if (slack.isBusy) response.writeHead(429, { 'retry-after': '30' }).end('rate_limited');
      else if (fault !== undefined) response.writeHead(400).end(fault);
      else {
        slack.messages.push(message);
        response.end('ok');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  slack.url = await listening(server);
  return slack;
}

/** The program as Node.js runs it, with a free port. @returns the status of its answer to a request of the instance */
async function startProgram(instance: Instance, slackUrl: string) {
  const Receiver = function (options: { origin: string }) {
    return new WebhookReceiver({ ...options, now: instance.now, fetch: instance.fetch, onError: () => undefined });
  };
  const started: Server[] = [];
  const env = { SHEAF_ORIGIN: instance.origin, SLACK_URL: slackUrl, PORT: '0' };
  const context = createContext({
    createServer: (listener: RequestListener) => {
      const server = made(listener);
      started.push(server);
      return server;
    },
    WebhookReceiver: Receiver,
    process: { env },
    fetch,
    AbortSignal,
  });
  new Script(program).runInContext(context);
  const [server] = started;
  if (!server) throw new Error('the program listens to nothing');
  const url = await listening(server);
  return async (body: object, id = 'd1') => {
    const { headers, body: text } = instance.request({ id, body: JSON.stringify(body) });
    return (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text })).status;
  };
}

const submitted = (answers: Record<string, { label: string; text: string }>) => ({
  event: 'submission.created',
  form_id: 'f1',
  data: {},
  submission: { id: 's1', form_id: 'f1', schema_version: 1, created_at: '2026-06-01T12:00:00.000Z' },
  answers,
});

it('The program of the guide tells a channel in Slack of each submission once, and lets no answer mention anybody', async () => {
  const slack = await startSlack();
  const post = await startProgram(new Instance(), slack.url);
  const body = submitted({ name: { label: 'Your name', text: '<!channel> *Mallory*' } });
  expect([await post(body), await post(body)]).toEqual([204, 204]);
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
  expect(slack.messages).toEqual([
    {
      text: 'New submission',
      blocks: [
        { type: 'header', text: plain('New submission') },
        { type: 'section', text: plain('Your name\n<!channel> *Mallory*') },
        { type: 'context', elements: [plain('s1')] },
      ],
    },
  ]);
});

it('The program of the guide stays within the limits of Slack, whatever the form has', async () => {
  const slack = await startSlack();
  const post = await startProgram(new Instance(), slack.url);
  const answers = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`q${n}`, { label: `Question ${n}`, text: n === 0 ? 'a🎉'.repeat(10_000) : '' }]),
  );
  expect([await post(submitted(answers)), await post(submitted({}), 'd2')]).toEqual([204, 204]);
  expect(slack.refusals).toEqual([]);
  expect(slack.messages[0]?.blocks.at(-2)?.text?.text).toBe('And 153 more answers.');
  for (const { text } of slack.messages[0]?.blocks ?? []) expect((text?.text ?? '').isWellFormed()).toBe(true);
});

it('The program of the guide answers with an error while Slack is busy, so that Sheaf sends the delivery again', async () => {
  const slack = await startSlack();
  const post = await startProgram(new Instance(), slack.url);
  slack.isBusy = true;
  expect(await post(submitted({ name: { label: 'Your name', text: 'Ada' } }))).toBe(500);
  slack.isBusy = false;
  expect(await post(submitted({ name: { label: 'Your name', text: 'Ada' } }))).toBe(204);
  expect(slack.messages).toHaveLength(1);
});

it('The program of the guide passes nothing on that Sheaf has not signed', async () => {
  const slack = await startSlack();
  const instance = new Instance();
  const post = await startProgram(instance, slack.url);
  expect(await post(submitted({}))).toBe(204);
  const stranger = new Instance();
  instance.request = (message) => stranger.request(message);
  expect(await post(submitted({}), 'd2')).toBe(401);
  expect(slack.messages).toHaveLength(1);
});
