import { asRespondent, itInBrowser, itWithScriptsAtNight } from '../../support/browser';
import * as given from '../../support/given';
import { answer, entered, faultyKeys, press } from '../../support/hosted-form';
import { asOwner } from '../../support/people';

const taken = 'This address is registered already. Write to us to change your day.';
const day = {
  key: 'day',
  label: 'Which day?',
  type: 'select',
  required: true,
  options: [{ value: 'Monday', label: 'Monday', limit: 1 }, { value: 'Tuesday', label: 'Tuesday', limit: 1 }, 'Wednesday'],
  translations: { ar: { label: 'أي يوم؟', options: { Monday: 'الاثنين', Tuesday: 'الثلاثاء', Wednesday: 'الأربعاء' } } },
};
const email = {
  key: 'email',
  label: 'Your address',
  type: 'email',
  unique: true,
  messages: { unique: taken },
  translations: { ar: { label: 'عنوانك', messages: { unique: 'هذا العنوان مسجَّل بالفعل.' } } },
};
const topics = { key: 'topics', label: 'Topics', type: 'multi_select', options: [{ value: 'Art', label: 'Art', limit: 1 }, 'Music'] };
const note = { key: 'note', label: 'Note', type: 'long_text' };
const settings = { languages: ['en', 'ar'], default_language: 'en' };

const workshop = (fields: unknown[] = [day, email, topics, note]) => given.publishedForm({ title: 'Workshop', fields, settings });
const erase = async (form: string, id: string) =>
  expect((await asOwner.delete(`/api/v1/forms/${form}/submissions/${id}`)).status).toBe(204);

describe.each([
  ['without scripts', false],
  ['with scripts', true],
])('a respondent %s', (_, javaScript) => {
  const itOfServer = itWithScriptsAtNight(javaScript);

  itOfServer('sees from the first page on which options are full, and no longer once their places are free', async () => {
    const form = await workshop();
    const respondent = await asRespondent({ javaScript, width: 320 });
    const { page } = respondent;
    const monday = page.locator('[data-key=day] input[value=Monday]');
    await page.goto(`/f/${form}?lang=ar`);
    expect(await monday.isDisabled()).toBe(false);

    const first = await given.submission(form, { day: 'Monday', topics: ['Art'] });
    await page.goto(`/f/${form}?lang=ar`);
    expect(await monday.isDisabled()).toBe(true);
    expect(await page.locator('[data-key=day] .choice').first().innerText()).toMatch(/الاثنين\s*مكتمل/);
    expect(await page.locator('[data-key=day] :disabled, [data-key=topics] :disabled').count()).toBe(2);
    expect(await respondent.accessibilityFaults()).toEqual([]);
    await respondent.screenshot(`places-full-${javaScript}-ar`);

    await erase(form, first);
    await page.goto(`/f/${form}?lang=ar`);
    expect(await page.locator(':disabled').count()).toBe(0);
  });

  itOfServer('who was later is told at the question, and loses nothing but the option that is full', async () => {
    const form = await workshop();
    const [one, other] = [await asRespondent({ javaScript }), await asRespondent({ javaScript, width: 390 })];
    for (const { page } of [one, other]) {
      await page.goto(`/f/${form}`);
      await answer(page, { day: 'Tuesday', topics: ['Art', 'Music'], note: 'By train' });
    }
    expect(await press(one.page, 'Send')).toBe(200);
    const { page } = other;
    expect(await press(page, 'Send')).toBe(422);
    expect(await faultyKeys(page)).toEqual(['day', 'topics']);
    await other.screenshot(`places-late-${javaScript}`);
    expect([await entered(page, 'day'), await entered(page, 'topics'), await entered(page, 'note')]).toEqual([[], ['Music'], ['By train']]);
    expect(await page.locator('[data-key=day] input[value=Tuesday]').isDisabled()).toBe(true);
    expect(await other.accessibilityFaults()).toEqual([]);

    await answer(page, { day: 'Wednesday' });
    expect(await press(page, 'Send')).toBe(200);
    const data = (await given.submissionsOf(form)).map((each) => each.data);
    expect(data).toEqual([
      { day: 'Wednesday', topics: ['Music'], note: 'By train' },
      { day: 'Tuesday', topics: ['Art', 'Music'], note: 'By train' },
    ]);
  });

  itOfServer('is refused an address that was used, in the words of the author, until its submission is deleted', async () => {
    const form = await workshop();
    const first = await given.submission(form, { day: 'Wednesday', email: 'ada@example.org' });
    const respondent = await asRespondent({ javaScript, width: 320 });
    const { page } = respondent;
    await page.goto(`/f/${form}`);
    await answer(page, { day: 'Monday', email: 'Ada@Example.org', note: 'By train' });
    expect([await press(page, 'Send'), await faultyKeys(page)]).toEqual([422, ['email']]);
    expect(await page.locator('[data-key=email] .fault').innerText()).toContain(taken);
    expect([await entered(page, 'email'), await entered(page, 'note')]).toEqual([['Ada@Example.org'], ['By train']]);
    expect(await respondent.accessibilityFaults()).toEqual([]);
    await respondent.screenshot(`places-unique-${javaScript}`);

    await erase(form, first);
    expect(await press(page, 'Send')).toBe(200);
  });
});

itInBrowser('a respondent who comes back to a step sees that the option that they chose is full meanwhile', async () => {
  const form = await workshop([day, { type: 'page', label: 'About you' }, note]);
  const respondent = await asRespondent();
  const { page } = respondent;
  await page.goto(`/f/${form}`);
  await answer(page, { day: 'Monday' });
  await press(page, 'Continue');
  await given.submission(form, { day: 'Monday' });
  await answer(page, { note: 'By train' });
  await press(page, 'Back');
  await respondent.screenshot('places-back');
  expect([await entered(page, 'day'), await faultyKeys(page)]).toEqual([[], ['day']]);
  await answer(page, { day: 'Tuesday' });
  await press(page, 'Continue');
  await press(page, 'Continue');
  await given.submission(form, { day: 'Tuesday' });
  expect([await press(page, 'Send'), await faultyKeys(page)]).toEqual([422, ['day']]);
  expect(await respondent.accessibilityFaults()).toEqual([]);
});
