import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Problem } from '@sheaf/kernel';
import express, { type NextFunction, type Request, type Response } from 'express';
import { formPages } from './pages';
import { Tokens } from './tokens';

const secrets: [string] = ['a secret of pages that is long enough'];
const tokens = new Tokens(secrets);
const form = '01890000-0000-7000-8000-000000000001';
const address = '203.0.113.5';
const ours = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' };
const passedOn = { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' };
const theirs = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document', origin: 'https://evil.example' };

const codeMissing = () =>
  new Problem('forbidden', 'refused', { details: [{ key: 'Access-Code', code: 'access_code_required', message: 'is required' }] });
let answer: (access: string | undefined) => Promise<unknown>;
let server: Server;
let origin: string;

beforeAll(async () => {
  const submissions = { getIntakeForm: ({ access }: { access?: string }) => answer(access) };
  const pages = formPages({
    ...({ submissions, forms: {} } as unknown as Pick<Parameters<typeof formPages>[0], 'submissions' | 'forms'>),
    settings: { PAGES_SECRETS: secrets, PAYMENT_PAGE_ORIGINS: [] },
    assets: { addressOf: (name) => `/assets/${name}`, router: express.Router() },
  });
  const app = express();
  app.use((_request, response, next) => {
    response.locals.asked = { call: { address }, uploadCall: { address }, instanceId: 'i', origin };
    next();
  });
  app.use(pages.router);
  app.use((thrown: unknown, request: Request, response: Response, _next: NextFunction) =>
    pages.answerProblem(Problem.from(thrown), request, response),
  );
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  answer = (access) => (access === 'code:spring-2026' ? Promise.resolve({ id: form, pass: 'pass' }) : Promise.reject(codeMissing()));
});

/** The hidden controls of a page. */
const hiddenIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&amp;', '&'),
    ]),
  );
async function ask(path: string, headers: Record<string, string>, controls?: Record<string, string>) {
  const body = controls && new URLSearchParams(controls);
  const response = await fetch(origin + path, { method: body ? 'POST' : 'GET', ...(body && { body }), headers, redirect: 'manual' });
  const html = await response.text();
  return { status: response.status, location: response.headers.get('location'), html, hidden: hiddenIn(html) };
}
const enter = (headers: Record<string, string>, controls: Record<string, string>) =>
  ask(`/f/${form}/access`, headers, { access_code: 'spring-2026', ...controls });
const page = () => {
  const token = tokens.newPage(form);
  return { token, here: tokens.signHere(token, 'another address'), saves_as: tokens.newPage(form), 'a.name': 'Ada' };
};

describe('the page that asks for the code', () => {
  it.each(['at/sealed', 'resume/link?saved=1', 'receipt/token'])(
    'leads to the first page from the address of another page that was passed on (%s)',
    async (more) => {
      for (const headers of [passedOn, theirs, {}]) {
        const { hidden } = await ask(`/f/${form}/${more}`, headers);
        expect(hidden.access_to).toBe(`/f/${form}`);
        expect((await enter(ours, hidden)).location).toBe(`/f/${form}`);
      }
      expect((await ask(`/f/${form}/${more}`, ours)).hidden.access_to).toBe(`/f/${form}/${more}`);
    },
  );

  it('keeps the language, and what the address of the first page fills in', async () => {
    expect((await ask(`/f/${form}/at/sealed?lang=de`, passedOn)).hidden.access_to).toBe(`/f/${form}?lang=de`);
    expect((await ask(`/f/${form}?name=Ada`, passedOn)).hidden.access_to).toBe(`/f/${form}?name=Ada`);
  });

  it('believes no other site that sends it an address', async () => {
    const to = { access_to: `/f/${form}/resume/link?saved=1` };
    expect((await enter(theirs, to)).location).toBe(`/f/${form}`);
    expect((await enter(ours, to)).location).toBe(to.access_to);
  });

  it('sends again what another site sent without its proofs', async () => {
    const sent = { ...page(), place: 'sealed' };
    for (const path of [`/f/${form}?fill-in=1`, `/f/${form}/access`]) {
      const { hidden } = await ask(path, theirs, { ...sent, access_waits: '1', access_code: 'wrong-code' });
      expect(hidden).toMatchObject({ access_waits: '1', 'a.name': 'Ada', do: 'stay' });
      for (const name of ['token', 'here', 'saves_as', 'place']) expect(hidden).not.toHaveProperty(name);
    }
    expect((await ask(`/f/${form}?fill-in=1`, ours, sent)).hidden).toMatchObject(sent);
  });

  it('keeps the place of a browser that says nothing of who sends', async () => {
    const sent = { ...page(), place: 'sealed' };
    expect((await ask(`/f/${form}?fill-in=1`, { origin }, sent)).hidden).toMatchObject(sent);
    expect((await ask(`/f/${form}?fill-in=1`, { origin: 'null' }, sent)).hidden).not.toHaveProperty('place');
  });

  it('keeps the answers that wait while the code cannot be checked', async () => {
    for (const [code, status] of [
      ['unavailable', 503],
      ['internal_error', 500],
    ] as const) {
      answer = () => Promise.reject(new Problem(code, 'down'));
      const sent = page();
      const shown = await enter(ours, { ...sent, access_waits: '1', access_to: `/f/${form}?fill-in=1` });
      expect(shown.status).toBe(status);
      expect(shown.hidden).toMatchObject({ ...sent, access_to: `/f/${form}?fill-in=1`, access_waits: '1' });
      expect(shown.html).toContain('Something is not working on our side');
    }
  });

  it('shows the answers that wait for a form that is gone, but no words of another site', async () => {
    answer = () => Promise.reject(new Problem('not_found', 'gone'));
    for (const [headers, isShown] of [
      [ours, true],
      [theirs, false],
    ] as const) {
      const { status, html } = await enter(headers, { ...page(), access_waits: '1' });
      expect({ status, isShown: html.includes('Ada') }).toEqual({ status: 404, isShown });
    }
  });

  it('leads from its own address to the form', async () => {
    expect(await ask(`/f/${form}/access?lang=de&embed=1`, passedOn)).toMatchObject({ status: 303, location: `/f/${form}?lang=de&embed=1` });
  });
});

describe('the page of an outage', () => {
  it('sends again what another site sent without its proofs', async () => {
    for (const code of ['unavailable', 'internal_error'] as const) {
      answer = () => Promise.reject(new Problem(code, 'down'));
      const sent = { ...page(), place: 'sealed' };
      const { hidden } = await ask(`/f/${form}?fill-in=1`, theirs, sent);
      expect(hidden).toMatchObject({ 'a.name': 'Ada' });
      for (const name of ['token', 'here', 'saves_as', 'place']) expect(hidden).not.toHaveProperty(name);
      expect((await ask(`/f/${form}?fill-in=1`, ours, sent)).hidden).toMatchObject(sent);
    }
  });
});
