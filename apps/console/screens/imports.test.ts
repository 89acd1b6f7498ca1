import { hasFocus } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import { app, at, version } from './answers/form';
import { idOf, pageOf, then } from './answers/people';
import { fields, inbox, list, submission } from './answers/submissions';
import { fits } from './support/fits';
import { onScreen, onScreens } from './support/on-screens';
import { refused } from './support/recorded-server';

const open = onScreens();
const previewing = `POST ${app}/imports/preview`;
const importing = `POST ${app}/imports`;

const column = (number: number, heading: string, target: string, samples: string[], proposed = target) => ({
  number,
  heading,
  samples,
  filled: 2,
  target,
  proposed,
});
const preview = {
  format: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  source: 'google_forms',
  version: 1,
  rows: 3,
  valid: 0,
  columns: [
    column(1, 'Timestamp', 'created_at', ['2026/03/02 9:30:00 AM']),
    column(2, 'Full name', 'nothing', ['Ada Lovelace', 'Grace Hopper']),
    column(3, 'Town', 'answers.town', ['Berlin', 'Paris']),
  ],
  missing: ['name'],
  faults: [{ row: 2, key: 'name', message: 'is required' }],
  fault_count: 4,
};
const matched = {
  ...preview,
  valid: 2,
  missing: [],
  unasked: ['stars'],
  columns: [preview.columns[0], column(2, 'Full name', 'answers.name', ['Ada Lovelace', 'Grace Hopper'], 'nothing'), preview.columns[2]],
  faults: [{ row: 4, column: 3, heading: 'Town', key: 'town', message: '"Paris" is none of the options' }],
  fault_count: 1,
};
const age = { key: 'age', label: 'Age', type: 'calculated', required: false, formula: 'count(stars)', format: 'number' };
const done = { id: idOf(12), imported: 2, left_out: 1, faults: [], events: false, created_at: then };

const answers = {
  ...inbox([submission(1, { name: 'Ada' })]),
  [`GET ${app}/versions/1`]: version(1, [...fields, age]),
  [previewing]: preview,
  [`${previewing}?match=2%3Aanswers.name`]: matched,
};

async function chooseFile(page: Page, button = 'Import') {
  await page.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'answers.csv', mimeType: 'text/csv', buffer: Buffer.from('Full name\nAda\n') });
  return dialog;
}

onScreen('a file is matched by the keyboard, shown with what is wrong, and imported from where it was refused at first', async () => {
  const screen = await open(at('submissions'), answers, { width: 1_280, height: 900 });
  const { page, server } = screen;
  const dialog = await chooseFile(page);
  await dialog.getByText('0 of 3 rows can be imported.').waitFor();
  await dialog.getByText('No column answers what must be answered: Your name').waitFor();
  await dialog.getByText('Answers from Google Forms').waitFor();
  await dialog.getByText('and 3 more').waitFor();
  const start = dialog.getByRole('button').last();
  expect(await start.isDisabled()).toBe(true);
  await screen.screenshot('import with columns to match');
  expect(await screen.accessibilityFaults()).toEqual([]);

  const target = dialog.getByRole('button', { name: /What “Full name” becomes/ });
  await target.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'Your name' }).waitFor();
  // Neither files nor what is computed can be imported.
  expect(await page.getByRole('option', { name: /Photo|Age/ }).count()).toBe(0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.getByText('2 of 3 rows can be imported.').waitFor();
  await dialog.getByText('Dropped where other answers hide the question: some answers to Stars').waitFor();
  await dialog.getByText('Row 4, Town:').waitFor();
  await dialog.getByText('"Paris" is none of the options').waitFor();
  expect(await start.isDisabled()).toBe(true);
  await dialog.getByText('Leave out the rows in which something is wrong').click();

  server.set({ [importing]: refused(409, 'conflict', 'The form has version 2 by now, not 1. Preview the file again.') });
  await start.click();
  await dialog.getByText('The form has version 2 by now').waitFor();
  expect(screen.problems.take()).toEqual([expect.stringMatching(/^409: /)]);
  server.set({ [importing]: done, [list]: pageOf([submission(2, { name: 'Grace' }), submission(1, { name: 'Ada' })]) });
  await start.click();
  await dialog.getByText('2 submissions imported').waitFor();
  await dialog.getByText('Rows left out: 1').waitFor();
  const queries = new Set(server.asked(importing).map(({ query }) => query.toString()));
  expect([...queries]).toEqual(['match=2%3Aanswers.name&version=1&only_valid=true&events=false']);
  const show = dialog.getByRole('button', { name: 'Show the submissions' });
  await hasFocus(show);
  await show.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Grace').first().waitFor();
});

onScreen('a file that cannot be read is refused with its reason, and another one can be chosen', async () => {
  const reason = 'file: must have a row with headings';
  const { page, problems } = await open(at('submissions'), { ...answers, [previewing]: refused(400, 'bad_request', reason) });
  const dialog = await chooseFile(page);
  await dialog.getByText(reason).waitFor();
  await dialog.getByRole('button', { name: 'Choose a file' }).waitFor();
  expect(problems.take()).toEqual([expect.stringMatching(/^400: /)]);
});

onScreen('viewers cannot import', async () => {
  const { page } = await open(at('submissions'), inbox([submission(1, { name: 'Ada' })], {}, 'viewer'));
  await page.getByRole('button', { name: 'Export' }).waitFor();
  expect(await page.getByRole('button', { name: 'Import' }).count()).toBe(0);
});

onScreen('on a phone, in the dark and in German, an import fits', async () => {
  const screen = await open(at('submissions'), answers, { width: 320, dark: true, locale: 'de-DE' });
  await (await chooseFile(screen.page, 'Importieren')).getByText('0 von 3 Zeilen können importiert werden.').waitFor();
  await screen.screenshot('import on a phone');
  await fits(screen, 'de');
});
