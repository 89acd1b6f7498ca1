import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, inBrowser, newDataDir, Person, removeDataDir, type StandInStripe, startStripe, System } from '@sheaf/testing';
import { itInBrowser, itWithScriptsAtNight } from '../../support/browser';
import * as given from '../../support/given';
import { answer, arriving, buttonOf, entered, faultyKeys, heading, idWith, press, reference, textFile } from '../../support/hosted-form';

// Runs its own system, because the shared one must not lose processes and collects no payments.

let dataDir: string;
let system: System;
let stripe: StandInStripe;
let owner: Person;
const asRespondent = inBrowser(() => system.origin);

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'cv', label: 'Your CV', type: 'file' },
];
const published = (options: given.FormOptions = {}) => given.publishedForm({ fields, ...options }, owner);
const countSent = async (form: string) => (await given.submissionsOf(form, owner)).length;
/** Does something while a process answers nothing. */
async function stopped(name: string, act: () => Promise<void>): Promise<void> {
  const pid = await pidOf(name);
  process.kill(pid, 'SIGSTOP');
  try {
    await act();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
const pidOf = async (name: string) => (await system.pid(name)) ?? 0;

beforeAll(async () => {
  [dataDir, stripe] = await Promise.all([newDataDir(), startStripe()]);
  system = await System.start(dataDir, {
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_API_BASE: stripe.url,
    PAYMENT_SUCCESS_URL: 'https://forms.example.org/thanks',
    PAYMENT_PAGE_ORIGINS: stripe.url,
    SPAM_MIN_FILL_MS: '0',
  });
  owner = new Person(system.origin, system.credentials.api_key);
});
afterAll(async () => {
  await system.stop();
  await Promise.all([removeDataDir(dataDir), stripe.close()]);
});

describe.each([
  ['without scripts', false],
  ['with scripts', true],
])('%s', (_how, javaScript) => {
  const itOfServer = itWithScriptsAtNight(javaScript);

  itInBrowser('while submissions cannot be stored, a page explains it, keeps the answers, and sends once it works again', async () => {
    const form = await published();
    const respondent = await asRespondent({ javaScript });
    const { page } = respondent;
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada', cv: [textFile('cv.txt')] });
    // A file that is uploaded before the outage travels with the page.
    await answer(page, { name: '' });
    expect(await press(page, 'Send')).toBe(422);
    await answer(page, { name: 'Ada' });

    const pid = await pidOf('submissions');
    process.kill(pid, 'SIGSTOP');
    try {
      expect(await press(page, 'Send')).toBe(503);
      expect(await page.locator('main').innerText()).toMatch(/not been sent[^]*still on this page[^]*try again/i);
      // They wait in the questions, or behind the button that sends them again.
      expect(await page.locator('[name="a.name"]').inputValue()).toBe('Ada');
      expect(await page.locator('[name="kept.cv"]').count()).toBe(1);
      await respondent.screenshot('not-stored');
      expect(await respondent.accessibilityFaults()).toEqual([]);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await eventually(async () => {
      await arriving(page, () => page.getByRole('button', { name: /^(Send|Try again)$/ }).click());
      expect(await heading(page)).toBe('Thank you');
    });
    expect(await countSent(form)).toBe(1);
  });

  itOfServer(
    'a file that did not arrive while the form could not be read is named, and has to be chosen again before sending',
    async () => {
      const form = await published();
      const respondent = await asRespondent({ javaScript });
      const { page } = respondent;
      await page.goto(`/f/${form}`);
      await answer(page, { name: 'Ada', cv: [textFile('cv.txt')] });
      await stopped('submissions', async () => {
        expect(await press(page, 'Send')).toBe(503);
        expect(await page.locator('main').innerText()).toMatch(/not been sent[^]*files have not been kept[^]*cv\.txt/i);
        await respondent.screenshot('file-not-kept');
        expect(await respondent.accessibilityFaults()).toEqual([]);
        // The name is still there after another attempt.
        expect(await press(page, 'Try again')).toBe(503);
        expect(await page.locator('main').innerText()).toContain('cv.txt');
      });

      await eventually(async () => expect(await press(page, 'Try again')).toBe(422));
      expect(await faultyKeys(page)).toEqual(['cv']);
      expect(await page.locator('[data-key=cv]').innerText()).toMatch(/cv\.txt: the file could not be stored; choose it again/i);
      expect([await entered(page, 'name'), await countSent(form)]).toEqual([['Ada'], 0]);
      await answer(page, { cv: [textFile('cv.txt')] });
      await press(page, 'Send');
      expect(await heading(page)).toBe('Thank you');
      const [sent] = await given.submissionsOf(form, owner);
      expect(await given.fileNames(form, sent?.data.cv, owner)).toEqual(['cv.txt']);
    },
  );

  itOfServer('a file that could not be stored is named beside its question, and the answers can be sent without it', async () => {
    const form = await published();
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada', cv: [textFile('cv.txt')] });
    const files = join(dataDir, 'files');
    await mkdir(files, { recursive: true });
    await rename(files, `${files}-away`);
    await writeFile(files, '');
    try {
      expect(await press(page, 'Send')).toBe(503);
    } finally {
      await rm(files);
      await rename(`${files}-away`, files);
    }
    expect(await faultyKeys(page)).toEqual(['cv']);
    const text = await page.locator('main').innerText();
    expect(text).toMatch(/cv\.txt: the file could not be stored; choose it again/i);
    expect(text).not.toMatch(/still on this page/i);
    expect([await entered(page, 'name'), await countSent(form)]).toEqual([['Ada'], 0]);
    await press(page, 'Send');
    expect(await heading(page)).toBe('Thank you');
    expect(await given.submissionsOf(form, owner)).toMatchObject([{ data: { name: 'Ada' } }]);
  });

  itInBrowser('after the answer to a POST was lost with the gateway, Reload leads to the one receipt', async () => {
    const form = await published();
    const { page, problems } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada' });
    let isLost = false;
    await page.route(`**/f/${form}*`, async (route) => {
      if (isLost || route.request().method() !== 'POST') return route.continue();
      isLost = true;
      // The system has the answers; the respondent’s browser does not learn it.
      await route.fetch({ maxRedirects: 0 });
      process.kill(await pidOf('gateway'), 'SIGKILL');
      return route.abort('connectionreset');
    });
    const failed = page.waitForEvent('requestfailed');
    await buttonOf(page, 'Send').click();
    await failed;
    expect(await countSentSoon(form)).toBe(1);

    // The browser repeats the POST.
    await eventually(async () => {
      await page.reload();
      expect(await heading(page)).toBe('Thank you');
    });
    expect(problems.take().join('\n')).toMatch(/CONNECTION/);
    expect(await countSent(form)).toBe(1);
  });
});

const countSentSoon = (form: string) => eventually(() => countSent(form));

itInBrowser('the page of a form explains that it cannot be shown at the moment', async () => {
  const form = await published();
  const pid = await pidOf('submissions');
  process.kill(pid, 'SIGSTOP');
  try {
    const { page } = await asRespondent({ javaScript: false });
    const response = await page.goto(`/f/${form}`);
    expect(response?.status()).toBe(503);
    expect(response?.headers()['retry-after']).toBeDefined();
    expect(await page.locator('main').innerText()).toMatch(/again/i);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
});

describe('a form with a payment', () => {
  const payment = { amount: 2_500, currency: 'eur' };

  itInBrowser.each([true, false])('shows the price, leads to the provider and back to the receipt (scripts: %s)', async (javaScript) => {
    const form = await published({ payment });
    const { page } = await asRespondent({ javaScript, origins: [stripe.url] });
    await page.goto(`/f/${form}`);
    expect(await page.locator('main').innerText()).toMatch(/€\s?25\.00|25\.00\s?€|EUR\s?25/);
    await answer(page, { name: 'Ada' });
    await press(page, 'Send');
    if ((await heading(page)) !== 'Pay here') await arriving(page, () => page.getByRole('link', { name: /pay/i }).click());
    expect(await heading(page)).toBe('Pay here');

    const [session] = stripe.sessions.slice(-1);
    if (!session) throw new Error('no checkout');
    const { body, signature } = await stripe.event('checkout.session.completed', session, { payment_status: 'paid' });
    expect((await owner.post('/public/v1/payments/stripe', body.toString(), { 'stripe-signature': signature })).status).toBeLessThan(300);
    await page.getByRole('link', { name: 'Paid' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(session.metadata.submission_id).toEqual(idWith(await reference(page)));
    expect(await page.getByRole('link', { name: /^pay/i }).count()).toBe(0);
  });

  const seats = [
    { key: 'seats', label: 'Seats', type: 'integer', required: true },
    { key: 'total', label: 'Total', type: 'calculated', formula: 'seats * 8.345' },
  ];

  itInBrowser.each([true, false])(
    'of a calculated amount is shown with its amount before it is sent, and refused with the bound (scripts: %s)',
    async (javaScript) => {
      const form = await published({ fields: seats, payment: { amount_from: 'total', currency: 'eur' } });
      const respondent = await asRespondent({ javaScript, origins: [stripe.url] });
      const { page } = respondent;
      await page.goto(`/f/${form}`);
      await answer(page, { seats: '-3' });
      await press(page, 'Continue');
      expect(await faultyKeys(page)).toEqual(['total']);
      expect(await page.locator('main').innerText()).toContain('Total: enter 0 or a higher number');
      await respondent.screenshot('payment-below-zero');

      await answer(page, { seats: '3' });
      await press(page, 'Continue');
      expect(await page.locator('main').innerText()).toContain('€25.04');
      await respondent.screenshot('payment-calculated');
      expect(await respondent.accessibilityFaults()).toEqual([]);
      // As if another amount had been due when the page was drawn.
      await page.evaluate("document.querySelector('input[name=due]').value = '2000'");
      await press(page, 'Send');
      expect(await page.locator('main').innerText()).toContain('the amount to pay has changed');
      await respondent.screenshot('payment-changed');
      expect(await respondent.accessibilityFaults()).toEqual([]);
      expect(await countSent(form)).toBe(0);
      await press(page, 'Send');
      if ((await heading(page)) !== 'Pay here') await arriving(page, () => page.getByRole('link', { name: /pay/i }).click());
      expect(stripe.sessions.at(-1)).toMatchObject({ amount_total: 2504, currency: 'eur' });
      await arriving(page, () => page.getByRole('link', { name: 'Not now' }).click());
      expect(await page.locator('main').innerText()).toContain('€25.04');

      await page.goto(`/f/${form}`);
      await answer(page, { seats: '0' });
      await press(page, 'Continue');
      await press(page, 'Send');
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
      expect(await page.getByRole('link', { name: /pay/i }).count()).toBe(0);
    },
  );

  itInBrowser('lets a respondent who went back without paying pay later', async () => {
    const form = await published({ payment });
    const respondent = await asRespondent({ javaScript: false, origins: [stripe.url] });
    const { page } = respondent;
    await page.goto(`/f/${form}`);
    await answer(page, { name: 'Ada' });
    await press(page, 'Send');
    if ((await heading(page)) !== 'Pay here') await arriving(page, () => page.getByRole('link', { name: /pay/i }).click());
    await arriving(page, () => page.getByRole('link', { name: 'Not now' }).click());
    await respondent.screenshot('payment-due');
    expect(await respondent.accessibilityFaults()).toEqual([]);
    expect(await page.locator('main').innerText()).toMatch(/pay/i);
    await arriving(page, () => page.getByRole('link', { name: /pay/i }).click());
    expect(await heading(page)).toBe('Pay here');
    expect(await countSent(form)).toBe(1);
  });

  it('neither loses nor duplicates anything when the process dies between the submission and its checkout', async () => {
    const form = await published({ payment });
    const before = stripe.sessions.length;
    const key = randomUUID();
    const submit = () => owner.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } }, { 'idempotency-key': key });
    stripe.mode = 'losing';
    const answered = submit();
    // Stripe has created the session; submissions may not have received its response.
    await eventually(() => expect(stripe.sessions.length).toBe(before + 1));
    process.kill(await pidOf('submissions'), 'SIGKILL');
    expect(await answered).toMatchObject({ status: 503 });

    stripe.mode = 'normal';
    const receipt = await eventually(async () => {
      const again = await submit();
      expect(again.status).toBe(201);
      return again.body as { id: string; payment_url: string };
    });
    expect(receipt.payment_url).toBe(stripe.sessionOf(receipt.id).url);
    expect([await countSent(form), stripe.sessions.length]).toEqual([1, before + 1]);
  });
});
