import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { eventually } from '@sheaf/testing';

/** The path of Chromium on this machine; tests that need it are skipped without it. */
export const chromium: string | undefined = [process.env.CHROMIUM ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser'].find((path) => {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
});

export interface Visit<T> {
  /** The last result of `expression`. */
  value: T;
  /** The URLs of all requests of the page. */
  requests: string[];
  /** The console output of the page and reports of the browser, such as violations of the page's policy. */
  messages: string[];
}

/** Opens a page in a new browser and evaluates `expression` in it until its value is `ready`. */
export async function visit<T>(
  browser: string,
  address: string,
  { expression, ready }: { expression: string; ready: (value: T) => boolean },
): Promise<Visit<T>> {
  const profile = await mkdtemp(join(tmpdir(), 'sheaf-browser-'));
  const child = spawn(
    browser,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-default-apps',
      `--user-data-dir=${profile}`,
      '--remote-debugging-pipe',
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true },
  );
  try {
    return await evaluateUntilReady(new DevTools(child), address, expression, ready);
  } finally {
    await stop(child);
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function evaluateUntilReady<T>(
  tools: DevTools,
  address: string,
  expression: string,
  ready: (value: T) => boolean,
): Promise<Visit<T>> {
  const { targetId } = await tools.call<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await tools.call<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
  for (const domain of ['Network', 'Log', 'Runtime', 'Page']) await tools.call(`${domain}.enable`, {}, sessionId);
  await tools.call('Page.navigate', { url: address }, sessionId);

  const value = await eventually(async () => {
    const { result } = await tools.call<{ result: { value: T } }>('Runtime.evaluate', { expression, returnByValue: true }, sessionId);
    if (!ready(result.value)) throw new Error(`the page shows ${JSON.stringify(result.value)}`);
    return result.value;
  }, 20_000);
  const paramsOf = (method: string) => tools.events.filter((event) => event.method === method).map(({ params }) => params);
  const requests = paramsOf('Network.requestWillBeSent').map((params) => (params as { request: { url: string } }).request.url);
  const messages = [...paramsOf('Log.entryAdded'), ...paramsOf('Runtime.consoleAPICalled'), ...paramsOf('Runtime.exceptionThrown')].map(
    (params) => JSON.stringify(params),
  );
  await tools.call('Browser.close');
  return { value, requests, messages };
}

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
}

/** The Chrome DevTools Protocol over pipes: JSON messages, each terminated by NUL. */
class DevTools {
  readonly events: Message[] = [];
  private readonly pending = new Map<number, (message: Message) => void>();
  private calls = 0;
  private readonly input: Writable;

  constructor(child: ChildProcess) {
    this.input = child.stdio[3] as Writable;
    let rest = '';
    (child.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      const messages = (rest + chunk).split('\0');
      rest = messages.pop() ?? '';
      for (const message of messages) this.receive(JSON.parse(message) as Message);
    });
  }

  private receive(message: Message): void {
    if (message.id === undefined) this.events.push(message);
    else this.pending.get(message.id)?.(message);
  }

  call<R>(method: string, params: object = {}, sessionId?: string): Promise<R> {
    const id = ++this.calls;
    this.input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} was not answered`)), 10_000);
      this.pending.set(id, ({ result, error }) => {
        clearTimeout(timer);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result as R);
      });
    });
  }
}

/** Waits for the process to exit, then kills it together with its children. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null)
    await once(child, 'exit', { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All of them have already exited.
  }
}
