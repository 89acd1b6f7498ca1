import { eventually } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import { asConsoleOwner, type ConsoleUser } from '../../support/console';
import { publishAgain, publishedForm, submission, submissionsOf } from '../../support/given';

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { type: 'section', label: 'The visit' },
  {
    key: 'town',
    label: 'Town',
    type: 'select',
    options: [
      { value: 'b', label: 'Berlin' },
      { value: 'h', label: 'Hamburg' },
    ],
  },
  { key: 'stars', label: 'Stars', type: 'rating' },
  { key: 'photo', label: 'Photo', type: 'file' },
];

/** A person with a form that has these submissions, the last one newest, and its page open. */
async function withSubmissions(
  answers: readonly object[],
  { title = 'Visits', width = 1_280 } = {},
): Promise<{ user: ConsoleUser; form: string; page: Page }> {
  const user = await asConsoleOwner(undefined, { width, height: 900 });
  const form = await publishedForm({ title, fields }, user.person);
  for (const data of answers) await submission(form, data);
  await user.open(`/console/forms/${form}/submissions`);
  return { user, form, page: user.page };
}
const panel = (page: Page) => page.getByRole('region', { name: 'Submission', exact: true });
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ has: page.getByRole('gridcell', { name: text, exact: true }) });

it('shows what arrives and what changes without moving the list', async () => {
  const { user, form, page } = await withSubmissions([{ name: 'Ada' }]);
  await rowOf(page, 'Ada').waitFor();
  const [{ id } = { id: '' }] = await submissionsOf(form, user.person);
  await user.person.patch(`/api/v1/forms/${form}/submissions/${id}/status`, { status: 'in_review' });
  await rowOf(page, 'Ada').getByText('In review').waitFor();
  await submission(form, { name: 'Grace' });
  await submission(form, { name: 'Joan' });
  await page.getByText('2 new submissions').waitFor();
  expect(await rowOf(page, 'Grace').count()).toBe(0);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await rowOf(page, 'Joan').waitFor();
  await page.getByText('3 submissions').waitFor();
});

it('corrects an answer under the version it was made against, and shows the earlier answers', async () => {
  const { user, form, page } = await withSubmissions([{ name: 'Ada', town: 'b', stars: 4 }]);
  await publishAgain(form, { fields: [{ key: 'name', label: 'Full name', type: 'short_text', required: true }] }, user.person);
  await page.reload();
  await rowOf(page, 'Ada').click();
  await panel(page).getByText('Version 1').waitFor();
  await panel(page).getByText('Your name').waitFor();
  await panel(page).getByText('Berlin').waitFor();
  const edit = async () => {
    await panel(page).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Correct answers' }).click();
  };
  await edit();
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada Lovelace');
  await page.getByRole('textbox', { name: 'Stars' }).fill('many');
  await page.getByRole('textbox', { name: 'Reason' }).fill('She called.');
  await page.getByRole('button', { name: 'Save correction' }).click();
  await page.getByText('1 answer needs a correction.').waitFor();
  expect(user.problems.take()).toEqual([expect.stringContaining('400: ')]);
  await eventually(async () => expect(await page.getByRole('textbox', { name: 'Stars' }).getAttribute('aria-invalid')).toBe('true'));

  // Meanwhile somebody else corrects it.
  const [{ id } = { id: '' }] = await submissionsOf(form, user.person);
  const other = await user.person.patch(`/app/v1/forms/${form}/submissions/${id}`, {
    data: { name: 'A. Lovelace', stars: 4 },
    revision: 0,
  });
  expect(other.status).toBe(200);
  await page.getByRole('textbox', { name: 'Stars' }).fill('5');
  await page.getByRole('button', { name: 'Save correction' }).click();
  await page.getByText('Somebody else has corrected this submission meanwhile.').waitFor();
  expect(user.problems.take()).toEqual([expect.stringContaining('409: ')]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();

  await panel(page).getByText('A. Lovelace').waitFor();
  await edit();
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada Lovelace');
  await page.getByRole('textbox', { name: 'Reason' }).fill('She called.');
  await page.getByRole('button', { name: 'Save correction' }).click();
  await page.getByText('Correction saved').waitFor();
  await rowOf(page, 'Ada Lovelace').waitFor();
  await panel(page).getByText('She called.').waitFor();
  await page.reload();
  await panel(page).getByRole('button', { name: 'Show the answers before' }).first().click();
  await panel(page).getByText('A. Lovelace', { exact: true }).waitFor();
});

it('enters, exports, trashes, restores and erases submissions', async () => {
  const { user, form, page } = await withSubmissions([]);
  await page.getByText('No submissions yet').waitFor();
  await page.getByRole('button', { name: 'Enter a submission' }).click();
  await page.getByRole('button', { name: 'Add submission' }).click();
  await page.getByText('1 answer needs a correction.').waitFor();
  expect(user.problems.take()).toEqual([expect.stringContaining('400: ')]);
  await page.getByRole('textbox', { name: 'Your name' }).fill('From paper');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Discard your answers?' }).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Add submission' }).click();
  await panel(page).getByText('Entered by The admin').waitFor();
  await page.keyboard.press('Escape');
  await submission(form, { name: 'From the web' });
  await page.getByRole('button', { name: 'Show', exact: true }).click();

  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByText('CSV for every').click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Start export' }).click();
  const file = await (await download).path();
  await page.getByText('Export finished').waitFor();
  expect(await import('node:fs/promises').then(({ readFile }) => readFile(file, 'utf8'))).toMatch(
    /Your name[^]*From the web[^]*From paper/,
  );

  await page.getByRole('checkbox', { name: 'Select all loaded' }).click();
  await page.getByText('2 selected').waitFor();
  await page.getByRole('button', { name: 'Move to trash' }).click();
  await page.getByText('2 submissions moved to trash').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await rowOf(page, 'From paper').waitFor();
  await eventually(async () => expect(await submissionsOf(form, user.person)).toHaveLength(2));
  await rowOf(page, 'From paper').getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Move to trash' }).click();
  await page.getByText('1 submission moved to trash').waitFor();

  await page.getByRole('link', { name: 'Trash' }).click();
  await page.getByText('From paper').waitFor();
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('The trash is empty').waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByRole('button', { name: 'Erase forever' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Erase forever' }).click();
  await page.getByText('1 submission erased').waitFor();
  await page.getByText('The trash is empty').waitFor();
});

it('stores an entry once, although its answer was lost and it was sent again', async () => {
  const { user, form, page } = await withSubmissions([]);
  await page.getByRole('button', { name: 'Enter a submission' }).click();
  await page.getByRole('textbox', { name: 'Your name' }).fill('From paper');
  await page.route('**/app/v1/forms/*/submissions', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Add submission' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.unroute('**/app/v1/forms/*/submissions');
  await page.getByRole('button', { name: 'Add submission' }).click();
  await panel(page).getByText('Entered by The admin').waitFor();
  expect(await submissionsOf(form, user.person)).toHaveLength(1);
  user.problems.take();
});
