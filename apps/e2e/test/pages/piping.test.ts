import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, heading, press } from '../../support/hosted-form';
import { anyone, asOwner } from '../../support/people';
import { PlainPage } from '../../support/plain-browser';

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text' },
  { key: 'day', label: 'The day', type: 'date', help: 'On which day do you come, {{name|dear guest}}?' },
  { key: 'meals', label: 'Meals', type: 'multi_select', options: ['Lunch', 'Dinner'] },
  {
    type: 'page',
    label: 'Welcome, {{name|friend}}',
    help: 'You come on **{{day}}** for {{meals}}.',
    translations: { ar: { label: 'أهلا {{name}}' } },
  },
  { key: 'guests', label: 'Who comes with {{name|you}}?', type: 'short_text', translations: { ar: { label: 'من يأتي مع {{name}}؟' } } },
  { type: 'ending', name: 'alone', if: { key: 'guests', answered: false }, title: 'Until {{day}}, {{name|friend}}' },
];
const settings = { languages: ['en', 'ar'], default_language: 'en', thank_you: { text: 'Greet {{guests}} from *us*, {{name}}.' } };

let form: string;
beforeAll(async () => {
  form = await given.publishedForm({ title: 'Picnic', fields, settings });
});

/** The page as people read it, in one line. */
const read = ({ html }: PlainPage): string =>
  html
    .replaceAll(/<(?:script|style|head|template)\b.*?<\/(?:script|style|head|template)>/gs, '')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/\s+/g, ' ');

async function secondPage(name: string, query = ''): Promise<PlainPage> {
  const page = await PlainPage.open(`/f/${form}${query}`);
  page.enter('a.name', [name]);
  page.enter('a.day', ['2026-05-31']);
  page.enter('a.meals', ['Lunch', 'Dinner']);
  return page.send('continue');
}

it('a page without JavaScript shows the answers of an earlier page, as the check page and the receipt do', async () => {
  const first = await PlainPage.open(`/f/${form}`);
  expect(read(first)).toContain('On which day do you come, dear guest?');
  const second = await secondPage('Ada');
  expect(second.heading).toBe('Welcome, Ada');
  expect(read(second)).toContain('You come on 31 May 2026 for Lunch and Dinner.');
  expect(second.html).toContain('<title>Welcome, friend – Picnic</title>');
  second.enter('a.guests', ['Grace']);
  const check = await second.send('continue');
  expect(read(check)).toContain('Who comes with Ada?');
  const receipt = await check.send('send');
  expect(read(receipt)).toContain('Greet Grace from us, Ada.');
  expect(read(await PlainPage.open(new URL(receipt.url).pathname))).toContain('Greet Grace from us, Ada.');
  const stored = await fetch(receipt.url);
  expect(stored.headers.get('cache-control')).toBe('no-store');
});

it('an ending shows answers, and what the author has for none', async () => {
  const check = await (await secondPage('')).send('continue');
  expect(read(check)).toContain('Who comes with you?');
  const receipt = await check.send('send');
  expect(receipt.heading).toBe('Until 31 May 2026, friend');
});

it('an answer is a text, whatever is in it', async () => {
  const second = await secondPage('<b>x</b> [y](https://evil.example) {{day}} **z**');
  expect(second.heading).toContain('[y](https://evil.example) {{day}} **z**');
  expect(second.html).not.toMatch(/<b>|href="https:\/\/evil/);
});

it('the page of an Arabic reader has the answer within the Arabic text', async () => {
  const second = await secondPage('Ada', '?lang=ar');
  expect(second.heading).toBe('أهلا Ada');
  expect(read(second)).toContain('من يأتي مع Ada؟');
});

it('a draft that shows an answer to no earlier question is refused, and the text and the key are named', async () => {
  const { id } = (await asOwner.post('/api/v1/forms', { title: 'Later' })).body as { id: string };
  const put = (label: string) =>
    asOwner.put(`/app/v1/forms/${id}/draft`, { fields: [{ key: 'a', label, type: 'short_text' }], revision: 0 });
  const refused = await put('Hello {{b}}');
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toMatch(/fields\.0\.label: must show only answers to fields before it, which \\"b\\" is not/);
  expect((await put(String.raw`Hello \{{b}}`)).status).toBe(200);
});

it('the API takes the answers as before, and tells the texts as the author wrote them', async () => {
  const reply = await anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada', day: '2026-05-31' } });
  expect(reply.body).toMatchObject({ ending: { title: 'Until {{day}}, {{name|friend}}' } });
});

itInBrowser('the text of the same page follows what is typed with JavaScript, and the next page has it either way', async () => {
  for (const javaScript of [true, false])
    for (const language of ['en', 'ar']) {
      const respondent = await asRespondent({ width: 320, height: 700, javaScript });
      const { page } = respondent;
      await page.goto(`/f/${form}?lang=${language}`);
      await answer(page, { name: 'Ada', day: '2026-05-31' });
      const typed = await page.locator('#h-day').innerText();
      expect(typed).toContain(javaScript ? 'do you come, Ada?' : 'do you come, dear guest?');
      expect(await press(page, language === 'en' ? 'Continue' : 'متابعة')).toBe(200);
      expect(await heading(page)).toBe(language === 'en' ? 'Welcome, Ada' : 'أهلا Ada');
      await respondent.screenshot(`piping-${language}`);
    }
});
