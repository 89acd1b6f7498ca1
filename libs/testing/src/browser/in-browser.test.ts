import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../eventually';
import { inBrowser } from './in-browser';
import type { BrowserUser } from './user';

const page = (body: string) => `<!doctype html><html lang="en"><title>Test</title><body><main><h1>Test</h1>${body}</main></body></html>`;

const policy = "default-src 'none'; script-src 'self'; img-src *; form-action 'self'";

const pages: Record<string, { status?: number; headers?: Record<string, string>; body: string }> = {
  '/good': { body: page('<p>Fine.</p>') },
  '/wrong-answer': { status: 422, body: page('<p>There is a problem.</p>') },
  '/inline-style': { body: page('<p style="color: red">Red.</p>') },
  '/script': { body: page('<p id="said">Off</p><script src="/script.js"></script>') },
  '/script.js': { headers: { 'content-type': 'text/javascript' }, body: 'document.querySelector("#said").textContent = "On";' },
  '/throwing': { body: page('<script src="/throwing.js"></script>') },
  '/throwing.js': { headers: { 'content-type': 'text/javascript' }, body: 'alert("mine"); throw new Error("broken");' },
  '/code-from-text': { body: page('<script src="/code-from-text.js"></script>') },
  '/code-from-text.js': { headers: { 'content-type': 'text/javascript' }, body: 'try { new Function(""); } catch {}' },
  '/missing-picture': { body: page('<img src="/no.png" alt="None">') },
  '/other-server': { body: page('<img src="http://127.0.0.1:1/a.png" alt="None">') },
  '/cookie': { headers: { 'set-cookie': 'seen=1' }, body: page('<p>Seen.</p>') },
  '/waiting': {
    headers: { 'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'" },
    body: page('<p id="said">Asking</p><script src="/waiting.js"></script>'),
  },
  '/waiting.js': { headers: { 'content-type': 'text/javascript' }, body: 'void fetch("/never").catch(() => {});' },
  '/fading': {
    headers: { 'content-security-policy': "default-src 'none'; style-src 'self'; script-src 'self'" },
    body: page('<link rel="stylesheet" href="/fading.css"><p id="said">Fades in</p><p id="turns">Turns</p>'),
  },
  '/fading.css': {
    headers: { 'content-type': 'text/css' },
    body: '@keyframes in { from { color: white } } @keyframes turn { to { rotate: 1turn } } #said { animation: in 1s linear } #turns { animation: turn 1s infinite }',
  },
  '/small': { body: page('<button>a</button><a href="#">b</a>') },
  '/unsaved': { body: page('<input aria-label="A"><script src="/unsaved.js"></script>') },
  '/unsaved.js': {
    headers: { 'content-type': 'text/javascript' },
    body: 'localStorage.a = sessionStorage.a = 1; addEventListener("beforeunload", (event) => event.preventDefault());',
  },
  '/unlabelled': { body: page('<input name="a">') },
  '/file': { body: page('<label>File <input type="file"></label>') },
};

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/never') return;
    const { status = 200, headers = {}, body } = pages[request.url ?? ''] ?? { status: 404, body: '' };
    response.writeHead(status, { 'content-type': 'text/html', 'content-security-policy': policy, ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const itInBrowser = process.env.SKIP_BROWSER === '1' ? it.skip : it;
const asVisitor = inBrowser(() => origin);

itInBrowser('runs scripts or leaves them off', async () => {
  const [on, off] = [await asVisitor(), await asVisitor({ javaScript: false })];
  for (const { page } of [on, off]) await page.goto('/script');
  expect([await on.page.locator('#said').textContent(), await off.page.locator('#said').textContent()]).toEqual(['On', 'Off']);
});

itInBrowser('has nothing against a page about a wrong answer', async () => {
  const visitor = await asVisitor();
  expect(await visitor.open('/wrong-answer')).toBe(422);
  expect(await visitor.problems.rest()).toEqual([]);
});

itInBrowser('has nothing against a request that was under way when the page was left', async () => {
  const visitor = await asVisitor();
  const ended = visitor.page.waitForEvent('requestfailed');
  const asked = visitor.page.waitForRequest('**/never');
  await visitor.open('/waiting');
  await asked;
  await visitor.open('/good');
  expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED');
  expect(await visitor.problems.rest()).toEqual([]);
});

itInBrowser('measures contrast only when colors have stopped changing', async () => {
  const visitor = await asVisitor();
  await visitor.open('/fading');
  expect(await visitor.accessibilityFaults()).toEqual([]);
});

describe.each([true, false])('with scripts: %s', (javaScript) => {
  itInBrowser.each([
    ['a style that the policy forbids', '/inline-style', [/Content Security Policy/]],
    ['something that is missing', '/missing-picture', [/^404: .*no\.png/]],
    ['a request to another server', '/other-server', [/^request to another server: .*a\.png/, /a\.png/]],
    ['a cookie', '/cookie', [/^cookie: seen/]],
  ])('reports %s', async (_what, path, expected) => {
    const visitor = await asVisitor({ javaScript });
    await visitor.open(path);
    const rest = await eventuallyAll(visitor, expected.length);
    expect(rest).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as unknown));
    await visitor.context.clearCookies();
  });

  itInBrowser('finds what is inaccessible', async () => {
    const visitor = await asVisitor({ javaScript });
    await visitor.open('/good');
    expect(await visitor.accessibilityFaults()).toEqual([]);
    await visitor.open('/unlabelled');
    expect(await visitor.accessibilityFaults()).toEqual([expect.stringMatching(/^label: <input name="a">/)]);
    await visitor.open('/small');
    expect(await visitor.accessibilityFaults()).toContainEqual(expect.stringMatching(/^target-size: <button/));
  });
});

itInBrowser('reports an error of a script and a dialog', async () => {
  const visitor = await asVisitor();
  await visitor.open('/throwing');
  expect(await eventuallyAll(visitor, 2)).toEqual(['dialog: mine', 'error: broken']);
});

itInBrowser('reports code that a script makes from text, even if it hides that the policy forbids it', async () => {
  const visitor = await asVisitor();
  await visitor.open('/code-from-text');
  expect(await eventuallyAll(visitor, 1)).toEqual([expect.stringMatching(/Content Security Policy.*code-from-text\.js/)]);
});

describe('a Chromium that is of no use', () => {
  /** Ends it without a person: their test would fail with it. */
  let end: () => Promise<void>;

  itInBrowser('serves somebody first', async () => {
    const { context } = await asVisitor();
    end = async () => context.browser()?.close();
  });

  itInBrowser('is followed by another one after its end', async () => {
    await end();
    const visitor = await asVisitor();
    expect(await visitor.open('/good')).toBe(200);
    end = async () => visitor.context.browser()?.close();
  });

  itInBrowser('is followed by another one if it could not be started', async () => {
    await end();
    const { CHROMIUM } = process.env;
    try {
      process.env.CHROMIUM = '/no/such/browser';
      await expect(asVisitor()).rejects.toThrow('/no/such/browser');
    } finally {
      if (CHROMIUM === undefined) delete process.env.CHROMIUM;
      else process.env.CHROMIUM = CHROMIUM;
    }
    const visitor = await asVisitor();
    expect(await visitor.open('/good')).toBe(200);
  });
});

describe('handed on', () => {
  const asNext = inBrowser(() => origin, { handsOn: true });
  const stored = '[localStorage.length, sessionStorage.length, history.length, scrollY, document.cookie]';
  let first: BrowserUser;
  const heard: string[] = [];

  itInBrowser('is left with things stored and unsaved', async () => {
    first = await asNext({ isApplication: true });
    await first.open('/unsaved');
    await first.page.locator('input').fill('unsaved');
    await first.open('/good').catch(() => undefined);
    expect(first.problems.take()).toEqual(['dialog: ']);
    await first.context.addCookies([{ name: 'session', value: 'a', url: origin, httpOnly: true }]);
    await Promise.all([
      first.page.route('**/good', (route) => route.fulfill({ status: 404 })),
      first.context.route('**/good', (route) => route.fulfill({ status: 404 })),
      first.context.grantPermissions(['geolocation']),
      first.page.setViewportSize({ width: 300, height: 300 }),
      first.page.emulateMedia({ media: 'print', colorScheme: 'dark', reducedMotion: 'reduce' }),
    ]);
    await first.context.setOffline(true);
    first.page.on('request', () => heard.push('request'));
    first.page.on('console', () => heard.push('console'));
    first.page.on('filechooser', () => heard.push('filechooser'));
    first.context.on('page', () => heard.push('page'));
  });

  itInBrowser('comes empty, and to those alone whose profile would be the same', async () => {
    const [next, other] = [await asNext({ isApplication: true }), await asNext({ isApplication: true, locale: 'de-DE' })];
    expect([next.page === first.page, other.page === first.page]).toEqual([true, false]);
    expect(await next.open('/good')).toBe(200);
    const media = ['print', '(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)'];
    expect(await next.page.evaluate(`${JSON.stringify(media)}.map((each) => matchMedia(each).matches)`)).toEqual([false, false, false]);
    expect(await next.page.evaluate('[innerWidth, navigator.onLine]')).toEqual([1_024, true]);
    expect(await next.page.evaluate(`navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)`)).not.toBe('granted');
    // The history has the empty page and this one.
    expect(await next.page.evaluate(stored)).toEqual([0, 0, 2, 0, '']);
    expect(await next.context.cookies()).toEqual([]);
  });

  itInBrowser('comes without the listeners of others, also without what these held back', async () => {
    heard.splice(0);
    const next = await asNext({ isApplication: true });
    expect(next.page).toBe(first.page);
    await next.open('/file');
    await next.page.evaluate('console.log("said")');
    // Chromium without a window cancels the choice of a file at once, unless a listener means to make it.
    const cancelled = next.page.evaluate(
      'new Promise((resolve) => document.querySelector("input").addEventListener("cancel", () => resolve(true)))',
    );
    await next.page.getByLabel('File').click();
    expect(await cancelled).toBe(true);
    const other = await next.context.newPage();
    await other.close();
    expect(heard).toEqual([]);
  });

  itInBrowser('has the window, the colors and the motion of the next one', async () => {
    const next = await asNext({ isApplication: true, dark: true, width: 320, height: 700, reducedMotion: true });
    expect(next.page).toBe(first.page);
    await next.open('/good');
    const media = ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)', '(width: 320px)', '(height: 700px)'];
    expect(await next.page.evaluate(`${JSON.stringify(media)}.map((each) => matchMedia(each).matches)`)).toEqual([true, true, true, true]);
  });
});

/** The browser reports its problems a moment later. */
async function eventuallyAll({ problems }: BrowserUser, count: number): Promise<string[]> {
  const all: string[] = [];
  return eventually(async () => {
    all.push(...(await problems.rest()));
    if (all.length < count) throw new Error(`only ${JSON.stringify(all)}`);
    return all;
  });
}
