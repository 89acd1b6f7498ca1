import { eventually, hasFocus } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import { draft, form, formOfContract, formWith, shortText } from './answers/form';
import { folderOf, formsPage, listed } from './answers/forms';
import { idOf, listOf, markup, pageOf, signedIn } from './answers/people';
import { onScreen, onScreens } from './support/on-screens';
import { refused } from './support/recorded-server';

const open = onScreens();
const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const choose = async (page: Page, about: string, item: string) => {
  await page
    .getByRole('button', { name: `Actions for ${about}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};
const list = 'GET /app/v1/forms';
const imported = (id: string, title: string, warnings: readonly object[] = []) => {
  const { created_at, updated_at, status } = form();
  return { id, title, status, current_version: 0, created_at, updated_at, warnings };
};
const bees = listed(1, 'Bees');
const plums = listed(2, 'Plums', { submissions: { total: 3, new: 1, spam: 0 } });
const north = folderOf(1, 'North');
const south = folderOf(2, 'South');

onScreen('a form that is full, closed by time or not open yet says so, wherever its status is shown', async () => {
  const counts = (total: number) => ({ submissions: { total, new: 0, spam: 0 } });
  const full = listed(1, 'Full house', { max_submissions: 2, ...counts(2) });
  const closed = listed(2, 'Last year', { closes_at: '2020-01-01T00:00:00.000Z' });
  const later = listed(3, 'Next century', { opens_at: '2120-01-01T00:00:00.000Z' });
  const room = listed(4, 'Room for one', { max_submissions: 2, ...counts(1), closes_at: '2120-01-01T00:00:00.000Z' });
  const fresh = listed(5, 'Just made', { current_version: 0, closes_at: '2020-01-01T00:00:00.000Z' });
  const screen = await open('/console/forms', formsPage([full, closed, later, room, fresh]));
  const { page } = screen;
  const states = {
    'Full house': 'Full',
    'Last year': 'Closed',
    'Next century': 'Not open yet',
    'Room for one': 'Active',
    'Just made': 'Never published',
  };
  for (const [title, state] of Object.entries(states)) await row(page, title).getByText(state, { exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  const found = page.getByRole('dialog', { name: 'Search or jump to' }).getByRole('menuitem');
  for (const [title, state] of Object.entries(states)) await found.filter({ hasText: title }).getByText(state, { exact: true }).waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
});

const made = form({ id: idOf(3, 9), title: 'Harvest', current_version: 0 });
const making = {
  'POST /api/v1/forms': formOfContract({ id: made.id, title: made.title, current_version: 0 }),
  [`GET /app/v1/forms/${made.id}`]: made,
  [`GET /app/v1/forms/${made.id}/draft`]: { fields: [], revision: 0, updated_at: made.updated_at },
  [`GET /app/v1/forms/${made.id}/versions`]: listOf([]),
  [`PUT /app/v1/forms/${made.id}/draft`]: ({ body }: { body: { fields: unknown[] } }) => draft(body.fields, 1),
};
const newForm = (page: Page) => page.getByRole('link', { name: 'New form' });

onScreen('a new form that is left as it is was never made', async () => {
  const screen = await open('/console/forms', formsPage([bees]));
  const { page, server } = screen;
  await newForm(page).click();
  await hasFocus(page.getByRole('heading', { level: 1, name: 'New form' }));
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.goBack();
  await row(page, 'Bees').waitFor();
  expect(server.asked('POST /api/v1/forms')).toEqual([]);
});

onScreen('a new form is made with its first field, in the folder where it began', async () => {
  const { page, server } = await open(`/console/forms?folder=${north.id}`, formsPage([bees], [north]));
  await newForm(page).click();
  server.set(making);
  await page.getByRole('button', { name: 'Add field' }).click();
  await page.getByRole('menuitem', { name: /^Short text/ }).click();
  await page.waitForURL(new RegExp(`/console/forms/${made.id}/build`));
  const question = page.getByRole('textbox', { name: 'Question' });
  await hasFocus(question);
  await page.keyboard.type('Your name');
  await eventually(() =>
    expect(server.sent(`PUT /app/v1/forms/${made.id}/draft`).at(-1)).toMatchObject({ fields: [{ key: 'your_name', label: 'Your name' }] }),
  );
  expect(server.sent('POST /api/v1/forms')).toEqual([{ title: '', folder_id: north.id }]);
  await page.goBack();
  await row(page, 'Bees').waitFor();
});

onScreen('a new form is made with its title, which is kept when somebody goes elsewhere or the form is refused', async () => {
  const screen = await open('/console/forms/new', formsPage([bees]));
  const { page, server } = screen;
  const title = page.getByLabel('Title');
  await title.fill('Harvest');
  server.set({ 'POST /api/v1/forms': refused(500, 'internal_error', 'Something went wrong.') });
  await page.getByRole('button', { name: 'Create form' }).click();
  await page.getByRole('alert').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  const leave = () => page.getByRole('link', { name: 'Forms' }).first().click();
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leave();
  await asked.getByRole('button', { name: 'Cancel' }).click();
  expect(await title.inputValue()).toBe('Harvest');
  for (const problem of screen.problems.take()) expect(problem).toMatch(/^500: /);
  server.set(making);
  await leave();
  await asked.getByRole('button', { name: 'Leave' }).click();
  await row(page, 'Bees').waitFor();

  await newForm(page).click();
  await title.fill('Harvest');
  await leave();
  await row(page, 'Bees').waitFor();
  expect(server.sent('POST /api/v1/forms')).toEqual(Array(2).fill({ title: 'Harvest' }));
});

onScreen('a new form whose title is refused as somebody leaves asks, and stays for the title to be made right', async () => {
  const screen = await open('/console/forms/new', formsPage([bees]));
  const { page, server } = screen;
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => request.method() === 'POST' && keys.push(request.headers()['idempotency-key']));
  await page.getByLabel('Title').fill('Harvest');
  // Within the page is not elsewhere.
  await page.evaluate(`document.querySelector('a[href="#content"]').click()`);
  await page.waitForURL(/#content$/);
  expect(server.asked('POST /api/v1/forms')).toEqual([]);
  server.set({ 'POST /api/v1/forms': refused(400, 'bad_request', 'title: is reserved') });
  await page.getByRole('link', { name: 'Forms' }).first().click();
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
  await asked.waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await page
    .getByRole('alert')
    .getByText(/is reserved/)
    .waitFor();
  for (const problem of screen.problems.take()) expect(problem).toMatch(/^400: /);
  server.set(making);
  await page.getByRole('button', { name: 'Create form' }).click();
  await hasFocus(page.getByRole('heading', { level: 1, name: 'Harvest' }));
  expect(server.asked('POST /api/v1/forms')).toHaveLength(2);
  // A form that the first request made is found again.
  expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
});

onScreen('a new form is made once, however often that is asked for until the builder is there', async () => {
  const { page, server } = await open('/console/forms/new', formsPage([bees]));
  server.set(making);
  await page.getByLabel('Title').fill('Harvest');
  const answer = server.hold('POST /api/v1/forms');
  const goOn = server.hold(`GET /app/v1/forms/${made.id}`);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  answer();
  await eventually(() => expect(server.asked(`GET /app/v1/forms/${made.id}`)).toHaveLength(1));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  goOn();
  await hasFocus(page.getByRole('heading', { level: 1, name: 'Harvest' }));
  expect(server.asked('POST /api/v1/forms')).toHaveLength(1);
});

onScreen('forms are found by view, search and order, each of which has an address', async () => {
  const screen = await open('/console/forms', {
    ...formsPage([bees, plums]),
    [`${list}?q=nothing like it`]: pageOf([]),
    [`${list}?sort=title`]: pageOf([bees]),
    [`${list}?favorite=true`]: pageOf([{ ...bees, favorite: true }]),
  });
  const { page, server } = screen;
  await row(page, '1 new').getByText('Plums').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);

  await page.getByRole('button', { name: 'Order: Last changed' }).click();
  await page.getByRole('menuitemradio', { name: 'Title, A to Z' }).click();
  await page.waitForURL(/sort=title/);
  await row(page, 'Plums').waitFor({ state: 'detached' });
  await page.goBack();
  await row(page, 'Plums').waitFor();

  await page.getByLabel('Search by title').fill('nothing like it');
  await page.getByRole('heading', { name: 'Nothing found for “nothing like it”' }).waitFor();
  expect(server.asked(`${list}?q=nothing like it`)).not.toEqual([]);
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await row(page, 'Plums').waitFor();

  await page.getByRole('link', { name: 'Favorites' }).click();
  await page.waitForURL(/view=favorites/);
  await row(page, 'Plums').waitFor({ state: 'detached' });
  await row(page, 'Bees').getByRole('button', { name: 'Favorite: Bees', pressed: true }).waitFor();

  // An address that others wrote is no reason to fail.
  await screen.open('/console/forms?q=%7B%22a%22%3A1%7D&view=%5B1%5D&sort=true');
  await row(page, 'Bees').waitFor();
});

onScreen('a form becomes a favorite, and is archived with a way back', async () => {
  const { page, server } = await open('/console/forms', formsPage([bees, plums]));
  await row(page, 'Bees').waitFor();
  server.set({ [`PUT /app/v1/forms/${bees.id}/favorite`]: undefined, [list]: pageOf([{ ...bees, favorite: true }, plums]) });
  await row(page, 'Bees').getByRole('button', { name: 'Favorite: Bees' }).click();
  await row(page, 'Bees').getByRole('button', { name: 'Favorite: Bees', pressed: true }).waitFor();
  server.set({ [`PATCH /api/v1/forms/${plums.id}`]: formOfContract({ id: plums.id, status: 'archived' }), [list]: pageOf([bees]) });
  await choose(page, 'Plums', 'Archive');
  await page.getByText('“Plums” is archived.').waitFor();
  await row(page, 'Plums').waitFor({ state: 'detached' });
  server.set({ [`PATCH /api/v1/forms/${plums.id}`]: formOfContract({ id: plums.id }), [list]: pageOf([bees, plums]) });
  await page.getByRole('button', { name: 'Undo' }).click();
  await row(page, 'Plums').waitFor();
  await eventually(() => expect(server.sent(`PATCH /api/v1/forms/${plums.id}`)).toEqual([{ status: 'archived' }, { status: 'active' }]));
});

onScreen('what goes to the trash comes back with Undo', async () => {
  const { page, server } = await open('/console/forms', formsPage([bees]));
  await row(page, 'Bees').waitFor();
  server.set({ [`DELETE /api/v1/forms/${bees.id}`]: undefined, [list]: pageOf([]) });
  await choose(page, 'Bees', 'Move to trash');
  await row(page, 'Bees').waitFor({ state: 'detached' });
  server.set({ [`POST /app/v1/forms/${bees.id}/restore`]: formOfContract({ id: bees.id, title: 'Bees' }), [list]: pageOf([bees]) });
  await page.getByRole('button', { name: 'Undo' }).click();
  await row(page, 'Bees').waitFor();
  expect(server.asked(`POST /app/v1/forms/${bees.id}/restore`)).toHaveLength(1);
});

onScreen('a form is erased for good only once its title is typed', async () => {
  const screen = await open('/console/forms?view=trash', formsPage([{ ...bees, status: 'trashed' }]));
  const { page, server } = screen;
  await choose(page, 'Bees', 'Erase forever');
  const dialog = page.getByRole('dialog', { name: 'Erase “Bees” forever?' });
  const erase = dialog.getByRole('button', { name: 'Erase forever' });
  await dialog.waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  expect(await erase.isDisabled()).toBe(true);
  await dialog.getByLabel('Type “Bees” to confirm').fill('Bees');
  server.set({ [`DELETE /app/v1/forms/${bees.id}`]: { erasure_id: idOf(9) }, [list]: pageOf([]) });
  await erase.click();
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor();
  expect(server.asked(`DELETE /app/v1/forms/${bees.id}?forever=true`)).toHaveLength(1);
});

onScreen('a form moves to a folder by menu, and a folder into another by keyboard', async () => {
  const screen = await open('/console/forms', formsPage([bees], [north, south]));
  const { page, server } = screen;
  const tree = page.getByRole('treegrid', { name: 'Folders' });
  await tree.getByRole('row', { name: 'North' }).waitFor();
  await choose(page, 'Bees', 'Move to folder…');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /Folder/ }).click();
  await page.getByRole('option', { name: 'South' }).click();
  server.set({
    [`PATCH /api/v1/forms/${bees.id}`]: formOfContract({ id: bees.id, folder_id: south.id }),
    [list]: pageOf([{ ...bees, folder_id: south.id }]),
  });
  await dialog.getByRole('button', { name: 'Move' }).click();
  await row(page, 'Bees').getByText('South').waitFor();
  await eventually(() => expect(server.sent(`PATCH /api/v1/forms/${bees.id}`)).toEqual([{ folder_id: south.id }]));

  // From the folder to its handle, which starts; arrows go from place to place; Enter drops.
  server.set({
    [`PATCH /api/v1/folders/${south.id}`]: { ...south, parent_id: north.id },
    'GET /api/v1/folders': listOf([north, { ...south, parent_id: north.id }]),
  });
  await tree.getByRole('row', { name: 'South' }).focus();
  await page.keyboard.press('ArrowRight');
  await hasFocus(tree.getByRole('row', { name: 'South' }).getByRole('button', { name: /^Drag/ }));
  await page.keyboard.press('Enter');
  await dropOn(page, 'North');
  await row(page, 'Bees').getByText('North / South').waitFor();
  await eventually(() => expect(server.sent(`PATCH /api/v1/folders/${south.id}`)).toEqual([{ parent_id: north.id }]));
});

/** Goes through the places where something may be dropped until the one on the folder is reached, and drops there. */
async function dropOn(page: Page, folder: string): Promise<void> {
  let left: string | null = null;
  for (let step = 0; step < 10; step++) {
    const at = await eventually(async () => {
      const place = await page.locator(':focus').getAttribute('aria-label');
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

onScreen('a folder is created, and deleted with a word about its forms', async () => {
  const { page, server } = await open('/console/forms', formsPage([bees]));
  server.set({ 'POST /api/v1/folders': north, 'GET /api/v1/folders': listOf([north]) });
  await page.getByRole('button', { name: 'New folder' }).click();
  await page.getByLabel('Name').fill('North');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'North', level: 1 }).waitFor();
  await eventually(() => expect(server.sent('POST /api/v1/folders')).toMatchObject([{ label: 'North' }]));
  await choose(page, 'North', 'Delete folder');
  await page.getByText('Its forms stay: they will be in no folder.').waitFor();
  server.set({ [`DELETE /api/v1/folders/${north.id}`]: undefined, 'GET /api/v1/folders': listOf([]) });
  await page.getByRole('dialog').getByRole('button', { name: 'Delete folder' }).click();
  await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
});

onScreen('a form that is dragged onto a folder is in it', async () => {
  const { page, server } = await open('/console/forms', formsPage([bees], [north]));
  await row(page, 'Bees').waitFor();
  server.set({
    [`PATCH /api/v1/forms/${bees.id}`]: formOfContract({ id: bees.id, folder_id: north.id }),
    [list]: pageOf([{ ...bees, folder_id: north.id }]),
  });
  await row(page, 'Bees').dragTo(page.getByRole('treegrid', { name: 'Folders' }).getByRole('row', { name: 'North' }));
  await row(page, 'Bees').getByText('North').waitFor();
  await eventually(() => expect(server.sent(`PATCH /api/v1/forms/${bees.id}`)).toEqual([{ folder_id: north.id }]));
});

onScreen('a template makes a form, whose fields go into its draft', async () => {
  const id = idOf(3, 7);
  const screen = await open('/console/forms', formsPage([bees]));
  const { page, server } = screen;
  await page.getByRole('button', { name: 'Templates' }).click();
  const templates = page.getByRole('dialog', { name: 'Begin with a template' });
  await templates.getByRole('listitem').nth(29).waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('templates');
  const find = templates.getByRole('searchbox', { name: 'Find a template' });
  await find.fill('nothing like it');
  await templates.getByText('No template has these words.').waitFor();
  await find.fill('phone MESSAGES');
  await eventually(async () => expect(await templates.getByRole('listitem').count()).toBe(1));
  server.set({
    'POST /app/v1/forms/import': imported(id, 'Contact us'),
    [`GET /app/v1/forms/${id}`]: form({ id, title: 'Contact us', current_version: 0 }),
    [`GET /app/v1/forms/${id}/draft`]: { fields: [shortText('name', 'Your name')], revision: 1, updated_at: bees.updated_at },
    [`GET /app/v1/forms/${id}/grants`]: listOf([]),
  });
  await templates.getByRole('button', { name: /Contact us/ }).click();
  await page.waitForURL(new RegExp(`${id}/build`));
  await page.getByRole('row', { name: /^Your name/ }).waitFor();
});

onScreen('a file that is no form says so, and one that lost something says what', async () => {
  const id = idOf(3, 7);
  const screen = await open('/console/forms', formsPage([bees]));
  const { page, server } = screen;
  await page.getByRole('button', { name: 'Import' }).click();
  const file = page.locator('input[type=file]');
  await file.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{"sheaf":"other"}') });
  await page
    .getByRole('alert')
    .getByText(/^This file is not a form/)
    .waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  const warnings = [{ sheet: 'survey', row: 3, message: 'the type "geopoint" is not supported; the question is left out' }];
  server.set({ 'POST /app/v1/forms/import': imported(id, markup, warnings) });
  await file.setInputFiles({
    name: 'a.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from('PK'),
  });
  await page.getByRole('heading', { name: `“${markup}” is imported` }).waitFor();
  await page.getByText('survey, row 3:').waitFor();
  await page.getByText(/"geopoint" is not supported/).waitFor();
});

onScreen('a newcomer is led by the tour, which stays away once it is skipped', async () => {
  const screen = await open('/console/forms', formsPage([]));
  const { page, server } = screen;
  await page.getByRole('region', { name: 'First steps' }).getByRole('button', { name: 'Contact us' }).waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  const kept = { key: 'console.tour', value: { skipped: true } };
  for (const key of ['console.tour', 'console.first-steps'])
    server.set({
      [`PUT /app/v1/me/preferences/${key}`]: ({ body }: { body: { value: unknown } }) => ({ ...kept, key, value: body.value }),
    });
  await page.getByRole('button', { name: 'Skip the tour' }).click();
  await page.getByRole('heading', { name: 'No forms yet' }).waitFor();
});

onScreen('a new form that is begun on the tour is the one that the tour goes on with', async () => {
  const { page, server } = await open('/console/forms', formsPage([]));
  await page.getByRole('button', { name: 'Empty form' }).click();
  server.set(making);
  await page.getByLabel('Title').fill('Harvest');
  await page.keyboard.press('Enter');
  await hasFocus(page.getByRole('heading', { level: 1, name: 'Harvest' }));
  await page.goBack();
  await page.getByRole('region', { name: 'First steps' }).getByText('“Harvest”').waitFor();
});

onScreen('a list that cannot be loaded says so, and is tried again', async () => {
  const screen = await open('/console/forms', { ...formsPage([bees]), [list]: refused(500, 'internal_error', 'Something went wrong.') });
  const { page, server } = screen;
  await page.getByRole('button', { name: 'Try again' }).first().waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  server.set({ [list]: pageOf([bees]) });
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await row(page, 'Bees').waitFor();
  for (const problem of screen.problems.take()) expect(problem).toMatch(/^500: /);
});

onScreen('a viewer reads forms, and is offered nothing that they may not do', async () => {
  const { page } = await open('/console/forms', { ...signedIn('viewer'), ...formsPage([{ ...bees, role: 'viewer' }]) });
  await row(page, 'Bees').waitFor();
  expect(await page.getByRole('button', { name: /Templates|Import|New folder/ }).count()).toBe(0);
  expect(await newForm(page).count()).toBe(0);
  await page.getByRole('button', { name: 'Actions for Bees' }).first().click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
  expect(await page.getByRole('menuitem', { name: /Move|Rename|Archive|trash/ }).count()).toBe(0);
});

onScreen('on a phone, in the dark, with long and hostile titles, everything is at hand', async () => {
  const hostile = `${markup} ${'🌾'.repeat(80)}`;
  const long = folderOf(1, 'A folder with a long label, so long that it does not fit');
  const answers = formsPage([listed(1, hostile, { folder_id: long.id })], [long]);
  const screen = await open('/console/forms', answers, { width: 320, dark: true });
  const { page } = screen;
  await row(page, hostile).waitFor();
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
  expect(await screen.accessibilityFaults()).toEqual([]);
  const places = page.getByRole('button', { name: /^Views and folders/ });
  await places.click();
  await page.getByRole('menuitem', { name: 'Trash' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await hasFocus(places);
  await places.click();
  await page.getByRole('menuitem', { name: /^A folder/ }).click();
  await page.getByRole('heading', { name: /^A folder/, level: 1 }).waitFor();
  await row(page, hostile).waitFor();
});

onScreen('a form leads to its submissions once it is published, and to Build before', async () => {
  const answers = formWith([shortText('name')], { current_version: 0, title: 'Bees' });
  const { page } = await open(`/console/forms/${idOf(3)}`, answers);
  await page.waitForURL(/\/build/);
});
