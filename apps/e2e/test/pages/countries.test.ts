import { asRespondent, itInBrowser, looksOf } from '../../support/browser';
import * as given from '../../support/given';
import { answer, entered, press } from '../../support/hosted-form';
import { anyone } from '../../support/people';

const fields = [
  { key: 'home', label: 'Country', type: 'country', required: true, prefill: true, preferred: ['CH', 'AT'] },
  {
    key: 'visa',
    label: 'Number of the visa',
    type: 'short_text',
    required: true,
    visible_if: { not: { key: 'home', in: ['AT', 'CH', 'DE'] } },
  },
  { type: 'page', label: 'Greetings to {{home}}' },
  { key: 'from', label: 'From there or from …', type: 'country', only: ['SE', 'AT', 'DE'] },
];

let form: string;
beforeAll(async () => {
  form = await given.publishedForm({ title: 'Countries', fields, settings: { languages: ['en', 'de', 'ar'], default_language: 'en' } });
});

describe.each([
  ['without scripts', false],
  ['with scripts', true],
])('%s', (_how, javaScript) => {
  itInBrowser('a link suggests a country, which a condition asks for and a text names', async () => {
    const { page } = await asRespondent({ javaScript, width: 320 });
    await page.goto(`/f/${form}?home=de&lang=de`);
    expect(await entered(page, 'home')).toEqual(['DE']);
    await press(page, 'Weiter');
    await page.getByRole('heading', { name: 'Greetings to Deutschland' }).waitFor();
    expect((await page.locator('[data-key=from] option').allTextContents()).slice(1)).toEqual(['Deutschland', 'Österreich', 'Schweden']);
    await answer(page, { from: 'SE' });
    await press(page, 'Weiter');
    expect(await page.locator('dl.answers dd:not(.change)').allTextContents()).toEqual(['Deutschland', 'Schweden']);
    expect(await press(page, 'Absenden')).toBe(200);
    expect((await given.submissionsOf(form))[0]?.data).toEqual({ home: 'DE', from: 'SE' });
  });

  itInBrowser.each(looksOf(javaScript))('countries are accessible and fit the window, in %s (%j)', async (language, options) => {
    const respondent = await asRespondent({ javaScript, ...options });
    const { page } = respondent;
    await page.goto(`/f/${form}?lang=${language}&home=GS`);
    if (javaScript) {
      await page.getByRole('combobox').click();
      await page.locator('li.last').waitFor();
      await page.keyboard.press('ArrowDown');
    }
    expect(await respondent.accessibilityFaults()).toEqual([]);
    await respondent.screenshot(`countries-${language}-${options.dark}-${javaScript}`);
  });
});

it('a program gets the settings of a country, and learns what is wrong with an answer', async () => {
  const path = `/public/v1/forms/${form}`;
  expect(await anyone.get(path)).toMatchObject({
    body: { fields: [{ key: 'home', type: 'country', preferred: ['CH', 'AT'] }, {}, {}, {}] },
  });
  expect(await anyone.post(`${path}/submissions`, { data: { home: 'Germany', from: 'FR', visa: '1' } })).toMatchObject({
    status: 400,
    body: { error: { details: ['home', 'from'].map((key) => ({ key, code: 'not_country' })) } },
  });
});
