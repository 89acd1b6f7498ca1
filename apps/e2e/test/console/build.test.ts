import type { Locator, Page } from 'playwright-core';
import { eventually, hasFocus } from '@sheaf/testing';
import { itInBrowser } from '../../support/browser';
import { asConsoleMember, asConsoleOwner, type ConsoleUser } from '../../support/console';
import * as given from '../../support/given';

interface Draft {
  fields: { key?: string; label: string; type: string; required?: boolean; translations?: unknown }[];
  revision: number;
}

const shortText = (key: string, label = key) => ({ key, label, type: 'short_text' });

/** A form of this person with these fields in its draft. */
async function formOf({ person }: ConsoleUser, fields: unknown[] = [], title = 'Site visit'): Promise<string> {
  const { id } = await given.form({ title }, person);
  if (fields.length > 0) await person.put(`/app/v1/forms/${id}/draft`, { fields, revision: 0 });
  return id;
}

const draftOf = async ({ person }: Pick<ConsoleUser, 'person'>, form: string): Promise<Draft> =>
  (await person.get(`/app/v1/forms/${form}/draft`)).body as Draft;
const labelsOf = async (user: Pick<ConsoleUser, 'person'>, form: string) => (await draftOf(user, form)).fields.map(({ label }) => label);

const open = (user: ConsoleUser, form: string, more = '') => user.open(`/console/forms/${form}/build${more}`);
const rows = (page: Page) => page.getByRole('grid', { name: 'Fields and elements of the form' }).getByRole('row');
const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor();

/** Another item is shown a moment after it was chosen. */
const hasValue = (control: Locator, value: string) => eventually(async () => expect(await control.inputValue()).toBe(value));

itInBrowser('publishing shows beforehand what changes and how many submissions are affected', async () => {
  const user = await asConsoleOwner();
  const { page, person } = user;
  const form = await given.publishedForm({ fields: [shortText('name', 'Your name'), shortText('town', 'Town')] }, person);
  await given.submission(form, { name: 'Ada', town: 'London' });
  await open(user, form, '?item=town');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('textbox', { name: 'Question' }).fill('Your full name');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 submission with an answer to “Town”.').waitFor();
  expect(await dialog.getByRole('list', { name: 'Changes' }).textContent()).toMatch(/Your full name.*Your name.*Town/s);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await hasFocus(page.getByRole('button', { name: 'Publish', exact: true }));
  expect((await person.get(`/app/v1/forms/${form}/versions`)).body).toMatchObject({ total: 1 });

  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'Discard unpublished changes' }).click();
  await page.getByRole('dialog').getByText('Your full name').first().waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard unpublished changes' }).click();
  await page.getByText('Unpublished changes are discarded').waitFor();
  expect(await labelsOf(user, form)).toEqual(['Your name', 'Town']);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByText('The draft is as it was').waitFor();
  expect(await labelsOf(user, form)).toEqual(['Your full name']);
});

itInBrowser('two people edit at once: what does not clash is merged, and for the rest they choose', async () => {
  const ada = await asConsoleOwner();
  const form = await formOf(ada, [shortText('name', 'Name'), shortText('town', 'Town')]);
  const bob = await asConsoleMember('editor');
  await ada.person.post(`/app/v1/forms/${form}/grants`, { email: bob.email, role: 'editor' });
  await open(ada, form, '?item=name');
  await ada.page.getByRole('textbox', { name: 'Question' }).waitFor();

  // Bob's changes appear at Ada's without a reload.
  await open(bob, form, '?item=town');
  await bob.page.getByRole('textbox', { name: 'Question' }).fill('City');
  await saved(bob.page);
  await ada.page.getByText('Somebody else changed 1 thing here:').waitFor();
  await rows(ada.page).getByText('City').waitFor();

  // Both change the same label before either hears of the other.
  await ada.context.setOffline(true);
  await ada.page.getByRole('textbox', { name: 'Question' }).fill('Your name');
  await bob.page.getByRole('row', { name: /^Name/ }).click();
  await hasValue(bob.page.getByRole('textbox', { name: 'Question' }), 'Name');
  await bob.page.getByRole('textbox', { name: 'Question' }).fill('Full name');
  await saved(bob.page);
  await eventually(async () => expect(await labelsOf(ada, form)).toEqual(['Full name', 'City']));
  await ada.page.getByText(/^Not saved/).waitFor();
  await ada.context.setOffline(false);
  const dialog = ada.page.getByRole('dialog', { name: 'You both changed the same' });
  await dialog.waitFor();
  ada.problems.take();
  await dialog.getByRole('radio', { name: 'Theirs' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Keep what I chose' }).click();
  await saved(ada.page);
  await rows(ada.page).getByText('Full name').waitFor();
  await eventually(async () => expect(await labelsOf(ada, form)).toEqual(['Full name', 'City']));
  ada.problems.take();
});
