import type { Page } from 'playwright-core';
import { asRespondent, isNight, itInBrowser, itWithScriptsAtNight } from '../../support/browser';
import { tooWide } from '../../support/criteria';
import * as given from '../../support/given';
import { answer, heading, press } from '../../support/hosted-form';
import { anyone, asOwner } from '../../support/people';

const fields = [
  { key: 'name', label: 'Your full name', type: 'short_text', required: true, prefill: true },
  { type: 'page', label: 'More' },
  { key: 'story', label: 'Your story', type: 'long_text' },
];
const settings = { access_code: 'spring-2026', languages: ['en', 'ar'], theme: { accent: '#7f1d1d' } };

const codedForm = () => given.publishedForm({ title: 'A secret survey', fields, settings });
const enter = async (page: Page, code: string) => {
  await page.locator('#access_code').fill(code);
  await press(page, 'Continue');
};

/** The only cookies of the pages of forms: for this form alone, and out of reach of scripts. A browser that is used again must have none. */
async function expectOnlyPasses(page: Page, form: string): Promise<void> {
  const kept = await page.context().cookies();
  expect(kept).toMatchObject([{ name: 'sheaf_form', path: `/f/${form}`, httpOnly: true, sameSite: 'Lax' }]);
  await page.context().clearCookies();
}

describe.each([
  ['without scripts', false],
  ['with scripts', true],
])('%s', (_how, javaScript) => {
  const itOfServer = itWithScriptsAtNight(javaScript);

  itOfServer('a respondent enters the code once, gets to the address that they asked for, fills in the form and sends it', async () => {
    const form = await codedForm();
    const { page, problems } = await asRespondent({ javaScript });
    const response = await page.goto(`/f/${form}?name=Ada`);
    expect(response?.status()).toBe(403);
    expect(await heading(page)).toBe('This form asks for a code');
    const html = await page.content();
    for (const secret of ['A secret survey', 'Your full name', 'theme.css', 'العربية']) expect(html).not.toContain(secret);

    await enter(page, 'winter-2026');
    expect(await page.locator('#access_error').innerText()).toContain('This is not the access code');
    await enter(page, ' spring-2026 ');
    problems.take();
    expect(await heading(page)).toBe('A secret survey');
    expect(page.url()).toContain(`/f/${form}?name=Ada`);
    await press(page, 'Continue');
    await answer(page, { story: 'Long' });
    await press(page, 'Continue');
    await press(page, 'Send');
    expect(await heading(page)).toBe('Thank you');
    expect(await given.submissionsOf(form)).toMatchObject([{ data: { name: 'Ada', story: 'Long' } }]);

    await page.goto(`/f/${form}`);
    expect(await heading(page)).toBe('A secret survey');
    await expectOnlyPasses(page, form);
    await page.reload();
    expect(await heading(page)).toBe('This form asks for a code');
    problems.take();
  });
});

itInBrowser('a code that is changed ends what was open; answers that were sent meanwhile wait for the new one', async () => {
  const form = await codedForm();
  const { page, problems } = await asRespondent({ javaScript: false });
  await page.goto(`/f/${form}`);
  await enter(page, 'spring-2026');
  await answer(page, { name: 'Ada' });
  await asOwner.patch(`/app/v1/forms/${form}`, { access_code: 'autumn-2026' });
  await press(page, 'Continue');
  expect(await heading(page)).toBe('This form asks for a code');
  expect(await page.locator('main').innerText()).toContain('Your answers have not been sent yet');
  await enter(page, 'spring-2026');
  await enter(page, 'autumn-2026');
  problems.take();
  expect(await heading(page)).toBe('A secret survey');
  expect(await page.locator('#f-name').inputValue()).toBe('Ada');
  expect(await given.submissionsOf(form)).toEqual([]);
  await expectOnlyPasses(page, form);
});

itInBrowser('a frame leads to a window of its own', async () => {
  const form = await codedForm();
  const { page, problems } = await asRespondent();
  await page.goto(`/f/${form}?embed=1&name=Ada`);
  problems.take();
  const link = page.locator('main a');
  expect(await link.getAttribute('href')).toBe(`/f/${form}?name=Ada`);
  expect(await page.locator('form').count()).toBe(0);
});

// From right to left, each fault of the page from left to right would show as well.
for (const language of isNight ? ['ar', 'en'] : ['ar'])
  itInBrowser(
    `on a phone, in dark colours, axe finds nothing wrong with the page, and it does not scroll sideways (${language})`,
    async () => {
      const form = await codedForm();
      const user = await asRespondent({ javaScript: false, width: 320, dark: true });
      const { page, problems } = user;
      await page.goto(`/f/${form}?lang=${language}`);
      for (const state of ['asked', 'wrong']) {
        await user.screenshot(`access-${language}-${state}`);
        expect({ state, wide: await tooWide(page), faults: await user.accessibilityFaults() }).toEqual({ state, wide: [], faults: [] });
        await page.locator('#access_code').fill('winter');
        await page.locator('form button').click();
        problems.take();
      }
      expect(await page.locator('html').getAttribute('dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');
    },
  );

it('the public API takes the code in a header, at each of its routes', async () => {
  const form = await codedForm();
  const path = `/public/v1/forms/${form}`;
  const code = { 'access-code': 'spring-2026' };
  const getWith = async (given: string) => {
    const response = await fetch(anyone.origin + path, { headers: { 'access-code': given } });
    return { status: response.status, body: (await response.json()) as object };
  };
  const refusal = {
    status: 403,
    body: { error: { code: 'forbidden', message: expect.stringMatching(/^Access-Code: is required/) as string } },
  };
  expect(await anyone.get(path)).toEqual(expect.objectContaining(refusal));
  expect(await anyone.post(`${path}/submissions`, { data: { name: 'Ada' } })).toEqual(expect.objectContaining(refusal));
  expect((await getWith('spring-2026')).body).toMatchObject({ title: 'A secret survey' });
  expect((await getWith('spring-2026')).body).not.toHaveProperty('pass');
  expect(await anyone.post(`${path}/submissions`, { data: { name: 'Ada' } }, code)).toMatchObject({ status: 201 });
  expect(await getWith('nope')).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/^Access-Code: must be 6 to 100/) as string } },
  });
  for (const file of ['theme.css', 'logo']) expect((await fetch(`${anyone.origin}/f/${form}/${file}`)).status).toBe(403);
  expect(await asOwner.post(`/app/v1/forms/${form}/submissions`, { data: { name: 'Bob' } })).toMatchObject({ status: 201 });
});
