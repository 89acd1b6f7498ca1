import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, buttonOf, heading } from '../../support/hosted-form';
import { PlainPage } from '../../support/plain-browser';

const fields = [
  {
    key: 'name',
    label: 'Your name',
    type: 'short_text',
    required: true,
    translations: { de: { label: 'Ihr Name', help: 'Vor- und Nachname' }, ar: { label: 'اسمك' }, he: { label: 'השם שלך' } },
  },
  {
    key: 'size',
    label: 'Size',
    type: 'select',
    options: [
      { value: 's', label: 'Small' },
      { value: 'l', label: 'Large' },
    ],
    translations: { de: { label: 'Größe', options: { s: 'Klein', l: 'Groß' } } },
  },
  { key: 'weight', label: 'Weight', type: 'number', max: 1000.5 },
];
const settings = {
  default_language: 'en',
  languages: ['en', 'de', 'ar', 'he'],
  description: 'A form about sizes',
  translations: { de: { title: 'Größen', description: 'Ein Formular über Größen' }, ar: { title: 'المقاسات' }, he: { title: 'מידות' } },
};

let form: string;
beforeAll(async () => {
  form = await given.publishedForm({ title: 'Sizes', fields, settings });
});

const langOf = (html: string) => /<html\b[^>]*\blang="([^"]*)"/.exec(html)?.[1];
const dirOf = (html: string) => /<html\b[^>]*\bdir="([^"]*)"/.exec(html)?.[1];

describe('the language of a page', () => {
  it.each([
    ['en', 'nothing else is known', '', undefined],
    ['de', 'the browser prefers it', '', 'de-AT,de;q=0.9,en;q=0.5'],
    ['en', 'the form does not offer any that the browser prefers', '', 'fr-FR,fr;q=0.9'],
    ['ar', '?lang asks for it, whatever the browser prefers', '?lang=ar', 'de'],
    ['en', '?lang asks for one that the form does not offer', '?lang=fr', undefined],
    ['en', '?lang is no language', '?lang=%22%3E%3Cscript%3E', undefined],
    ['de', 'the header is strange but readable', '', ',;q=,*;q=0.1,de;q=0.9;x,,'],
  ])('is %s if %s', async (language, _why, query, accepted) => {
    const page = await PlainPage.open(
      `/f/${form}${query}`,
      accepted === undefined ? { 'accept-language': '' } : { 'accept-language': accepted },
    );
    expect(langOf(page.html)).toBe(language);
  });
});

itInBrowser('a respondent switches the language by its own name, and the page stays in it to the receipt', async () => {
  const { page } = await asRespondent({ javaScript: false });
  await page.goto(`/f/${form}`);
  await page.getByRole('link', { name: 'Deutsch' }).click();
  expect(await heading(page)).toBe('Größen');
  expect(await page.locator('[data-key=name]').innerText()).toMatch(/Ihr Name[^]*Vor- und Nachname/);
  await page.locator('[data-key=weight] input').fill('1000,25');
  await page.getByLabel('Groß').check();
  await page.getByRole('button', { name: 'Senden' }).click();
  // Without a name.
  await page.locator('[aria-invalid=true]').waitFor();
  expect(await page.title()).toMatch(/^Fehler/);
  await page.getByLabel('Ihr Name').fill('Ada');
  await page.getByRole('button', { name: 'Senden' }).click();
  await page.getByRole('heading', { name: 'Vielen Dank' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  expect((await given.submissionsOf(form))[0]?.data).toEqual({ name: 'Ada', size: 'l', weight: 1000.25 });
});

it('a text that the author did not translate stays in the form’s language and says so', async () => {
  const { html } = await PlainPage.open(`/f/${form}?lang=de`);
  expect(html).toMatch(/lang="en"[^>]*>Weight/);
  expect(html).not.toMatch(/lang="[^"]*"[^>]*>Ihr Name/);
});

it.each([
  ['ar', 'rtl'],
  ['he', 'rtl'],
  ['de', 'ltr'],
])('a page in %s reads %s', async (language, direction) => {
  const { html } = await PlainPage.open(`/f/${form}?lang=${language}`);
  expect([langOf(html), dirOf(html) ?? 'ltr']).toEqual([language, direction]);
});

describe.each(['ar', 'he'])('in %s', (language) => {
  itInBrowser('the form begins at the right, and can be sent', async () => {
    const { page } = await asRespondent({ locale: language, width: 320 });
    await page.goto(`/f/${form}`);
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    const label = await page.locator('[data-key=name] label').boundingBox();
    const input = await page.locator('#f-name').boundingBox();
    expect(Math.abs((label?.x ?? 0) + (label?.width ?? 0) - (input?.x ?? 0) - (input?.width ?? 0))).toBeLessThan(40);
    await answer(page, { name: 'עדה' });
    await page.locator('button[value=send]').click();
    await page.getByText(/[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{2}/).waitFor();
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  });
});

const ours = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'tr', 'ar', 'he', 'uk', 'zh', 'ja'];

it.each(ours)('our own words are there in %s', async (language) => {
  const other = await given.publishedForm({ settings: { languages: [language], default_language: language } });
  const { html } = await PlainPage.open(`/f/${other}`);
  expect(langOf(html)).toBe(language);
  if (language !== 'en') expect(html).not.toMatch(/>(?:Send|Continue|Back)</);
});

itInBrowser('a form in a single language has no switch', async () => {
  const other = await given.publishedForm();
  const { page } = await asRespondent();
  await page.goto(`/f/${other}`);
  expect(await page.getByRole('link', { name: 'English' }).count()).toBe(0);
  expect(await buttonOf(page, 'Send').count()).toBe(1);
});
