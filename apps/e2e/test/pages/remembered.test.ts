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

describe('links that bring other values, in one tab,', () => {
  const personal = [
    { key: 'guest', label: 'Your name', type: 'short_text', prefill: true },
    { key: 'city', label: 'Your city', type: 'short_text' },
    { key: 'hid', label: 'Number', type: 'hidden' },
  ];
  const more = [
    { type: 'page', label: 'More' },
    { key: 'meal', label: 'Your meal', type: 'short_text' },
  ];

  itInBrowser('begin anew, each with what was typed under it alone', async () => {
    const form = await given.publishedForm({ fields: personal });
    const [ada, bob] = [`/f/${form}?guest=Ada&hid=ADA-1`, `/f/${form}?guest=Bob&hid=BOB-2`];
    const { page } = await asRespondent();
    const seen = async () => [...(await entered(page, 'guest')), ...(await entered(page, 'city'))];
    await page.goto(ada);
    await answer(page, { guest: 'Ada Lovelace', city: 'London' });
    await page.goto(bob);
    expect(await seen()).toEqual(['Bob', '']);
    await answer(page, { city: 'Bath' });
    await page.reload();
    expect(await seen()).toEqual(['Bob', 'Bath']);
    await page.goto(`/f/${form}`);
    expect(await seen()).toEqual(['', '']);

    // A value that the form does not take makes no other link.
    await page.goto(`/f/${form}?hid=BOB-2&utm_source=mail&guest=Bob`);
    expect(await seen()).toEqual(['Bob', 'Bath']);
    await press(page, 'Send');
    await page.goto(ada);
    expect(await seen()).toEqual(['Ada Lovelace', 'London']);
    await press(page, 'Send');
    expect((await given.submissionsOf(form)).map(({ data }) => data)).toEqual([
      { guest: 'Ada Lovelace', city: 'London', hid: 'ADA-1' },
      { guest: 'Bob', city: 'Bath', hid: 'BOB-2' },
    ]);
    expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).toBe('{}');
  });

  itInBrowser('do so through the steps of a form', async () => {
    const form = await given.publishedForm({ fields: [...personal, ...more] });
    const [ada, bob] = [`/f/${form}?guest=Ada&hid=ADA-1`, `/f/${form}?guest=Bob&hid=BOB-2`];
    const { page } = await asRespondent();
    await page.goto(ada);
    await press(page, 'Continue');
    await answer(page, { meal: 'Soup' });
    await page.reload();
    expect(await entered(page, 'meal')).toEqual(['Soup']);
    await page.goto(bob);
    await press(page, 'Continue');
    expect(await entered(page, 'meal')).toEqual(['']);
    await answer(page, { meal: 'Bread' });
    await press(page, 'Continue');
    await press(page, 'Send');
    await page.goto(ada);
    await press(page, 'Continue');
    expect(await entered(page, 'meal')).toEqual(['Soup']);
    expect((await given.submissionsOf(form))[0]?.data).toEqual({ guest: 'Bob', hid: 'BOB-2', meal: 'Bread' });
  });
});

itInBrowser('without scripts, nothing stays in the browser', async () => {
  const { page } = await asRespondent({ javaScript: false });
  await page.goto(`/f/${form}`);
  await answer(page, { name: 'Ada' });
  await page.goto(`/f/${form}`);
  expect(await entered(page, 'name')).toEqual(['']);
});
