import { readFile } from 'node:fs/promises';
import { eventually, hasFocus } from '@sheaf/testing';
import { api, app, at, form, formOfContract, formWith, keepsAll, shortText } from './answers/form';
import { formsPage, listed } from './answers/forms';
import { idOf, listOf, signedIn, workspaceOf } from './answers/people';
import { onScreen, onScreens, type Screen } from './support/on-screens';
import { refused } from './support/recorded-server';

const open = onScreens();
const button = ({ page }: Screen, name: string | RegExp) => page.getByRole('button', { name });
const says = ({ page }: Screen, text: string | RegExp) => page.getByText(text).first().waitFor();
const answers = { 'GET /app/v1/instance/retention': keepsAll, ...formWith([shortText('name')]), ...formsPage([listed(1, 'Site visit')]) };

async function atSettings(options = {}): Promise<Screen> {
  const screen = await open(at('settings'), answers, options);
  await screen.page.getByRole('heading', { name: 'Title and status' }).waitFor();
  return screen;
}
const becomes = ({ server }: Screen, more: object) =>
  server.set({ [`PATCH ${api}`]: formOfContract(more), [`PATCH ${app}`]: form(more), [`GET ${app}`]: form(more) });
const sent = ({ server }: Screen) => [...server.sent(`PATCH ${api}`), ...server.sent(`PATCH ${app}`)];

onScreen('of the settings only those that changed are sent', async () => {
  const screen = await atSettings();
  const { page } = screen;
  becomes(screen, { title: 'Visit of the clinic', description: 'Two minutes.' });
  await page.getByLabel('Title', { exact: true }).fill('Visit of the clinic');
  await page.getByLabel('Description').fill('Two minutes.');
  await button(screen, 'Save: Title and status').click();
  await page.getByRole('heading', { level: 1, name: 'Visit of the clinic' }).waitFor();
  await says(screen, /^Saved$/);
  await page.getByText('Check answers before sending').click();
  await page.getByText('Make spam expensive').click();
  await page.getByText('Make spam expensive').click();
  await button(screen, 'Save: Filling in').click();
  await eventually(() =>
    expect(sent(screen)).toEqual([{ title: 'Visit of the clinic' }, { description: 'Two minutes.' }, { review_before_sending: true }]),
  );
});

onScreen('the title is changed in its place, by keyboard alone', async () => {
  const screen = await open(at('build'), answers);
  const { page } = screen;
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  const pencil = button(screen, 'Rename form');
  const field = page.getByRole('textbox', { name: 'Title' });
  const begin = async (title: string) => {
    await pencil.press('Enter');
    await hasFocus(field);
    // All of it is selected.
    await page.keyboard.type(title);
  };
  await heading('Site visit').waitFor();
  await begin('Something else');
  await page.keyboard.press('Escape');
  await heading('Site visit').waitFor();
  await hasFocus(pencil);

  screen.server.set({ [`PATCH ${api}`]: refused(400, 'bad_request', 'title: must not have line separators') });
  await begin('Visit of the clinic');
  await page.keyboard.press('Enter');
  await says(screen, 'Must not have line separators.');
  expect(await field.inputValue()).toBe('Visit of the clinic');
  expect(await screen.accessibilityFaults()).toEqual([]);
  for (const problem of screen.problems.take()) expect(problem).toMatch(/^400: /);

  becomes(screen, { title: 'Visit of the clinic' });
  await page.keyboard.press('Enter');
  await heading('Visit of the clinic').waitFor();
  await hasFocus(pencil);
  expect(sent(screen)).toEqual([{ title: 'Visit of the clinic' }, { title: 'Visit of the clinic' }]);
});

onScreen('the title of a form can only be read by viewers', async () => {
  const screen = await open(at('build'), { ...answers, ...formWith([shortText('name')], {}, 'viewer') });
  await screen.page.getByRole('heading', { level: 1, name: 'Site visit' }).waitFor();
  expect(await button(screen, 'Rename form').count()).toBe(0);
});

onScreen('the place of the form is in sight on a phone, however far along it is', async () => {
  const { page } = await open(at('settings'), answers, { width: 320 });
  const tab = page.getByRole('navigation', { name: 'Form', exact: true }).getByRole('link', { name: 'Settings' });
  await eventually(async () => {
    const { x = 0, width = 0 } = (await tab.boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(320);
  });
});

onScreen('what is kept for a shorter time is asked about, and said in words', async () => {
  const screen = await atSettings();
  const { page } = screen;
  await page.getByLabel('Submissions, in days').fill('90');
  await page.getByLabel('Submissions, in days').blur();
  await says(screen, 'Each submission is erased 90 days after it arrived, wherever it is.');
  await button(screen, 'Save: How long things are kept').click();
  becomes(screen, { retention: { submissions_days: 90 } });
  await page.getByRole('dialog', { name: 'Keep things for a shorter time?' }).getByRole('button', { name: 'Shorten retention' }).click();
  await eventually(() => expect(sent(screen)).toEqual([{ retention: { submissions_days: 90 } }]));
});

onScreen('shorter days that wait are shown with their moment and how much they will erase, and are undone', async () => {
  const screen = await atSettings();
  const upcoming = { setting: 'submissions_days', days: 30, takes_effect_at: '2026-12-02T09:30:00.000Z', undo_days: 90, erases: 42 };
  const waiting = { in_force: { submissions_days: 90 }, upcoming: [{ ...upcoming, erases_more: false }] };
  screen.server.set({ [`GET ${app}/retention`]: waiting });
  becomes(screen, { retention: { submissions_days: 30, trash_days: 7 } });
  await screen.page.getByText('Search in answers').click();
  await button(screen, 'Save: Legal hold and search').click();
  const shown = screen.page.getByRole('list', { name: 'Shorter soon' });
  await shown.getByText(/From 2 Dec 2026.* on, submissions older than 30 days are erased. Until then 90 days apply./).waitFor();
  await shown.getByText('This erases 42 submissions that are kept now.').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  screen.server.set({ [`GET ${app}/retention`]: keepsAll });
  becomes(screen, { retention: { submissions_days: 90, trash_days: 7 } });
  await shown.getByRole('button', { name: /^Undo/ }).click();
  await eventually(() => expect(sent(screen).at(-1)).toEqual({ retention: { submissions_days: 90, trash_days: 7 } }));
  await shown.waitFor({ state: 'hidden' });
});

onScreen('whoever may not decide how long things are kept sees what will be erased, and cannot undo it', async () => {
  const upcoming = { setting: 'files_days', days: 1, takes_effect_at: '2026-12-02T09:30:00.000Z', undo_days: null };
  const waiting = { in_force: {}, upcoming: [{ ...upcoming, erases: 10_000, erases_more: true }] };
  const screen = await open(at('settings'), {
    ...answers,
    ...formWith([shortText('name')], {}, 'editor'),
    [`GET ${app}/retention`]: waiting,
  });
  await says(screen, /Until then they are kept. This erases more than 10,000 files that are kept now./);
  expect(await button(screen, /^Undo/).count()).toBe(0);
});

onScreen('a refusal is said at the field, and what was typed stays', async () => {
  const screen = await atSettings();
  const { page, server } = screen;
  server.set({ [`PATCH ${api}`]: refused(400, 'bad_request', 'title: must be 1 to 200 characters') });
  await page.getByLabel('Title', { exact: true }).fill('Much too long');
  await button(screen, 'Save: Title and status').click();
  await says(screen, /1 to 200 characters/);
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Much too long');
  for (const problem of screen.problems.take()) expect(problem).toMatch(/^400: /);
});

onScreen('settings that are on or off are saved as all others: a refusal is said and keeps them, and leaving asks', async () => {
  const screen = await atSettings();
  const { page, server } = screen;
  const hold = page.getByRole('switch', { name: /^Legal hold/ });
  const search = page.getByRole('switch', { name: /^Search in answers/ });
  await page.getByText('Search in answers').click();
  await page.getByText('Search in answers').click();
  expect(await search.isChecked()).toBe(true);
  expect(await button(screen, 'Save: Legal hold and search').count()).toBe(0);

  await page.getByText('Legal hold', { exact: true }).click();
  server.set({ [`PATCH ${app}`]: refused(500, 'internal_error', 'Something went wrong.') });
  await button(screen, 'Save: Legal hold and search').click();
  await page.getByRole('alert').waitFor();
  expect(await hold.isChecked()).toBe(true);
  for (const problem of screen.problems.take()) expect(problem).toMatch(/^500: /);

  await page.getByRole('navigation', { name: 'Form', exact: true }).getByRole('link', { name: 'Share' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText(/Legal hold and search/).waitFor();
  await question.getByRole('button', { name: 'Stay here' }).click();
  becomes(screen, { legal_hold: true });
  await button(screen, 'Save: Legal hold and search').click();
  await eventually(() => expect(sent(screen)).toEqual([{ legal_hold: true }, { legal_hold: true }]));
  await says(screen, /^Saved$/);
});

onScreen('a switch of workspaces that unsaved changes stopped does not follow later, with another way to the forms', async () => {
  const elsewhere = { ...workspaceOf('owner', 'Elsewhere'), id: idOf(1, 77) };
  const switching = 'PATCH /api/v1/auth/workspace';
  const screen = await open(at('settings'), { ...answers, 'GET /api/v1/workspaces': listOf([workspaceOf('owner'), elsewhere]) });
  const { page, server } = screen;
  await page.getByText('Legal hold', { exact: true }).click();
  const enter = async () => {
    await page.getByRole('button', { name: /Switch workspace$/ }).click();
    await page.getByRole('menuitem', { name: 'Elsewhere' }).click();
  };
  await enter();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Stay here' }).click();
  await page.getByRole('link', { name: 'Forms' }).first().click();
  await question.getByRole('button', { name: 'Discard and leave' }).click();
  await page.getByRole('row').filter({ hasText: 'Site visit' }).waitFor();
  expect(server.asked(switching)).toEqual([]);
  server.set({ [switching]: elsewhere });
  await enter();
  await eventually(() => expect(server.sent(switching)).toEqual([{ workspace_id: elsewhere.id }]));
});

onScreen('colors that are hard to read are said before they are saved', async () => {
  const screen = await atSettings();
  const accent = screen.page.getByRole('textbox', { name: 'Accent color', exact: true });
  await accent.fill('#ff9900');
  await says(screen, 'White text on buttons would be hard to read: the contrast is 2.14:1');
  await accent.fill('#7f1d1d');
  await screen.page.getByText('White text on buttons would be hard to read').waitFor({ state: 'detached' });
  becomes(screen, { theme: { accent: '#7f1d1d' } });
  await button(screen, 'Save: Look').click();
  await eventually(() => expect(sent(screen)).toEqual([{ theme: { accent: '#7f1d1d' } }]));
});

onScreen('the form is exported, and moved to the trash with a way back', async () => {
  const screen = await atSettings();
  const { page, server } = screen;
  const document = { sheaf: 'form', version: 1, title: 'Site visit', fields: [shortText('name')], settings: {} };
  server.set({ [`GET ${app}/document`]: document });
  const [download] = await Promise.all([page.waitForEvent('download'), button(screen, 'Export as JSON').click()]);
  expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toEqual(document);
  const xlsForm = page.getByRole('link', { name: 'Export as XLSForm' });
  expect([await xlsForm.getAttribute('href'), await xlsForm.getAttribute('download')]).toEqual([`${app}/xlsform`, '']);
  server.set({ [`DELETE ${api}`]: undefined, [`POST ${app}/restore`]: formOfContract() });
  await button(screen, 'Move to trash').click();
  await page.waitForURL(/\/console\/forms$/);
  await button(screen, 'Undo').click();
  await eventually(() => expect(server.asked(`POST ${app}/restore`)).toHaveLength(1));
});

onScreen('a form in the trash is erased once its title is typed', async () => {
  const screen = await open(at('settings'), { ...answers, [`GET ${app}`]: form({ status: 'trashed' }) });
  const { page, server } = screen;
  await button(screen, 'Erase forever').click();
  const dialog = page.getByRole('dialog', { name: 'Erase the form' });
  await dialog.waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await dialog.getByLabel('Type “Site visit” to confirm').fill('Site visit');
  server.set({ [`DELETE ${app}`]: { erasure_id: idOf(9) } });
  await dialog.getByRole('button', { name: 'Erase forever' }).click();
  await page.waitForURL(/\/console\/forms$/);
  expect(server.asked(`DELETE ${app}?forever=true`)).toHaveLength(1);
});

onScreen('everything can be read and used in the dark, on a narrow screen', async () => {
  const screen = await atSettings({ dark: true, width: 320 });
  await screen.page.getByRole('heading', { name: 'Trash', exact: true }).waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  expect(await screen.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});

onScreen('a viewer reads the settings, and is offered no change', async () => {
  const screen = await open(at('settings'), { ...answers, ...signedIn('viewer'), ...formWith([shortText('name')], {}, 'viewer') });
  await says(screen, 'You can read these settings.');
  expect(await screen.page.getByLabel('Title', { exact: true }).getAttribute('readonly')).toBe('');
  expect(await screen.page.getByRole('button', { name: /Save|trash|Move/i }).count()).toBe(0);
  expect(await screen.page.getByRole('switch', { name: /Legal hold/ }).isDisabled()).toBe(true);
});

onScreen('an access code is set, changed and removed, and never shown', async () => {
  const screen = await atSettings();
  const { page } = screen;
  await says(screen, 'No code is set: everybody who has the link can fill in the form.');
  becomes(screen, { has_access_code: true });
  await page.getByRole('textbox', { name: 'Access code', exact: true }).fill('spring-2026');
  await button(screen, 'Save: Access code').click();
  await says(screen, /^A code is set\./);
  expect(await page.getByLabel('New access code').inputValue()).toBe('');
  expect(await screen.accessibilityFaults()).toEqual([]);
  await screen.screenshot('access-code');
  becomes(screen, {});
  await button(screen, 'Remove the access code').click();
  await says(screen, 'No code is set: everybody who has the link can fill in the form.');
  expect(sent(screen)).toEqual([{ access_code: 'spring-2026' }, { access_code: null }]);
});
