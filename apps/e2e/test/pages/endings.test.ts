import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, heading, press } from '../../support/hosted-form';
import { anyone, asOwner } from '../../support/people';
import { PlainPage } from '../../support/plain-browser';

const comes = { key: 'comes', label: 'Do you come?', type: 'select', required: true, options: ['yes', 'no', 'maybe'] };
const yes = {
  ...{ type: 'ending', name: 'coming', if: { key: 'comes', equals: 'yes' }, title: 'See you there', text: 'Bring a **towel**.' },
  translations: { ar: { title: 'نراك هناك', text: 'أحضر **منشفة**.' } },
};
const no = { type: 'ending', name: 'away', if: { key: 'comes', equals: 'no' }, title: 'A pity' };
const settings = { languages: ['en', 'ar'], default_language: 'en', thank_you: { text: 'We look forward to it.' } };

async function sent(form: string, value: string, query = ''): Promise<PlainPage> {
  const page = await PlainPage.open(`/f/${form}${query}`);
  page.enter('a.comes', [value]);
  return page.send('send');
}

it('a page without JavaScript ends by the answers, also when it is loaded again after a new version', async () => {
  const form = await given.publishedForm({ fields: [comes, yes, no], settings });
  const coming = await sent(form, 'yes');
  expect(coming.heading).toBe('See you there');
  expect(coming.html).toContain('<strong>towel</strong>');
  expect(coming.html).not.toContain('look forward');
  expect((await sent(form, 'no')).heading).toBe('A pity');
  const other = await sent(form, 'maybe');
  expect([other.heading, other.html.includes('We look forward to it.')]).toEqual(['Thank you', true]);

  await given.publishAgain(form, { fields: [comes, { ...no, name: 'coming' }] });
  expect((await PlainPage.open(new URL(coming.url).pathname)).heading).toBe('See you there');
});

it('the API tells the ending with its sources, and a copy of the form has it', async () => {
  const form = await given.publishedForm({ fields: [comes, yes, no], settings });
  const submit = (value: string) => anyone.post(`/public/v1/forms/${form}/submissions`, { data: { comes: value } });
  const { type: _, if: __, ...told } = yes;
  expect((await submit('yes')).body).toMatchObject({ status: 'new', ending: told });
  expect((await submit('maybe')).body).not.toHaveProperty('ending');

  const { body } = await asOwner.get(`/api/v1/forms/${form}/fields`);
  expect((body as { fields: { key: string }[] }).fields.map(({ key }) => key)).toEqual(['comes']);
  const copy = (await asOwner.post(`/api/v1/forms/${form}/duplicate`, {})).body as { id: string };
  const draft = (await asOwner.get(`/app/v1/forms/${copy.id}/draft`)).body as { fields: object[] };
  expect(draft.fields.slice(1)).toEqual([yes, no]);
  const document = (await asOwner.get(`/app/v1/forms/${form}/document`)).body as { fields: object[] };
  expect(document.fields.slice(1)).toEqual([yes, no]);
});

it('leads to the page of the ending, and nowhere if it has none, whatever the thank-you has', async () => {
  const onward = { ...yes, redirect_url: 'https://example.org/map' };
  const form = await given.publishedForm({
    fields: [comes, onward, no],
    settings: { ...settings, thank_you: { redirect_url: 'https://example.com/thanks' } },
  });
  const page = await sent(form, 'no');
  expect([page.heading, page.html.includes('example.com')]).toEqual(['A pity', false]);
  // An embedded page does not leave the frame by itself.
  const embedded = await sent(form, 'yes', '?embed=1');
  expect(embedded.heading).toBe('See you there');
  expect(embedded.html).toContain('href="https://example.org/map" target="_top"');
});

itInBrowser('a respondent comes to the page of the ending, with JavaScript and without', async () => {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end('<!doctype html><title>Map</title><h1>Map</h1>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const form = await given.publishedForm({ fields: [comes, { ...yes, redirect_url: `${site}/map` }], settings });
    for (const javaScript of [true, false]) {
      const { page } = await asRespondent({ javaScript, origins: [site] });
      await page.goto(`/f/${form}`);
      await answer(page, { comes: 'yes' });
      await press(page, 'Send');
      expect([page.url(), await heading(page)]).toEqual([`${site}/map`, 'Map']);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it('the page of somebody else does not tell by the ending what was sent', async () => {
  const form = await given.publishedForm({ fields: [comes, yes, no], settings });
  const page = await PlainPage.open(`/f/${form}`);
  page.enter('a.comes', ['yes']);
  await page.send('send');
  page.enter('a.comes', ['no']);
  const again = await page.send('send');
  const receipt = /href="([^"]*\/receipt\/[^"]*)"/.exec(again.html)?.[1] ?? '';
  const earlier = await PlainPage.open(receipt);
  expect(earlier.html).not.toMatch(/See you there|A pity/);
});

itInBrowser('the ending is read with JavaScript and without, on a phone from right to left and in the dark', async () => {
  const form = await given.publishedForm({ title: 'Picnic', fields: [comes, yes, no], settings });
  for (const javaScript of [true, false])
    for (const language of ['en', 'ar']) {
      const { page } = await asRespondent({ width: 320, height: 700, javaScript });
      await page.goto(`/f/${form}?lang=${language}`);
      await answer(page, { comes: 'yes' });
      expect(await press(page, language === 'en' ? 'Send' : 'إرسال')).toBe(200);
      expect(await heading(page)).toBe(language === 'en' ? 'See you there' : 'نراك هناك');
      await page.reload();
      expect(await heading(page)).toBe(language === 'en' ? 'See you there' : 'نراك هناك');
    }
});
