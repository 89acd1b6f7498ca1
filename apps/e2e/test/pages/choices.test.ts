import { asRespondent, itInBrowser, looksOf } from '../../support/browser';
import * as given from '../../support/given';
import { answer, entered, faultyKeys, press } from '../../support/hosted-form';
import { anyone, asOwner } from '../../support/people';

const names = 'Arles,Évora,Gdańsk,Haarlem,Kraków,Lyon,Malmö,Nîmes,Orléans,Porto,Rīga,Sète,Tromsø,Utrecht,Vilnius,Żory';
const towns = names.split(',').map((label) => ({ value: label, label }));

const fields = [
  {
    key: 'town',
    label: 'Your town',
    type: 'select',
    required: true,
    appearance: 'dropdown',
    options: towns,
    other: { label: 'Elsewhere' },
  },
  { key: 'day', label: 'Which day?', type: 'select', appearance: 'buttons', options: ['Monday', 'Tuesday', 'Wednesday'] },
  { key: 'seen', label: 'Seen already', type: 'multi_select', options: towns, shuffle: true, other: { label: 'Another one' } },
  { type: 'page', label: 'The rest' },
  { key: 'note', label: 'Note', type: 'short_text' },
];

let form: string;
beforeAll(async () => {
  form = await given.publishedForm({ title: 'Choices', fields });
});

describe.each([
  ['without scripts', false],
  ['with scripts', true],
])('%s', (_how, javaScript) => {
  itInBrowser('a respondent has one order of options on all pages, and the answers are in that of the form', async () => {
    const respondent = await asRespondent({ javaScript, width: 320 });
    const { page } = respondent;
    const inOrder = async () => Promise.all((await page.locator('[name="a.seen"]').all()).map((box) => box.inputValue()));
    await page.goto(`/f/${form}`);
    const mine = await inOrder();
    expect([mine.at(-1), [...mine].sort()]).toEqual(['other', [...towns.map(({ value }) => value), 'other'].sort()]);
    expect(mine).not.toEqual([...towns.map(({ value }) => value), 'other']);

    await answer(page, { day: 'Tuesday', seen: ['Żory', 'Arles', 'Lyon'] });
    await press(page, 'Continue');
    expect([await faultyKeys(page), await inOrder()]).toEqual([['town'], mine]);
    expect(await respondent.accessibilityFaults()).toEqual([]);
    await respondent.screenshot(`choices-fault-${javaScript}`);
    await answer(page, { town: 'Nîmes' });
    await press(page, 'Continue');
    await press(page, 'Back');
    expect([await inOrder(), await entered(page, 'town'), await entered(page, 'seen')]).toEqual([
      mine,
      ['Nîmes'],
      mine.filter((value) => ['Żory', 'Arles', 'Lyon'].includes(value)),
    ]);
    await press(page, 'Continue');
    await press(page, 'Continue');
    expect(await press(page, 'Send')).toBe(200);
    const [sent] = await given.submissionsOf(form);
    expect(sent?.data).toEqual({ town: 'Nîmes', day: 'Tuesday', seen: ['Arles', 'Lyon', 'Żory'] });

    // The page of a form is kept for many respondents, unless each has an order of their own.
    await page.goto(`/f/${form}`);
    expect(await inOrder()).not.toEqual(mine);
  });

  itInBrowser.each(looksOf(javaScript))('choices are accessible and fit the window, in %s (%j)', async (language, options) => {
    const respondent = await asRespondent({ javaScript, ...options });
    const { page } = respondent;
    await page.goto(`/f/${form}?lang=${language}`);
    await answer(page, { day: 'Tuesday', seen: ['Lyon'] });
    if (javaScript) {
      await page.getByRole('combobox').fill('ri');
      await page.getByRole('option', { name: 'Rīga' }).waitFor();
      await page.keyboard.press('ArrowDown');
    }
    expect(await respondent.accessibilityFaults()).toEqual([]);
    await respondent.screenshot(`choices-${language}-${javaScript}`);
  });
});

itInBrowser('Other is found by whoever finds nothing else, and asks which', async () => {
  const { page } = await asRespondent();
  await page.goto(`/f/${form}`);
  await page.getByRole('combobox').fill('nowhere');
  await page.getByText('No option found').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await answer(page, { town_other: 'Ravenna' });
  await press(page, 'Continue');
  await press(page, 'Continue');
  expect(await press(page, 'Send')).toBe(200);
  expect((await given.submissionsOf(form))[0]?.data).toEqual({ town: 'other', town_other: 'Ravenna' });
});

it('is told to programs, whose order is that of the form, and to authors who are wrong', async () => {
  const { body } = await anyone.get(`/public/v1/forms/${form}`);
  const [town, , , seen] = (body as { fields: { options?: { value: string }[] }[] }).fields;
  expect(town).toMatchObject({ key: 'town', appearance: 'dropdown' });
  expect(seen).toMatchObject({ key: 'seen', shuffle: true, options: [...towns, { value: 'other' }] });

  const path = `/app/v1/forms/${form}/draft`;
  const { revision } = (await asOwner.get(path)).body as { revision: number };
  const wrong = [
    { key: 'a', label: 'A', type: 'multi_select', options: ['x'], appearance: 'dropdown' },
    { key: 'b', label: 'B', type: 'short_text', shuffle: true },
    { key: 'c', label: 'C', type: 'select', options: ['x'], shuffle: 'yes' },
  ];
  const save = (sent: object[]) => asOwner.put(path, { revision, fields: sent });
  expect(await save(wrong.slice(0, 2))).toMatchObject({
    status: 400,
    body: {
      error: {
        details: [
          { key: 'fields.0.appearance', message: 'must be one of list, buttons for the type multi_select' },
          { key: 'fields.1.shuffle', message: 'is not allowed for the type short_text' },
        ],
      },
    },
  });
  expect(await save(wrong.slice(2))).toMatchObject({ status: 400, body: { error: { details: [{ key: 'fields.0.shuffle' }] } } });
});
