import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@sheaf/testing';
import type { Frame, Page } from 'playwright-core';
import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { anyone, asOwner } from '../../support/people';
import { PlainPage } from '../../support/plain-browser';

// The site that embeds is another site for browsers, not only another origin: it has another host.
const siteHost = new URL(anyone.origin).hostname === 'localhost' ? '127.0.0.1' : 'localhost';

let server: Server;
let site: string;
const pages = new Map<string, string>();
beforeAll(async () => {
  server = createServer((request, response) => {
    const body = pages.get(request.url ?? '');
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Our shop</h1>${body ?? ''}</html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, siteHost, resolve));
  site = `http://${siteHost}:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const byScript = (form: string) => `<script src="${anyone.origin}/embed.js" data-form="${form}" async></script><p>After the form</p>`;
const plainly = (form: string) => `<iframe src="${anyone.origin}/f/${form}?embed=1" title="Survey" width="600" height="900"></iframe>`;

async function visit(path: string, body: string, options: { javaScript?: boolean } = {}): Promise<{ page: Page; taken: () => string[] }> {
  pages.set(path, body);
  const { page, problems } = await asRespondent({ ...options, origins: [site] });
  await page.goto(site + path);
  return { page, taken: () => problems.take() };
}

/** The frame with the form, once it has loaded. */
const formFrame = (page: Page): Promise<Frame> =>
  eventually(() => {
    const frame = page.frames().find((each) => each.url().startsWith(`${anyone.origin}/f/`));
    if (!frame)
      throw new Error(
        `frames: ${page
          .frames()
          .map((each) => each.url())
          .join(' ')}`,
      );
    return frame;
  });

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'more', label: 'More?', type: 'boolean' },
  ...['a', 'b', 'c', 'd'].map((key) => ({ key, label: `Question ${key}`, type: 'long_text', visible_if: { key: 'more', equals: true } })),
];

itInBrowser('a script on another site shows the form in a frame that grows with it, and sends', async () => {
  const form = await given.publishedForm({ fields });
  const { page } = await visit('/script', byScript(form));
  const frame = await formFrame(page);
  const iframe = page.locator('iframe');
  expect(await iframe.getAttribute('title')).toBeTruthy();
  const height = async () => (await iframe.boundingBox())?.height ?? 0;
  const contentHeight = () => frame.evaluate<number>('document.documentElement.scrollHeight');
  await frame.locator('#f-name').waitFor();
  await eventually(async () => expect(Math.abs((await height()) - (await contentHeight()))).toBeLessThan(40));
  const before = await height();

  await frame.locator('[data-key=more] input[value=true]').check();
  await eventually(async () => expect(await height()).toBeGreaterThan(before + 200));

  await frame.getByLabel('Your name').fill('Ada');
  await frame.getByRole('button', { name: 'Send' }).click();
  await (await formFrame(page)).getByRole('heading', { name: 'Thank you' }).waitFor();
  expect(await given.submissionsOf(form)).toMatchObject([{ data: { name: 'Ada', more: true } }]);
});

describe.each([
  ['without scripts', false],
  ['with scripts', true],
])('%s', (_how, javaScript) => {
  itInBrowser('a plain frame on another site shows the form and sends', async () => {
    const form = await given.publishedForm({ fields });
    const { page } = await visit(`/plain-${javaScript}`, plainly(form), { javaScript });
    const frame = await formFrame(page);
    await frame.getByLabel('Your name').fill('Ada');
    await frame.getByRole('button', { name: 'Send' }).click();
    await (await formFrame(page)).getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await given.submissionsOf(form)).toMatchObject([{ data: { name: 'Ada' } }]);
  });
});

itInBrowser('a frame shows what went wrong, too', async () => {
  const { page, taken } = await visit('/wrong', plainly('no-such-form'));
  await (await formFrame(page)).getByRole('heading', { name: 'Page not found' }).waitFor();
  taken();
});

it('a page about a form that is not known can be framed only as an embedded one', async () => {
  const policyOf = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(anyone.origin + path, init);
    await response.arrayBuffer();
    return [response.status, /frame-ancestors (.*)$/.exec(response.headers.get('content-security-policy') ?? '')?.[1]];
  };
  const form = await given.publishedForm({ fields, settings: { embed_origins: ['https://a.example'] } });
  const tooLarge = { method: 'POST', body: new URLSearchParams({ 'a.name': 'x'.repeat(3_000_000) }) };
  expect(await policyOf('/f/no-such-form?embed=1')).toEqual([404, '*']);
  expect(await policyOf('/f/no-such-form')).toEqual([404, "'none'"]);
  expect(await policyOf(`/f/${form}?embed=1`, tooLarge)).toEqual([413, '*']);
  expect(await policyOf(`/f/${form}`, tooLarge)).toEqual([413, "'none'"]);
  expect(await policyOf(`/f/${form}?embed=1`)).toEqual([200, "'self' https://a.example"]);
});

describe('a frame in a sandbox', () => {
  const sandboxed = (form: string, sandbox: string) =>
    `<iframe src="${anyone.origin}/f/${form}" sandbox="${sandbox}" title="Survey" width="600" height="900"></iframe>`;
  const steps = [...fields, { type: 'page', label: 'More' }, { key: 'city', label: 'Your city', type: 'short_text' }];

  itInBrowser.each(['allow-forms', 'allow-forms allow-scripts'])('that allows forms sends them, step by step (%s)', async (sandbox) => {
    const form = await given.publishedForm({ fields: steps });
    const { page, taken } = await visit(`/sandbox-${sandbox.length}`, sandboxed(form, sandbox));
    const frame = await formFrame(page);
    await frame.getByLabel('Your name').fill('Ada');
    await frame.getByRole('button', { name: 'Continue' }).click();
    await frame.getByLabel('Your city').fill('London');
    await frame.getByRole('button', { name: 'Continue' }).click();
    await frame.getByRole('heading', { name: 'Check your answers' }).waitFor();
    await frame.getByRole('button', { name: 'Send' }).click();
    await frame.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await given.submissionsOf(form)).toMatchObject([{ data: { name: 'Ada', city: 'London' } }]);
    // The browser says that it runs no script there.
    taken();
  });

  itInBrowser('that forbids forms says so at once, and leads to the form in a window of its own, which sends', async () => {
    const form = await given.publishedForm({ fields });
    const sandbox = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';
    const { page, taken } = await visit('/sandbox-no-forms', sandboxed(form, sandbox));
    const frame = await formFrame(page);
    await frame.getByText('This form cannot be sent from here').waitFor();
    expect(await frame.locator('.notice .address').innerText()).toBe(`${anyone.origin}/f/${form}`);
    const [own] = await Promise.all([
      page.context().waitForEvent('page'),
      frame.getByRole('link', { name: 'Open the form in a new window' }).click(),
    ]);
    await own.getByLabel('Your name').fill('Ada');
    expect(await own.getByText('cannot be sent from here').count()).toBe(0);
    await own.getByRole('button', { name: 'Send' }).click();
    await own.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await given.submissionsOf(form)).toMatchObject([{ data: { name: 'Ada' } }]);
    expect(taken().join('\n')).toMatch(/allow-forms/);
  });

  itInBrowser('that hands its rules on to the window says so there, too, and shows the address to copy', async () => {
    const form = await given.publishedForm({ fields });
    const { page, taken } = await visit('/sandbox-inherited', sandboxed(form, 'allow-scripts allow-popups'));
    const frame = await formFrame(page);
    const [own] = await Promise.all([
      page.context().waitForEvent('page'),
      frame.getByRole('link', { name: 'Open the form in a new window' }).click(),
    ]);
    await own.getByText('This form cannot be sent from here').waitFor();
    expect(await own.locator('.notice .address').innerText()).toBe(`${anyone.origin}/f/${form}`);
    taken();
  });

  itInBrowser('that forbids forms and scripts says what it means if nothing happens, and leads to a window of its own', async () => {
    const form = await given.publishedForm({ fields });
    const { page, taken } = await visit('/sandbox-nothing', sandboxed(form, 'allow-popups allow-popups-to-escape-sandbox'));
    const frame = await formFrame(page);
    // Locators by text skip what is for browsers without scripts.
    const hint = frame.locator('noscript .hint');
    await hint.waitFor();
    expect(await hint.innerText()).toContain('If nothing happens when you send the form');
    const [own] = await Promise.all([page.context().waitForEvent('page'), hint.locator('a').click()]);
    await own.getByLabel('Your name').waitFor();
    taken();
  });

  itInBrowser('that can do no work for a form that wants some says so', async () => {
    const form = await given.publishedForm({ fields, settings: { proof_of_work: true } });
    const { page, taken } = await visit('/sandbox-proof', sandboxed(form, 'allow-forms allow-scripts'));
    await (await formFrame(page)).getByText('This form cannot be sent from here').waitFor();
    taken();
  });
});

describe('a browser that does not say where a request comes from', () => {
  it.each([
    ['in a sandbox', { origin: 'null' }],
    ['behind a proxy that changes the host', { origin: 'https://forms.example.org' }],
  ])('%s sends what it got at its address', async (_where, headers) => {
    const form = await given.publishedForm();
    const page = await PlainPage.open(`/f/${form}`, { 'x-forwarded-for': '203.0.113.5' });
    page.enter('a.name', ['Ada']);
    expect((await page.send('send', [], { ...headers, 'x-forwarded-for': '203.0.113.5' })).heading).toBe('Thank you');
  });

  it('sends again what it got at another address, and is told the true reason', async () => {
    const form = await given.publishedForm();
    const page = await PlainPage.open(`/f/${form}`, { 'x-forwarded-for': '203.0.113.5' });
    page.enter('a.name', ['Ada']);
    const headers = { origin: 'null', 'x-forwarded-for': '203.0.113.6' };
    const again = await page.send('send', [], headers);
    expect([again.status, again.entered('a.name')]).toEqual([422, ['Ada']]);
    expect(again.html).toContain('we could not be sure that they came from this page');
    expect((await again.send('send', [], headers)).heading).toBe('Thank you');
  });
});

describe('a form that only some sites may embed', () => {
  itInBrowser('is shown on these', async () => {
    const form = await given.publishedForm({ fields, settings: { embed_origins: ['https://a.example', site] } });
    const { page } = await visit('/allowed', plainly(form));
    await (await formFrame(page)).getByLabel('Your name').waitFor();
  });

  itInBrowser.each([
    ['others', ['https://a.example']],
    ['any site', []],
  ])('is not shown on %s', async (_what, embed_origins) => {
    const form = await given.publishedForm({ fields, settings: { embed_origins } });
    const { page, taken } = await visit('/refused', plainly(form));
    await eventually(() => expect(page.frames().some((frame) => frame.url().startsWith('chrome-error:'))).toBe(true));
    expect(taken().join('\n')).toMatch(/frame-ancestors/);
    expect(await page.frames()[1]?.locator('#f-name').count()).toBe(0);
  });

  itInBrowser('still opens as a page of its own', async () => {
    const form = await given.publishedForm({ fields, settings: { embed_origins: [] } });
    const { page } = await asRespondent();
    await page.goto(`/f/${form}`);
    expect(await page.locator('#f-name').isVisible()).toBe(true);
  });
});

describe('a script of another site', () => {
  /** Reads the form and sends to it, as the site's own script would. */
  const exchange = (page: Page, form: string) =>
    page.evaluate(
      async ([origin, id]) => {
        const attempt = async (path: string, init?: RequestInit) => {
          try {
            const response = await fetch(`${origin}/public/v1/forms/${id}${path}`, init);
            return response.status;
          } catch {
            return 'refused by the browser';
          }
        };
        const send = {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': 'one' },
          body: '{"data":{"name":"Ada"}}',
        };
        return [await attempt(''), await attempt('/submissions', send)];
      },
      [anyone.origin, form] as const,
    );

  itInBrowser('reads a form and sends to it', async () => {
    const form = await given.publishedForm({ fields });
    const { page } = await visit('/fetch', '');
    expect(await exchange(page, form)).toEqual([200, 201]);
    await asOwner.patch(`/app/v1/forms/${form}`, { embed_origins: [site] });
    expect(await eventually(() => exchange(page, form))).toEqual([200, 201]);
  });

  itInBrowser('neither reads nor sends to a form whose author did not allow its site', async () => {
    const form = await given.publishedForm({ fields, settings: { embed_origins: ['https://a.example'] } });
    const { page, taken } = await visit('/fetch-refused', '');
    expect(await exchange(page, form)).toEqual(['refused by the browser', 'refused by the browser']);
    expect(taken().join('\n')).toMatch(/CORS/);
    expect(await given.submissionsOf(form)).toEqual([]);
  });
});
