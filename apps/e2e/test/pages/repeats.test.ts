import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, arriving, buttonOf, entered, faultyKeys, heading, press } from '../../support/hosted-form';

const fields = [
  { key: 'host', type: 'short_text', label: 'Your name', required: true },
  {
    ...{ key: 'guests', type: 'repeat', label: 'Your guests', item_label: 'Guest', max: 3 },
    fields: [
      { key: 'guest', type: 'short_text', label: 'Name', required: true },
      { key: 'eats', type: 'boolean', label: 'Does {{guest|the guest}} eat with us?' },
      { key: 'meal', type: 'select', label: 'Meal', options: ['fish', 'soup'], required: true, visible_if: { key: 'eats', equals: true } },
      { key: 'fee', type: 'calculated', label: 'Fee', formula: 'if(eats, 12.5, 0)' },
    ],
  },
  { key: 'total', type: 'calculated', label: 'Total', formula: 'sum(guests.fee)' },
  { type: 'page', label: 'The end' },
  { key: 'table', type: 'short_text', label: 'Table for all', visible_if: { key: 'guests', chosen_at_least: 2 } },
  { key: 'note', type: 'short_text', label: 'Anything else?' },
];

let form: string;
beforeAll(async () => {
  form = await given.publishedForm({ title: 'Dinner', fields });
});

const item = (at: number, key: string) => `guests[${at}].${key}`;

describe.each([
  ['without scripts', false],
  ['with scripts', true],
])('%s', (_how, javaScript) => {
  itInBrowser('a respondent answers for each guest, takes one out, and sends what is left', async () => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    expect(await page.getByRole('group', { name: 'Guest 1' }).count()).toBe(0);
    await answer(page, { host: 'Zoe' });
    expect(await press(page, 'Add Guest')).toBe(200);
    expect(await page.evaluate('document.activeElement.id')).toBe('f-guests[0]');
    await answer(page, { [item(0, 'guest')]: 'Ann', [item(0, 'eats')]: 'true' });
    await press(page, 'Add another Guest');
    await answer(page, { [item(0, 'meal')]: 'fish', [item(1, 'guest')]: 'Bob' });
    await press(page, 'Add another Guest');
    expect(await page.getByText('No more can be added: the maximum is 3.').count()).toBe(1);
    await answer(page, { [item(2, 'guest')]: 'Cid', [item(2, 'eats')]: 'false' });
    await press(page, 'Remove Guest 2');
    expect(await entered(page, item(1, 'guest'))).toEqual(['Cid']);
    expect([await entered(page, 'host'), await entered(page, item(0, 'guest')), await entered(page, item(0, 'meal'))]).toEqual([
      ['Zoe'],
      ['Ann'],
      ['fish'],
    ]);
    // A further one that stays empty is nobody.
    await press(page, 'Add another Guest');

    expect([await press(page, 'Continue'), await heading(page)]).toEqual([200, 'The end']);
    await answer(page, { table: 'Window' });
    await press(page, 'Continue');
    expect(await page.locator('.items > li').allInnerTexts()).toEqual([expect.stringContaining('Ann'), expect.stringContaining('Cid')]);
    await press(page, 'Change: Your guests');
    expect(await entered(page, item(1, 'guest'))).toEqual(['Cid']);
    await press(page, 'Continue');
    expect([await press(page, 'Send'), await heading(page)]).toEqual([200, 'Thank you']);
    expect((await given.submissionsOf(form))[0]?.data).toEqual({
      host: 'Zoe',
      guests: [
        { guest: 'Ann', eats: true, meal: 'fish', fee: 12.5 },
        { guest: 'Cid', eats: false, fee: 0 },
      ],
      total: 12.5,
      table: 'Window',
    });
  });

  itInBrowser('a guest who stays empty before others is nobody, and the others stay who they are', async () => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    await answer(page, { host: 'Zoe' });
    await press(page, 'Add Guest');
    await press(page, 'Add another Guest');
    await press(page, 'Add another Guest');
    await answer(page, { [item(1, 'guest')]: 'Ann', [item(2, 'guest')]: 'Bob' });
    expect([await press(page, 'Continue'), await heading(page)]).toEqual([200, 'The end']);
    await press(page, 'Back');
    expect([await entered(page, item(0, 'guest')), await entered(page, item(1, 'guest'))]).toEqual([['Ann'], ['Bob']]);
    await press(page, 'Add another Guest');
    expect(await entered(page, item(2, 'guest'))).toEqual(['']);
  });

  itInBrowser('a respondent is led to the question of the guest that is at fault', async () => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    await answer(page, { host: 'Zoe' });
    await press(page, 'Add Guest');
    await press(page, 'Add another Guest');
    await answer(page, { [item(0, 'guest')]: 'Ann', [item(1, 'eats')]: 'false' });
    expect([await press(page, 'Continue'), await faultyKeys(page)]).toEqual([422, [item(1, 'guest')]]);
    await page.locator('.summary a').click();
    expect(await page.evaluate('document.activeElement.id')).toBe(`f-${item(1, 'guest')}`);
    await page.keyboard.type('Bob');
    // The Enter key goes on, and adds or takes out nobody.
    expect(await arriving(page, () => page.keyboard.press('Enter'))).toBe(200);
    expect(await heading(page)).toBe('The end');
    await page.goBack();
    expect(await buttonOf(page, 'Remove Guest 2').count()).toBe(1);
  });
});

itInBrowser('the page is accessible with items', async () => {
  const respondent = await asRespondent({ width: 320 });
  await respondent.page.goto(`/f/${form}`);
  await press(respondent.page, 'Add Guest');
  expect(await respondent.accessibilityFaults()).toEqual([]);
});
