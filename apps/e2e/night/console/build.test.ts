import type { Locator, Page } from 'playwright-core';
import { eventually, hasFocus } from '@sheaf/testing';
import { itInBrowser } from '../../support/browser';
import { asConsoleMember, asConsoleOwner, type ConsoleUser } from '../../support/console';
import * as given from '../../support/given';
import { asOwner, password } from '../../support/people';

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

const isAccessible = async (user: ConsoleUser) => expect(await user.accessibilityFaults()).toEqual([]);

itInBrowser('a newcomer adds fields by keyboard alone, sees them in the preview and publishes', async () => {
  const user = await asConsoleOwner();
  const { page } = user;
  const form = await formOf(user);
  await open(user, form);
  await page.getByText('What would you like to ask?').waitFor();
  const add = async (typed: string, label: string) => {
    await page.getByRole('button', { name: 'Add field' }).focus();
    await page.keyboard.press('Enter');
    await hasFocus(page.getByRole('searchbox', { name: 'Find a type of field' }));
    await page.keyboard.type(typed);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    // The label has the focus, and what is typed takes its place.
    await hasFocus(page.getByRole('textbox', { name: 'Question' }));
    await page.keyboard.type(label);
  };
  await add('short', 'Your name');
  await add('dropdown', 'Favourite colour');
  await page.getByRole('textbox', { name: 'Option 1' }).fill('Red');
  await page.getByRole('textbox', { name: 'Option 2' }).fill('Blue');
  await page.keyboard.press('Enter');
  await hasFocus(page.getByRole('textbox', { name: 'Option 3' }));
  await page.keyboard.type('Green');
  await saved(page);
  await eventually(async () =>
    expect((await draftOf(user, form)).fields).toMatchObject([
      { key: 'your_name', label: 'Your name', type: 'short_text' },
      {
        key: 'favourite_colour',
        type: 'select',
        options: ['Red', 'Blue', 'Green'].map((value) => ({ value, label: value })),
      },
    ]),
  );
  await isAccessible(user);
  await user.screenshot('console-build');

  // Up, back, and away with it, without a mouse.
  await rows(page).last().focus();
  await page.keyboard.press('Alt+ArrowUp');
  await eventually(async () => expect(await rows(page).first().textContent()).toContain('Favourite colour'));
  await page.keyboard.press('Control+z');
  await eventually(async () => expect(await rows(page).first().textContent()).toContain('Your name'));
  await rows(page).last().focus();
  await page.keyboard.press('Delete');
  const hasRows = (count: number) => eventually(async () => expect(await rows(page).count()).toBe(count));
  await hasRows(1);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await hasRows(2);

  await page.getByRole('link', { name: 'Preview' }).click();
  await page.frameLocator('iframe').getByLabel('Your name').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('dialog').getByText('This is the first version.').waitFor();
  await isAccessible(user);
  await user.screenshot('console-publish');
  await page.getByRole('button', { name: 'Publish version 1' }).click();
  await page.getByText('Version 1 is live').waitFor();
  expect((await user.person.get(`/app/v1/forms/${form}/versions`)).body).toMatchObject({ total: 1 });
});

itInBrowser('a person compares two versions and restores the earlier one', async () => {
  const user = await asConsoleOwner(undefined, { dark: true });
  const { page, person } = user;
  const form = await given.publishedForm({ fields: [shortText('name', 'Your name')] }, person);
  await given.publishAgain(form, { fields: [{ ...shortText('name', 'Name'), required: true }] }, person);
  await user.open(`/console/forms/${form}/versions`);
  const changes = page.getByRole('list', { name: 'Changes' });
  await changes.waitFor();
  expect(await changes.textContent()).toMatch(/Label.*Your name.*Name.*Required.*No.*Yes/s);
  await isAccessible(user);
  await user.screenshot('console-versions');
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByText('There are no unpublished changes that could get lost.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByText('Version 1 is in the draft').waitFor();
  expect(await labelsOf(user, form)).toEqual(['Your name']);
});

itInBrowser('nothing is lost when the connection breaks in the middle of a save, or the session ends', async () => {
  const user = await asConsoleOwner();
  const { page, context } = user;
  const form = await formOf(user, [shortText('name', 'Name')]);
  await open(user, form, '?item=name');
  const label = page.getByRole('textbox', { name: 'Question' });
  await label.waitFor();

  // The server gets the save, but its answer never arrives.
  let isLost = false;
  await context.route('**/draft', async (route) => {
    if (route.request().method() !== 'PUT' || isLost) return route.fallback();
    isLost = true;
    await route.fetch();
    await context.setOffline(true);
    await route.abort('connectionreset');
  });
  await label.fill('Your name');
  await page.getByText(/^Not saved/).waitFor();
  await label.fill('Your full name');
  await context.setOffline(false);
  await saved(page);
  await eventually(async () => expect(await labelsOf(user, form)).toEqual(['Your full name']));
  expect(await page.getByText(/Somebody else changed/).count()).toBe(0);
  user.problems.take();

  await context.clearCookies();
  await label.fill('Name again');
  const signIn = page.getByRole('dialog');
  await signIn.getByLabel('Password').fill(password);
  await signIn.getByRole('button', { name: 'Sign in' }).click();
  await saved(page);
  await eventually(async () => expect(await labelsOf(user, form)).toEqual(['Name again']));
  user.problems.take();
});

itInBrowser('faults are shown at the field that they are about, and are gone once corrected', async () => {
  const user = await asConsoleOwner();
  const { page } = user;
  const form = await formOf(user, [shortText('name', 'Name'), shortText('code', 'Code')]);
  await open(user, form, '?item=name');
  await page.getByRole('textbox', { name: 'Question' }).fill(' ');
  await page.getByText('Enter a text.').waitFor();
  await page.getByText('Not saved: 1 thing to correct').waitFor();
  await isAccessible(user);
  await page.getByRole('textbox', { name: 'Question' }).fill('Your name');
  await saved(page);

  // Only the server knows which patterns it takes.
  await rows(page).last().click();
  await hasValue(page.getByRole('textbox', { name: 'Question' }), 'Code');
  await page.getByRole('textbox', { name: 'Pattern' }).fill('(');
  await page.getByText(/must be a regular expression/).waitFor();
  expect(user.problems.take()).toEqual([expect.stringMatching(/^400: .*\/draft$/)]);
  await page.getByRole('textbox', { name: 'Pattern' }).fill('[A-Z]+');
  await saved(page);
  await eventually(async () => expect((await draftOf(user, form)).fields[1]).toMatchObject({ pattern: '[A-Z]+' }));
});

itInBrowser('a form with 200 fields stays quick, and its fields move by buttons and by keyboard dragging', async () => {
  const user = await asConsoleOwner();
  const { page } = user;
  const form = await formOf(
    user,
    Array.from({ length: 200 }, (_, index) => shortText(`q${index}`, `Question ${index}`)),
  );
  await open(user, form, '?item=q100');
  const label = page.getByRole('textbox', { name: 'Question' });
  await label.waitFor();
  await page.getByRole('row', { name: /^Question 100/ }).waitFor();
  // It stays quick because rows that nobody sees are not there.
  expect(await rows(page).count()).toBeLessThan(100);
  await label.press('End');
  await label.pressSequentially('quickly');
  await page.getByRole('button', { name: 'Move up' }).click();
  await saved(page);
  await eventually(async () => expect((await labelsOf(user, form))[99]).toBe('Question 100quickly'));

  // Dragging by keyboard, as React Aria does it: Enter on the handle, arrows, Enter.
  await page.getByRole('row', { name: /^Question 99/ }).focus();
  await page.keyboard.press('Home');
  const first = page.getByRole('row', { name: /^Question 0/ });
  await hasFocus(first);
  await page.keyboard.press('ArrowRight');
  await hasFocus(first.getByRole('button').first());
  await page.keyboard.press('Enter');
  // Each place where something may be dropped says so.
  const places = page.getByRole('button', { name: /^Insert / });
  await hasFocus(places);
  const from = await page.locator(':focus').getAttribute('aria-label');
  await page.keyboard.press('ArrowDown');
  await eventually(async () => expect(await page.locator(':focus').getAttribute('aria-label')).not.toBe(from));
  await page.keyboard.press('Enter');
  await saved(page);
  await eventually(async () => expect((await labelsOf(user, form)).slice(0, 2)).not.toEqual(['Question 0', 'Question 1']));
});

itInBrowser('labels with markup and from right to left are texts, everywhere, also on a phone and in the dark', async () => {
  const user = await asConsoleOwner(undefined, { dark: true, width: 320, height: 700 });
  const { page, person } = user;
  const markup = '<img src=x onerror="alert(1)"> & <b>bold</b>';
  const form = await formOf(
    user,
    [
      shortText('name', markup),
      { ...shortText('town', 'ما اسم مدينتك؟'), translations: { de: { label: 'Stadt' } } },
      { key: 'colour', label: '👩🏽‍🚀'.repeat(30), type: 'select', options: [markup, 'לבן'] },
    ],
    markup,
  );
  await person.patch(`/app/v1/forms/${form}`, { languages: ['ar', 'de'], default_language: 'ar', description: markup });
  await open(user, form);
  await rows(page).first().waitFor();
  await isAccessible(user);
  await user.screenshot('console-build-phone');
  await rows(page).last().click();
  await page.getByRole('textbox', { name: 'Option 1' }).waitFor();
  await isAccessible(user);
  await user.screenshot('console-build-settings');
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);

  await open(user, form, '?view=preview&lang=ar&width=phone&look=dark');
  const frame = page.frameLocator('iframe');
  await frame.getByText(markup).first().waitFor();
  await frame.locator('html[dir=rtl]').waitFor();
  await eventually(async () =>
    expect(await page.frames().at(-1)?.evaluate<string>('getComputedStyle(document.body).colorScheme')).toContain('dark'),
  );
  expect(await page.locator('img, b').count()).toBe(0);
  await isAccessible(user);

  await open(user, form, '?view=translations&missing=1');
  await page.getByText('6 of 7 texts have no translation.').waitFor();
  const town = page.getByRole('textbox', { name: /^Title in Deutsch/ });
  await town.fill('Besuch');
  await town.blur();
  await page.getByText('5 of 7 texts have no translation.').waitFor();
  await page.getByRole('textbox', { name: /^Option in Deutsch: לבן/ }).fill('Weiß');
  await page.getByRole('switch', { name: 'Only what is missing' }).focus();
  await saved(page);
  await eventually(async () => expect((await draftOf(user, form)).fields[2]?.translations).toEqual({ de: { options: { לבן: 'Weiß' } } }));
  await isAccessible(user);
  await user.screenshot('console-translations');
});

itInBrowser('somebody tries a form without storing anything', async () => {
  const user = await asConsoleOwner();
  const { page, person } = user;
  const form = await formOf(user, [
    { key: 'visits', label: 'Do you visit us?', type: 'boolean', required: true },
    { key: 'guests', label: 'Guests', type: 'integer', max: 5, visible_if: { key: 'visits', equals: true } },
  ]);
  await open(user, form, '?view=preview');
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Yes').check();
  await frame.getByLabel('Guests').fill('9');
  await frame.getByRole('button', { name: 'Send' }).click();
  await page.getByText('1 answer would be refused.').waitFor();
  await frame.getByRole('link', { name: /Guests/ }).waitFor();
  await frame.getByLabel('Guests').fill('4');
  await frame.getByRole('button', { name: 'Send' }).click();
  await page.getByText('These answers would be accepted. Nothing was stored.').waitFor();
  expect((await person.get(`/api/v1/forms/${form}/submissions`)).body).toMatchObject({ total: 0 });
});

itInBrowser('a viewer sees what a form asks, and cannot change it', async () => {
  const user = await asConsoleMember('viewer');
  const { page } = user;
  const form = await given.publishedForm({ title: 'Survey', fields: [{ ...shortText('name', 'Your name'), required: true }] }, asOwner);
  await open(user, form);
  await page.getByText('You can look at this form, but not change it.').waitFor();
  await page.getByText('Your name').waitFor();
  expect(await page.getByRole('button', { name: /Publish|Add field/ }).count()).toBe(0);
  await isAccessible(user);
  const unpublished = await given.form({ title: 'Empty' }, asOwner);
  await open(user, unpublished.id);
  await page.getByText('This form was never published.').waitFor();
});

itInBrowser('what somebody else saves while the consequences are read is not published unseen', async () => {
  const user = await asConsoleOwner();
  const { page, person, context } = user;
  // The stream of events is late, so nothing but the question before publishing tells of the change.
  await context.route('**/app/v1/events*', (route) => route.abort());
  const form = await formOf(user, [shortText('name', 'Name')]);
  await open(user, form);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This is the first version.').waitFor();
  await person.put(`/app/v1/forms/${form}/draft`, { fields: [shortText('name', 'Name'), shortText('salary', 'Your salary')], revision: 1 });
  await dialog.getByRole('button', { name: 'Publish version 1' }).click();
  await dialog.getByText('Somebody else has changed the draft meanwhile.').waitFor();
  await dialog.getByText('Your salary').first().waitFor();
  await isAccessible(user);
  await user.screenshot('console-publish-changed');
  expect((await person.get(`/app/v1/forms/${form}/versions`)).body).toMatchObject({ total: 0 });
  await dialog.getByRole('button', { name: 'Publish version 1' }).click();
  await page.getByText('Version 1 is live').waitFor();
  await dialog.waitFor({ state: 'detached' });
  user.problems.take();
});

itInBrowser('a form that publishes automatically says so', async () => {
  const user = await asConsoleOwner(undefined, { locale: 'de-DE' });
  const { page, person } = user;
  const form = await formOf(user, [shortText('name', 'Name')]);
  await person.patch(`/api/v1/forms/${form}`, { publish_mode: 'auto' });
  await open(user, form, '?item=name');
  await page.getByText('Veröffentlicht automatisch').waitFor();
  await page.getByRole('textbox', { name: 'Frage' }).fill('Ihr Name');
  await page.getByText('Gespeichert und veröffentlicht').waitFor();
  await eventually(async () => expect((await person.get(`/api/v1/forms/${form}`)).body).toMatchObject({ current_version: 2 }));
});
