import { eventually, hasFocus } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import { app, at, formWith, saving, shortText } from './answers/form';
import { fits } from './support/fits';
import { onScreen, onScreens, type Screen } from './support/on-screens';
import { refused } from './support/recorded-server';

// A repeat in the builder: its fields stand below it in the list, and are edited as all others are.

const open = onScreens();
const put = `PUT ${app}/draft`;
const rows = (page: Page) => page.getByRole('grid', { name: 'Fields and elements of the form' }).getByRole('row');
const question = (page: Page) => page.getByRole('textbox', { name: 'Question' });
const sends = (screen: Screen, fields: readonly object[]) =>
  eventually(() => expect(screen.server.sent(put).at(-1)).toMatchObject({ fields }));
const texts = (page: Page) => eventually(async () => (await rows(page).allInnerTexts()).map((text) => text.split('\n')[0] ?? ''));
const reads = (page: Page, ...labels: string[]) => eventually(async () => expect(await texts(page)).toEqual(labels));

const guests = { key: 'guests', label: 'Guests', type: 'repeat', required: false };
const meal = { key: 'meal', label: 'Meal', type: 'short_text', required: false };
const dinner = [shortText('host', 'Your name'), { ...guests, fields: [shortText('name', 'Name'), meal] }, shortText('song', 'Song')];

onScreen('a repeat and its fields are added, named and bounded by keyboard alone', async () => {
  const screen = await open(at('build'), { ...formWith([], { current_version: 0 }), ...saving });
  const { page } = screen;
  await page.getByText('What would you like to ask?').waitFor();
  const add = async (button: string, typed: string, label: string) => {
    await page.getByRole('button', { name: button }).first().focus();
    await page.keyboard.press('Enter');
    await hasFocus(page.getByRole('searchbox', { name: 'Find a type of field' }));
    await page.keyboard.type(typed);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await hasFocus(question(page));
    await page.keyboard.type(label);
  };
  await add('Add field', 'guests', 'Guests');
  await page.getByRole('textbox', { name: 'Name of an item' }).fill('Guest');
  await page.getByRole('textbox', { name: 'Most items' }).fill('5');
  await page.keyboard.press('Tab');
  await sends(screen, [{ key: 'guests', item_label: 'Guest', max: 5, fields: [{ key: 'short_text', type: 'short_text' }] }]);
  await reads(page, 'Guests', 'Short text');
  await rows(page).last().click();
  await question(page).fill('Name');
  await add('Add field inside', 'dropdown', 'Meal');
  await sends(screen, [{ key: 'guests', fields: [{ key: 'name' }, { key: 'meal', type: 'select' }] }]);
  await rows(page).first().click();
  await add('Add field', 'short', 'Name');
  // A key is the only one of its kind in the whole form.
  await sends(screen, [{ key: 'guests', fields: [{ key: 'name' }, { key: 'meal' }] }, { key: 'name_2' }]);
  await reads(page, 'Guests', 'Name', 'Meal', 'Name');
  await rows(page).first().click();
  await screen.screenshot('repeat');
  expect(await screen.accessibilityFaults()).toEqual([]);
});

onScreen('the fields of a repeat are moved within it, duplicated, deleted and brought back', async () => {
  const screen = await open(at('build'), { ...formWith(dinner), ...saving });
  const { page } = screen;
  await rows(page).nth(2).click();
  await page.keyboard.press('Alt+ArrowDown');
  await reads(page, 'Your name', 'Guests', 'Meal', 'Name', 'Song');
  // It does not leave the repeat.
  expect(await page.getByRole('button', { name: 'Move down' }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await reads(page, 'Your name', 'Guests', 'Meal', 'Name', 'Name', 'Song');
  await sends(screen, [{}, { fields: [{ key: 'meal' }, { key: 'name' }, { key: 'name_2' }] }, {}]);
  await rows(page).nth(4).focus();
  await page.keyboard.press('Delete');
  await reads(page, 'Your name', 'Guests', 'Meal', 'Name', 'Song');
  await rows(page).nth(1).click();
  await rows(page).nth(1).press('Delete');
  await reads(page, 'Your name', 'Song');
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await reads(page, 'Your name', 'Guests', 'Meal', 'Name', 'Song');
});

onScreen('a repeat is dragged with its fields', async () => {
  const screen = await open(at('build'), { ...formWith(dinner), ...saving });
  const { page } = screen;
  await rows(page).nth(4).waitFor();
  await rows(page)
    .nth(1)
    .dragTo(rows(page).first(), { sourcePosition: { x: 150, y: 20 }, targetPosition: { x: 150, y: 4 } });
  await reads(page, 'Guests', 'Name', 'Meal', 'Your name', 'Song');
});

onScreen('a condition names only what is known where it stands', async () => {
  const screen = await open(at('build'), { ...formWith(dinner), ...saving });
  const { page } = screen;
  const offered = async (row: number) => {
    await rows(page).nth(row).click();
    await page.getByText('Show only if a condition holds').click();
    await page.getByRole('button', { name: /Field$/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option').first().waitFor();
    const names = await page.getByRole('option').allInnerTexts();
    await page.keyboard.press('Escape');
    return names;
  };
  expect(await offered(3)).toEqual(['Your name', 'Name']);
  expect(await offered(4)).toEqual(['Your name', 'Guests']);
});

onScreen('what the server refuses is told at the field within the repeat', async () => {
  const message = 'must be a regular expression';
  const wrong = refused(400, 'bad_request', `fields.1.fields.1.pattern: ${message}`, [{ key: 'fields.1.fields.1.pattern', message }]);
  const screen = await open(at('build'), { ...formWith(dinner), [put]: wrong });
  const { page, server } = screen;
  await rows(page).nth(3).click();
  await page.getByRole('textbox', { name: 'Pattern', exact: true }).fill('(');
  await page.getByText(message).waitFor();
  await rows(page).nth(3).getByText('1 thing to correct').waitFor({ state: 'attached' });
  expect(screen.problems.take()).toEqual([expect.stringMatching(/^400: .*\/draft$/)]);
  server.set(saving);
  await page.getByRole('textbox', { name: 'Pattern', exact: true }).fill('[A-Z]+');
  await sends(screen, [{}, { fields: [{}, { pattern: '[A-Z]+' }] }, {}]);
});

onScreen('the texts of the fields within a repeat are translated', async () => {
  const languages = { languages: ['en', 'de'], default_language: 'en' };
  const screen = await open(`${at('build')}?view=translations`, { ...formWith(dinner, languages), ...saving });
  const { page } = screen;
  await page.getByRole('textbox', { name: 'Label in Deutsch: Meal' }).fill('Essen');
  await page.keyboard.press('Tab');
  await sends(screen, [{}, { fields: [{ key: 'name' }, { translations: { de: { label: 'Essen' } } }] }, {}]);
});

onScreen('a repeat fits a phone, and is read in the dark', async () => {
  const phone = await open(at('build'), { ...formWith(dinner), ...saving }, { width: 320, dark: true });
  await rows(phone.page).nth(1).waitFor();
  await phone.screenshot('repeat-list-phone');
  await fits(phone, 'en');
  await rows(phone.page).nth(1).click();
  await phone.page.getByRole('textbox', { name: 'Name of an item' }).waitFor();
  await phone.screenshot('repeat-settings-phone');
  await fits(phone, 'en');
});
