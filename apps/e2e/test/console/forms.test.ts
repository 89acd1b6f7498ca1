import { type Person } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import { itInBrowser } from '../../support/browser';
import { asConsoleOwner, type ConsoleUser } from '../../support/console';
import * as given from '../../support/given';
const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const choose = async (page: Page, about: string, item: string) => {
  await page
    .getByRole('button', { name: `Actions for ${about}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

/** The tour of a newcomer is a test of its own. */
async function asFormsOwner(prepare: (person: Person) => Promise<unknown>, path = '/console/forms', options = {}): Promise<ConsoleUser> {
  const user = await asConsoleOwner(undefined, options);
  await prepare(user.person);
  await user.open(path);
  return user;
}

itInBrowser('what goes to the trash comes back with Undo, or is erased once its title is typed', async () => {
  const user = await asFormsOwner((person) => given.form({ title: 'Old survey' }, person));
  const { page } = user;
  await choose(page, 'Old survey', 'Move to trash');
  await row(page, 'Old survey').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await row(page, 'Old survey').waitFor();

  await choose(page, 'Old survey', 'Move to trash');
  await page.getByRole('link', { name: 'Trash' }).click();
  await choose(page, 'Old survey', 'Erase forever');
  const dialog = page.getByRole('dialog', { name: 'Erase “Old survey” forever?' });
  const erase = dialog.getByRole('button', { name: 'Erase forever' });
  await dialog.waitFor();
  expect(await erase.isDisabled()).toBe(true);
  await dialog.getByLabel('Type “Old survey” to confirm').fill('Old survey');
  await erase.click();
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
});
