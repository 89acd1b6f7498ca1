import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, entered, press } from '../../support/hosted-form';

// With scripts, a tab remembers what was typed until it is sent.

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true, prefill: true },
  { key: 'guests', label: 'Do you bring guests?', type: 'boolean' },
  { key: 'who', label: 'Their names', type: 'long_text', visible_if: { key: 'guests', equals: true } },
  { key: 'likes', label: 'What do you like?', type: 'multi_select', options: ['a', 'b', 'c'] },
  { type: 'page', label: 'More' },
  { key: 'city', label: 'Your city', type: 'short_text' },
];
const settings = { languages: ['en', 'de'], default_language: 'en' };
const typed = { name: 'Ada', guests: 'true', who: 'Grace\nMary', likes: ['a', 'c'] };

let form: string;
beforeAll(async () => {
  form = await given.publishedForm({ fields, settings });
});

itInBrowser('what was typed is still there after Reload and in another language', async () => {
  const { page } = await asRespondent();
  await page.goto(`/f/${form}?name=Prefilled`);
  await answer(page, typed);
  const seen = async () => ({
    name: (await entered(page, 'name'))[0],
    guests: (await entered(page, 'guests'))[0],
    who: (await entered(page, 'who'))[0],
    likes: await entered(page, 'likes'),
  });
  await page.reload();
  expect(await seen()).toEqual(typed);
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await page.getByRole('button', { name: 'Weiter' }).waitFor();
  expect(await seen()).toEqual(typed);
  expect(await page.locator('[data-key=who]').isVisible()).toBe(true);
});

itInBrowser('it is forgotten once it is sent, and in another tab it was never there', async () => {
  const { page, context } = await asRespondent();
  await page.goto(`/f/${form}`);
  await answer(page, typed);
  const other = await context.newPage();
  await other.goto(`/f/${form}`);
  expect(await entered(other, 'name')).toEqual(['']);

  await press(page, 'Continue');
  await press(page, 'Continue');
  await press(page, 'Send');
  expect((await given.submissionsOf(form))[0]?.data).toEqual({ ...typed, guests: true });
  expect(await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')).toBe('[{},{}]');
  await page.goto(`/f/${form}`);
  expect([await entered(page, 'name'), await entered(page, 'likes')]).toEqual([[''], []]);
});

itInBrowser('without scripts, nothing stays in the browser', async () => {
  const { page } = await asRespondent({ javaScript: false });
  await page.goto(`/f/${form}`);
  await answer(page, { name: 'Ada' });
  await page.goto(`/f/${form}`);
  expect(await entered(page, 'name')).toEqual(['']);
});
