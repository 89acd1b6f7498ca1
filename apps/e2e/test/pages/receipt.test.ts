import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, press, reference, textFile } from '../../support/hosted-form';
import { PlainPage } from '../../support/plain-browser';

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'cv', label: 'Your CV', type: 'file' },
];

itInBrowser('a receipt shows the answers to the person who sent them, if the form allows it', async () => {
  const form = await given.publishedForm({ fields, settings: { show_answers: true } });
  const { page } = await asRespondent();
  await page.goto(`/f/${form}`);
  await answer(page, { name: 'Ada Lovelace', cv: [textFile('cv.txt')] });
  await press(page, 'Send');
  const text = await page.locator('main').innerText();
  expect(text).toContain('Ada Lovelace');
  expect(text).toContain('cv.txt');
  await page.reload();
  expect(await page.locator('main').innerText()).toContain('Ada Lovelace');
});

itInBrowser('a receipt shows no answers otherwise', async () => {
  const form = await given.publishedForm({ fields });
  const { page } = await asRespondent();
  await page.goto(`/f/${form}`);
  await answer(page, { name: 'Ada Lovelace' });
  await press(page, 'Send');
  expect(await page.locator('main').innerText()).not.toContain('Ada Lovelace');
});

itInBrowser('a receipt can be printed, without what only makes sense on a screen', async () => {
  const form = await given.publishedForm({ fields, settings: { show_answers: true } });
  const { page } = await asRespondent();
  await page.goto(`/f/${form}`);
  await answer(page, { name: 'Ada Lovelace' });
  await press(page, 'Send');
  const sent = await reference(page);
  await page.emulateMedia({ media: 'print' });
  const printed = await page.locator('body').innerText();
  expect(printed).toContain(sent);
  expect(printed).toContain('Ada Lovelace');
  for (const button of await page.getByRole('button').all()) expect(await button.isVisible()).toBe(false);
  expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
});

it('pages with answers are kept by nobody on the way', async () => {
  const form = await given.publishedForm({ fields, settings: { show_answers: true } });
  const page = await PlainPage.open(`/f/${form}`);
  page.enter('a.name', ['Ada']);
  const receipt = await page.send('send');
  const answered = await fetch(receipt.url);
  expect(answered.headers.get('cache-control')).toContain('no-store');
  expect(answered.headers.get('referrer-policy')).toMatch(/no-referrer|same-origin|strict-origin/);
  expect(answered.headers.get('set-cookie')).toBeNull();
});

it('a receipt under a forged or changed token shows nothing', async () => {
  const form = await given.publishedForm({ fields, settings: { show_answers: true } });
  const other = await given.publishedForm({ fields, settings: { show_answers: true } });
  const page = await PlainPage.open(`/f/${form}`);
  page.enter('a.name', ['Ada Lovelace']);
  const { url } = await page.send('send');
  const { pathname } = new URL(url);
  const [head = '', body = ''] = (pathname.split('/').at(-1) ?? '').split('.');
  const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
  for (const path of [
    pathname.slice(0, -2) + (pathname.endsWith('AA') ? 'BB' : 'AA'),
    pathname.replace(form, other),
    `/f/${form}/receipt/x`,
    `/f/${form}/receipt/${none}`,
    `/f/${form}/receipt/${head}.${body}`,
    `/f/${form}/receipt/${'a'.repeat(7_000)}`,
  ]) {
    const found = await PlainPage.open(path);
    expect(found.html).not.toContain('Ada Lovelace');
    expect([400, 404, 410, 414, 431]).toContain(found.status);
  }
});
