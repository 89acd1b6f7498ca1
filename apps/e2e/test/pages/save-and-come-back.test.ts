import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, buttonOf, entered, heading, press, textFile } from '../../support/hosted-form';
import { asOwner } from '../../support/people';
import { PlainPage } from '../../support/plain-browser';

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'cv', label: 'Your CV', type: 'file' },
  { type: 'page', label: 'More' },
  { key: 'story', label: 'Your story', type: 'long_text', required: true },
];

let form: string;
beforeAll(async () => {
  form = await given.publishedForm({ title: 'A long form', fields, settings: { resume: { days: 7 } } });
});

/** The link on the page that was shown after saving. */
async function linkOn(html: string): Promise<string> {
  const link = /https?:\/\/[^"<\s]*\/resume\/[\w-]+/.exec(html)?.[0];
  if (link === undefined) throw new Error(`no link in ${html}`);
  return Promise.resolve(link);
}

describe.each([
  ['without scripts', false],
  ['with scripts', true],
])('%s', (_how, javaScript) => {
  itInBrowser('a respondent saves, comes back on another device by the link, and sends', async () => {
    const first = await asRespondent({ javaScript });
    await first.page.goto(`/f/${form}`);
    await answer(first.page, { name: 'Ada', cv: [textFile('cv.txt')] });
    await press(first.page, 'Save and come back later');
    const link = await linkOn(await first.page.content());

    const { page } = await asRespondent({ javaScript });
    await page.goto(link);
    expect(await entered(page, 'name')).toEqual(['Ada']);
    expect(await page.locator('[data-key=cv]').innerText()).toContain('cv.txt');
    await press(page, 'Continue');
    await answer(page, { story: 'Long' });
    await press(page, 'Continue');
    await press(page, 'Send');
    expect(await heading(page)).toBe('Thank you');
    const [stored] = await given.submissionsOf(form);
    expect(stored?.data).toMatchObject({ name: 'Ada', story: 'Long' });
    expect(await given.fileNames(form, stored?.data.cv)).toEqual(['cv.txt']);

    const again = await asRespondent({ javaScript });
    await again.page.goto(link);
    expect(await again.page.locator('main').innerText()).not.toContain('Ada');
    expect(await again.page.locator('#f-name').count()).toBe(0);
  });
});

itInBrowser('answers can be saved while some are still wrong or missing', async () => {
  const { page } = await asRespondent({ javaScript: false });
  await page.goto(`/f/${form}`);
  expect(await press(page, 'Save and come back later')).toBe(200);
  await page.goto(await linkOn(await page.content()));
  expect(await heading(page)).toBe('A long form');
});

itInBrowser('a form that does not allow it has no button for it', async () => {
  const other = await given.publishedForm();
  const { page } = await asRespondent();
  await page.goto(`/f/${other}`);
  expect(await buttonOf(page, 'Save and come back later').count()).toBe(0);
});

it('a number that was typed in one language is the same number in the language in which its respondent goes on', async () => {
  const priced = await given.publishedForm({
    fields: [
      { key: 'price', label: 'Price', type: 'number' },
      { key: 'count', label: 'Count', type: 'integer' },
      { key: 'code', label: 'Code', type: 'short_text' },
    ],
    settings: { languages: ['en', 'de'], default_language: 'en', resume: { days: 7 } },
  });
  const first = await PlainPage.open(`/f/${priced}`, { 'accept-language': 'de' });
  for (const [name, value] of Object.entries({ price: '1.500', count: '12.000', code: '1.500' })) first.enter(`a.${name}`, [value]);
  const link = new URL(await linkOn((await first.send('save', [], { 'accept-language': 'de' })).html)).pathname;

  const german = await PlainPage.open(link, { 'accept-language': 'de' });
  expect([german.entered('a.price'), german.entered('a.count')]).toEqual([['1.500'], ['12.000']]);
  const english = await PlainPage.open(link, { 'accept-language': 'en' });
  expect([english.entered('a.price'), english.entered('a.count'), english.entered('a.code')]).toEqual([['1500'], ['12000'], ['1.500']]);
  await english.send('send');
  expect((await given.submissionsOf(priced))[0]?.data).toEqual({ price: 1500, count: 12_000, code: '1.500' });
});

it('a link that nobody was given finds nothing', async () => {
  for (const token of ['x', 'A'.repeat(43), '..%2f..%2f', 'A'.repeat(5_000)]) {
    const page = await PlainPage.open(`/f/${form}/resume/${token}`);
    expect(page.status).toBeGreaterThanOrEqual(400);
    expect(page.status).toBeLessThan(500);
  }
});

it('a link belongs to its form', async () => {
  const other = await given.publishedForm({ settings: { resume: { days: 7 } } });
  const page = await PlainPage.open(`/f/${form}`);
  page.enter('a.name', ['Ada']);
  const link = await linkOn((await page.send('save')).html);
  const stolen = await PlainPage.open(new URL(link).pathname.replace(form, other));
  expect(stolen.html).not.toContain('Ada');
  expect(stolen.status).toBe(404);
});

describe('saved answers', () => {
  const saved = async () => {
    const short = await given.publishedForm({ settings: { resume: { days: 7 } } });
    const page = await PlainPage.open(`/f/${short}`);
    page.enter('a.name', ['Ada']);
    const link = new URL(await linkOn((await page.send('save')).html)).pathname;
    expect((await PlainPage.open(link)).entered('a.name')).toEqual(['Ada']);
    return { page, link };
  };

  it('are erased when the page before, which Back brought, is sent', async () => {
    const { page, link } = await saved();
    expect((await page.send('send')).heading).toBe('Thank you');
    expect((await PlainPage.open(link)).status).toBe(404);
  });

  it('cannot be saved again once they were sent', async () => {
    const { page, link } = await saved();
    const receipt = await page.send('send');
    expect((await page.send('save')).heading).toBe(receipt.heading);
    expect((await PlainPage.open(link)).status).toBe(404);
  });
});

describe('a link that was opened', () => {
  const mail = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
  const ours = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' };
  const pathOn = async ({ html }: PlainPage) => new URL(await linkOn(html)).pathname;
  const saved = async () => {
    const page = await PlainPage.open(`/f/${form}`);
    page.enter('a.name', ['Mallory']);
    return pathOn(await page.send('save', [], ours));
  };

  it.each<[string, Record<string, string>]>([
    ['from another site', mail],
    ['from a mail program', { ...mail, 'sec-fetch-site': 'none' }],
    ['by a browser that does not say from where', {}],
  ])('%s brings the answers, and what is saved then has another link', async (_where, headers) => {
    const link = await saved();
    const page = await PlainPage.open(link, headers);
    expect(page.entered('a.name')).toEqual(['Mallory']);
    page.enter('a.name', ['Ada Lovelace']);
    const next = await page.send('continue', [], ours);
    next.enter('a.story', ['Private']);
    const own = await pathOn(await next.send('save', [], ours));
    expect(own).not.toBe(link);
    expect((await PlainPage.open(link)).entered('a.name')).toEqual(['Mallory']);
    expect((await PlainPage.open(link)).html).not.toMatch(/Lovelace|Private/);

    // Saving once more replaces what was saved.
    next.enter('a.story', ['More']);
    expect(await pathOn(await next.send('save', [], ours))).toBe(own);
    const back = await PlainPage.open(own, headers);
    expect([back.entered('a.name'), back.html.includes('More')]).toEqual([['Ada Lovelace'], true]);
  });

  it('from the page that shows it stays the same', async () => {
    const link = await saved();
    const page = await PlainPage.open(link, ours);
    page.enter('a.name', ['Ada']);
    expect(await pathOn(await page.send('save', [], ours))).toBe(link);
  });

  it('from another site does not look like the page after saving', async () => {
    const link = await saved();
    const page = await PlainPage.open(`${link}?saved=1`, mail);
    expect([page.entered('a.name'), page.html.includes(link)]).toEqual([['Mallory'], false]);
  });
});

describe('answers that cannot be saved come back on the same page', () => {
  const typed = async (text: string) => {
    const own = await given.publishedForm({
      fields: [{ key: 'story', label: 'Your story', type: 'long_text' }],
      settings: { resume: { days: 7 } },
    });
    const page = await PlainPage.open(`/f/${own}`);
    page.enter('a.story', [text]);
    return { own, page };
  };

  it('if the form no longer offers it', async () => {
    const { own, page } = await typed('A long story');
    await asOwner.patch(`/app/v1/forms/${own}`, { resume: null });
    const answered = await page.send('save');
    expect(answered.status).toBe(409);
    expect(answered.html).toContain('The form has changed');
    expect(answered.entered('a.story')).toEqual(['A long story']);
    expect(answered.buttons).not.toContain('save');
    expect((await answered.send('send')).heading).toBe('Thank you');
  });

  it('if they are too long', async () => {
    const text = 'x'.repeat(1_300_000);
    const { page } = await typed(text);
    const answered = await page.send('save');
    expect(answered.status).toBe(413);
    expect(answered.html).toContain('shorten the answers');
    expect(answered.entered('a.story')).toEqual([text]);
  });
});
