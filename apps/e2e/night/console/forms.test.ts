import { readFile } from 'node:fs/promises';
import { eventually, hasFocus, workbook, type Person } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import { itInBrowser } from '../../support/browser';
import { asConsoleMember, asConsoleOwner, type ConsoleUser } from '../../support/console';
import { tooWide } from '../../support/criteria';
import * as given from '../../support/given';

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const titles = (page: Page) => page.getByRole('cell').getByRole('link').allTextContents();
const choose = async (page: Page, about: string, item: string) => {
  await page
    .getByRole('button', { name: `Actions for ${about}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

const focused = (page: Page) => page.evaluate<string | undefined>(`document.activeElement?.getAttribute('aria-label') ?? undefined`);

/** The tour of a newcomer is a test of its own. */
async function asFormsOwner(prepare: (person: Person) => Promise<unknown>, path = '/console/forms', options = {}): Promise<ConsoleUser> {
  const user = await asConsoleOwner(undefined, options);
  await prepare(user.person);
  await user.open(path);
  return user;
}

itInBrowser('somebody finds their forms by view, search and order, and every state has an address', async () => {
  const user = await asFormsOwner(async (person) => {
    for (const title of ['Bees', 'Apples', 'Cherries']) await given.form({ title }, person);
    await given.submission(await given.publishedForm({ title: 'Plums' }, person));
  });
  const { page } = user;
  await row(page, '1 new').getByText('Plums').waitFor();
  expect(await user.accessibilityFaults()).toEqual([]);

  await page.getByRole('button', { name: 'Order: Last changed' }).click();
  await page.getByRole('menuitemradio', { name: 'Title, A to Z' }).click();
  await page.waitForURL(/sort=title/);
  await eventually(async () => expect(await titles(page)).toEqual(['Apples', 'Bees', 'Cherries', 'Plums']));

  await page.getByLabel('Search by title').fill('e');
  await page.waitForURL(/q=e/);
  await row(page, 'Apples').waitFor();
  await page.getByLabel('Search by title').fill('nothing like it');
  await page.getByRole('heading', { name: 'Nothing found for “nothing like it”' }).waitFor();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();

  await row(page, 'Bees').getByRole('button', { name: 'Favorite: Bees' }).click();
  await row(page, 'Bees').getByRole('button', { name: 'Favorite: Bees', pressed: true }).waitFor();
  await choose(page, 'Cherries', 'Archive');
  await page.getByText('“Cherries” is archived.').waitFor();
  await page.getByRole('link', { name: 'Favorites' }).click();
  await row(page, 'Cherries').waitFor({ state: 'detached' });
  await row(page, 'Bees').waitFor();
  await page.getByRole('link', { name: 'Archived' }).click();
  await row(page, 'Cherries').waitFor();
  await page.goBack();
  await row(page, 'Bees').waitFor();
  expect(page.url()).toMatch(/view=favorites/);

  // An address that others wrote is no reason to fail.
  await page.goto('/console/forms?q=%7B%22a%22%3A1%7D&view=%5B1%5D&sort=true');
  await row(page, 'Apples').waitFor();
});

itInBrowser('forms and folders move by menu and by keyboard, and a folder that is deleted loses nothing', async () => {
  const user = await asFormsOwner((person) => given.form({ title: 'Visits' }, person));
  const { page } = user;
  const create = async (label: string) => {
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Name').fill(label);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: label, level: 1 }).waitFor();
  };
  await create('North');
  await create('South');
  const tree = page.getByRole('treegrid', { name: 'Folders' });
  await tree.getByRole('row', { name: 'North' }).waitFor();
  // The focus is back at the button, with its tooltip.
  await page.getByRole('tooltip').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('tooltip').waitFor({ state: 'detached' });
  expect(await user.accessibilityFaults()).toEqual([]);

  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Forms' }).click();
  await choose(page, 'Visits', 'Move to folder…');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Folder/ })
    .click();
  await page.getByRole('option', { name: 'South' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
  await row(page, 'Visits').getByText('South').waitFor();

  // By keyboard: from the folder to its handle, which starts; arrows go from place to place; Enter drops.
  await tree.getByRole('row', { name: 'South' }).focus();
  await hasFocus(tree.getByRole('row', { name: 'South' }));
  await page.keyboard.press('ArrowRight');
  await hasFocus(tree.getByRole('row', { name: 'South' }).getByRole('button', { name: /^Drag/ }));
  await page.keyboard.press('Enter');
  await dropOn(page, 'North');
  await row(page, 'Visits').getByText('North / South').waitFor();

  await tree.getByRole('row', { name: 'South' }).click();
  await page.waitForURL(/folder=/);
  await choose(page, 'South', 'Delete folder');
  await page.getByText('Its forms stay: they will be in no folder.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete folder' }).click();
  await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'In no folder' }).click();
  await row(page, 'Visits').waitFor();
});

/** Goes through the places where something may be dropped until the one on the folder is reached, and drops there. */
async function dropOn(page: Page, folder: string): Promise<void> {
  let left: string | undefined;
  for (let step = 0; step < 10; step++) {
    const at = await eventually(async () => {
      const place = await focused(page);
      expect(place).toMatch(/^(?:Drop on|Insert) /);
      expect(place).not.toBe(left);
      return place;
    });
    if (at === `Drop on ${folder}`) return page.keyboard.press('Enter');
    left = at;
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`nothing can be dropped on ${folder}`);
}

itInBrowser('a form that is dragged onto a folder is in it', async () => {
  const { page } = await asFormsOwner(async (person) => {
    await given.form({ title: 'Visits' }, person);
    await given.folder({ label: 'North' }, person);
  });
  await row(page, 'Visits').dragTo(page.getByRole('treegrid', { name: 'Folders' }).getByRole('row', { name: 'North' }));
  await row(page, 'Visits').getByText('North').waitFor();
});

itInBrowser('every template makes a form, whose document goes out and in again as it is', async () => {
  const user = await asFormsOwner((person) => given.form({ title: 'First' }, person));
  const { page } = user;
  const templates = page.getByRole('dialog', { name: 'Begin with a template' });
  await page.getByRole('button', { name: 'Templates' }).click();
  await templates.getByRole('button').nth(1).waitFor();
  expect(await user.accessibilityFaults()).toEqual([]);
  const names = (await templates.getByRole('listitem').allTextContents()).length;
  expect(names).toBe(30);
  for (let at = 0; at < names; at++) {
    if (at > 0) {
      await page.goto('/console/forms');
      await page.getByRole('button', { name: 'Templates' }).click();
    }
    await templates.getByRole('listitem').nth(at).getByRole('button').click();
    await page.waitForURL(/\/build/);
  }
  const { data } = (await user.person.get('/app/v1/forms?limit=50')).body as { data: { id: string; title: string }[] };
  expect(data).toHaveLength(31);
  for (const { id, title } of data.filter(({ title }) => title !== 'First')) {
    expect({ title, ...(await user.person.post(`/api/v1/forms/${id}/publish`)) }).toMatchObject({ title, status: 200 });
  }

  await page.goto('/console/forms');
  const [saved] = await Promise.all([page.waitForEvent('download'), choose(page, 'Job application', 'Export as JSON')]);
  expect(saved.suggestedFilename()).toBe('Job application.json');
  const exported = await readFile(await saved.path(), 'utf8');
  await page.getByRole('button', { name: 'Import' }).click();
  await page.locator('input[type=file]').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(exported) });
  await page.waitForURL(/\/build/);
  const id = /forms\/([^/]+)\/build/.exec(page.url())?.[1] ?? '';
  expect((await user.person.get(`/app/v1/forms/${id}/document`)).body).toEqual(JSON.parse(exported));
});

itInBrowser('a file that is no form says so, and an XLSForm says what it lost', async () => {
  const user = await asFormsOwner((person) => given.form({ title: 'First' }, person));
  const { page } = user;
  await page.getByRole('button', { name: 'Import' }).click();
  const file = page.locator('input[type=file]');
  await file.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{"sheaf":"other"}') });
  await page
    .getByRole('alert')
    .getByText(/^This file is not a form/)
    .waitFor();
  expect(await user.accessibilityFaults()).toEqual([]);
  const buffer = await workbook({
    survey: [
      ['type', 'name', 'label'],
      ['text', 'who', 'Who?'],
      ['geopoint', 'where', 'Point'],
    ],
    settings: [['form_title'], ['Site visit']],
  });
  await file.setInputFiles({ name: 'a.xlsx', mimeType: xlsx, buffer });
  await page.getByRole('heading', { name: '“Site visit” is imported' }).waitFor();
  await page.getByText('survey, row 3:').waitFor();
  await page.getByText(/forms have no map/).waitFor();
  await page.getByRole('button', { name: 'Open form' }).click();
  await page.waitForURL(/\/build/);
});

itInBrowser('a viewer reads forms, and is offered nothing that they may not do', async () => {
  const { page } = await asConsoleMember('viewer', '/console/forms');
  await given.form({ title: 'Of the owner' });
  await page.goto('/console/forms?sort=created');
  await row(page, 'Of the owner').first().waitFor();
  expect(await page.getByRole('button', { name: /Templates|Import|New folder/ }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'New form' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Actions for Of the owner' }).first().click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
  expect(await page.getByRole('menuitem', { name: /Move|Rename|Archive|trash/ }).count()).toBe(0);
});

itInBrowser('on a phone, in the dark, with long and hostile titles, everything is at hand', async () => {
  const hostile = '<img src=x onerror=alert(1)> ' + '🌾'.repeat(80);
  const user = await asFormsOwner(
    async (person) => {
      const { id } = await given.folder({ label: 'A folder with a long label, so long that it does not fit' }, person);
      await given.form({ title: hostile, folder_id: id }, person);
    },
    '/console/forms',
    { width: 320, dark: true },
  );
  const { page } = user;
  await row(page, hostile).waitFor();
  expect(await tooWide(page)).toEqual([]);
  expect(await user.accessibilityFaults()).toEqual([]);
  await user.screenshot('console-forms');
  const places = page.getByRole('button', { name: /^Views and folders/ });
  await places.click();
  await page.getByRole('menuitem', { name: 'Trash' }).waitFor();
  expect(await user.accessibilityFaults()).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await hasFocus(places);
  await places.click();
  await page.getByRole('menuitem', { name: /^A folder/ }).click();
  await page.getByRole('heading', { name: /^A folder/, level: 1 }).waitFor();
  await row(page, hostile).waitFor();
});
