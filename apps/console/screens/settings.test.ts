import { readFile } from 'node:fs/promises';
import { eventually, hasFocus } from '@sheaf/testing';
import type { Locator, Page } from 'playwright-core';
import { formId, keepsAll } from './answers/form';
import { ada, grace, idOf, listOf, markup, memberOf, sessionOf, signedIn, then, workspaceOf } from './answers/people';
import {
  at,
  auditLog,
  entries,
  erasure,
  invitation,
  invitations,
  members,
  serviceAccount,
  settings,
  workspace,
  workspaceSettings,
} from './answers/settings';
import { formsPage, listed } from './answers/forms';
import { onScreen, onScreens } from './support/on-screens';
import { refused } from './support/recorded-server';

const open = onScreens();
const button = (place: Page | Locator, name: string | RegExp) => place.getByRole('button', { name });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const link = (token: string) => ({ invitation_url: `https://forms.example/invitations/${token}`, expires_at: invitation.expires_at });

/** Closes the dialog by Escape, and expects the focus where it was. */
async function closesByEscape(page: Page, opener: Locator): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await hasFocus(opener);
}

onScreen('somebody is invited, and the link is shown', async () => {
  const { page, server } = await open(at('members'), settings);
  const added = memberOf({ id: idOf(1, 3), email: 'new@example.org', name: markup }, 'viewer');
  server.set({ [`POST ${workspace}/members`]: { ...added, invitation: 'made', invitation_url: link('first').invitation_url } });
  const add = button(page, 'Add member');
  await add.click();
  const adding = dialog(page, 'Add member');
  await adding.getByRole('textbox', { name: 'Email' }).fill('new@example.org');
  await adding.getByRole('textbox', { name: /^Name/ }).fill(markup);
  await page.getByRole('radio', { name: /^Viewer/ }).check({ force: true });
  server.set({ [members]: listOf([memberOf(ada, 'owner'), added]) });
  await button(adding, 'Add member').click();
  await adding.getByRole('region', { name: 'Invitation link' }).getByText('https://forms.example/invitations/first').waitFor();
  await closesByEscape(page, add);
  await row(page, 'new@example.org').getByText(markup, { exact: true }).waitFor();
  await row(page, 'new@example.org').getByText('Invited').waitFor();
  await eventually(() =>
    expect(server.sent(`POST ${workspace}/members`)).toEqual([{ email: 'new@example.org', role: 'viewer', name: markup }]),
  );
});

onScreen('an invitation gets another link, after a word about the earlier one, and is revoked', async () => {
  const { page, server } = await open(at('invitations'), settings);
  await button(page, 'New link: new@example.org').click();
  const asking = dialog(page, 'New link for new@example.org?');
  await asking.getByText('The earlier link stops working').waitFor();
  server.set({ [`POST ${workspace}/invitations/${invitation.id}/link`]: link('second') });
  await button(asking, 'Make new link').click();
  await asking.getByRole('region', { name: 'Invitation link' }).getByText('https://forms.example/invitations/second').waitFor();
  await button(asking, 'Done').click();
  await asking.waitFor({ state: 'hidden' });
  await button(page, 'Revoke: new@example.org').click();
  server.set({ [`DELETE ${workspace}/invitations/${invitation.id}`]: undefined, [invitations]: listOf([]) });
  await button(page, 'Revoke invitation').click();
  await page.getByText('Nobody is waiting').waitFor();
});

onScreen('a role is given and taken back; the last owner stays; somebody is removed', async () => {
  const { page, server } = await open(at('members'), { ...settings, [invitations]: listOf([]) });
  const member = `${workspace}/members/${grace.id}`;
  const are = (role: 'editor' | 'viewer') => ({
    [members]: listOf([memberOf(ada, 'owner'), memberOf(grace, role)]),
    [`PATCH ${member}`]: memberOf(grace, role),
  });
  await row(page, ada.email).getByText('The last owner stays').waitFor();
  expect(await button(page, `Actions for ${ada.name}`).count()).toBe(0);
  server.set(are('viewer'));
  await button(page, /Role of Grace/).click();
  await page.getByRole('option', { name: 'Viewer' }).click();
  await page.getByText('Grace Hopper has the role Viewer now.').waitFor();
  server.set(are('editor'));
  await button(page, 'Undo').click();
  await eventually(() => expect(server.sent(`PATCH ${member}`)).toEqual([{ role: 'viewer' }, { role: 'editor' }]));
  await button(page, 'Actions for Grace Hopper').click();
  await page.getByRole('menuitem', { name: 'Remove from workspace' }).click();
  await dialog(page, 'Remove Grace Hopper?').waitFor();
  server.set({ [`DELETE ${member}`]: undefined, [members]: listOf([memberOf(ada, 'owner')]) });
  await button(page, 'Remove from workspace').click();
  await page.getByText('Grace Hopper was removed.').waitFor();
});

onScreen('a viewer sees who is there, and is told why the rest is not for them', async () => {
  const screen = await open('/console/settings', { ...signedIn('viewer'), [`GET ${workspace}`]: workspaceSettings({ role: 'viewer' }) });
  const { page } = screen;
  await page.getByText('Owners and admins change these settings.').waitFor();
  await page.getByText('Only owners of a workspace can erase it.').waitFor();
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('table', { name: 'Members' }).waitFor();
  expect(await button(page, 'Add member').count()).toBe(0);
  expect(await page.getByRole('link', { name: /Invitations|Service accounts|Webhook/ }).count()).toBe(0);
  for (const path of [at('invitations'), at('service-accounts'), '/console/audit-log']) {
    await screen.open(path);
    await page.getByText('Only for owners and admins').waitFor();
  }
});

onScreen('an admin of a workspace is offered nothing of the whole instance', async () => {
  const screen = await open('/console/settings', { ...settings, ...signedIn('admin') });
  const { page } = screen;
  await page.getByRole('link', { name: 'Invitations' }).waitFor();
  expect(await page.getByRole('link', { name: /Service accounts|Webhook keys|Instance webhooks|Who runs it/ }).count()).toBe(0);
  await button(page, /^Workspace: /).click();
  await page.getByRole('menu').waitFor();
  expect(await page.getByRole('menuitem', { name: 'New workspace' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  for (const section of ['instance-members', 'service-accounts', 'webhook-keys', 'instance-webhooks']) {
    await screen.open(at(section));
    await page.getByText('Only the owners and admins of the instance can use this').waitFor();
  }
  await screen.open(at('retention'));
  await page.getByText('Only the owners and admins of the instance change this.').waitFor();
});

onScreen('a shortened retention of the instance is shown until it takes effect, and can be undone', async () => {
  const path = '/app/v1/instance/retention';
  const { page, server } = await open(at('retention'), settings);
  const days = page.getByRole('textbox', { name: 'Trash: days until something in it is erased' });
  await days.waitFor();
  const upcoming = { setting: 'trash_days', days: 7, takes_effect_at: '2026-12-02T09:30:00.000Z', undo_days: null };
  const waiting = { trash_days: 7, in_force: {}, upcoming: [{ ...upcoming, erases: 1, erases_more: false }] };
  server.set({ [`PATCH ${path}`]: waiting, [`GET ${path}`]: waiting });
  await days.fill('7');
  await button(page, 'Save retention').click();
  await dialog(page, 'Keep things for a shorter time?').getByRole('button', { name: 'Shorten retention' }).click();
  await page.getByText(/From 2 Dec 2026.* on, submissions are erased after 7 days in the trash. Until then they are kept./).waitFor();
  await page.getByText('This erases 1 submission that is kept now.').waitFor();
  server.set({ [`PATCH ${path}`]: keepsAll, [`GET ${path}`]: keepsAll });
  await button(page, /^Undo/).click();
  await eventually(() => expect(server.sent(`PATCH ${path}`)).toEqual([{ trash_days: 7 }, { trash_days: null }]));
  await page.getByText('This erases 1 submission').waitFor({ state: 'hidden' });
});

onScreen('the last owner of the instance stays; somebody else is named by their address, and loses the role', async () => {
  const { page, server } = await open(at('instance-members'), settings);
  const runners = '/app/v1/instance/members';
  await row(page, ada.email).getByText('The last owner stays').waitFor();
  const added = memberOf({ id: idOf(1, 3), email: 'new@example.org', name: markup }, 'admin');
  server.set({ [`POST ${runners}`]: added, [`GET ${runners}`]: listOf([memberOf(ada, 'owner'), added]) });
  await button(page, 'Add a person').click();
  const asking = dialog(page, 'Add a person');
  await asking.getByRole('textbox', { name: 'Email' }).fill('new@example.org');
  await button(asking, 'Add a person').click();
  await row(page, 'new@example.org').getByText(markup, { exact: true }).waitFor();
  await eventually(() => expect(server.sent(`POST ${runners}`)).toEqual([{ email: 'new@example.org', role: 'admin' }]));
  server.set({ [`DELETE ${runners}/${added.user_id}`]: undefined, [`GET ${runners}`]: listOf([memberOf(ada, 'owner')]) });
  await row(page, 'new@example.org')
    .getByRole('button', { name: /^Take the role/ })
    .click();
  await button(page.getByRole('dialog'), 'Take the role away').click();
  await row(page, 'new@example.org').waitFor({ state: 'detached' });
});

onScreen('the key of a service account is shown once, and is replaced without a pause', async () => {
  const { page, server } = await open(at('service-accounts'), settings);
  const accounts = 'GET /app/v1/service-accounts';
  const name = `Robot ${markup}`;
  const account = serviceAccount(name);
  const create = button(page, 'New service account');
  await create.click();
  const creating = dialog(page, 'New service account');
  await creating.getByRole('textbox', { name: 'Name' }).fill(name);
  server.set({ 'POST /app/v1/service-accounts': { ...account, key: 'shf_s_key1_secret' }, [accounts]: listOf([account]) });
  await button(creating, 'Create service account').click();
  await creating.getByRole('region', { name: 'Key' }).getByText('shf_s_key1_secret').waitFor();
  await closesByEscape(page, create);
  const shown = page.getByRole('article', { name });
  await shown.getByText('Read forms, folders and workspaces').waitFor();
  expect(await page.content()).not.toContain('shf_s_key1_secret');

  const keys = `/app/v1/service-accounts/${account.id}/keys`;
  await button(shown, `Second key for ${name}`).click();
  server.set({
    [`POST ${keys}`]: { ...serviceAccount(name, [2]).keys[0], key: 'shf_s_key2_secret' },
    [accounts]: listOf([serviceAccount(name, [1, 2])]),
  });
  await button(page, 'Create key').click();
  await page.getByRole('dialog').getByRole('region', { name: 'Key' }).getByText('shf_s_key2_secret').waitFor();
  await button(page, 'Done').click();
  await shown.getByText('There are two keys.').waitFor();
  await button(shown, 'Revoke: shf_s_key1').click();
  server.set({ [`DELETE ${keys}/${idOf(16, 1)}`]: undefined, [accounts]: listOf([serviceAccount(name, [2])]) });
  await button(page, 'Revoke key').click();
  await page.getByText('Key revoked.').waitFor();

  await button(shown, `Actions for ${name}`).click();
  await page.getByRole('menuitem', { name: 'Delete service account' }).click();
  server.set({ [`DELETE /app/v1/service-accounts/${account.id}`]: undefined, [accounts]: listOf([]) });
  await button(page, 'Delete service account').click();
  await shown.waitFor({ state: 'hidden' });
});

onScreen('what somebody sent is found, and erased once the value is typed again', async () => {
  const found = {
    keys: ['mail'],
    form_id: formId,
    submission_id: idOf(5),
    place: 'list',
    schema_version: 1,
    status: 'new',
    created_at: then,
    data: { mail: 'ada@example.org' },
  };
  const screen = await open(at('people'), {
    ...settings,
    ...formsPage([listed(1, 'Visits')]),
    'GET /app/v1/subjects': { data: [found], next_cursor: null, indexed: true },
    'POST /app/v1/subjects/erase': { erasure_ids: [erasure.id], held_form_ids: [], unsearched_form_ids: [], erased: 1, next_cursor: null },
  });
  const { page, server } = screen;
  const value = page.getByRole('textbox', { name: 'Email address, name or another answer' });
  await value.fill('a');
  await page.keyboard.press('Enter');
  await page.getByText('Enter 2 to 200 characters.').waitFor();
  expect(server.asked('GET /app/v1/subjects')).toEqual([]);
  await value.fill('ADA@EXAMPLE.ORG');
  await button(page, 'Find').click();
  await page.getByRole('heading', { name: '1 found' }).waitFor();
  await row(page, 'Visits').getByText('ada@example.org').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await button(page, 'Erase all of them').click();
  const asking = page.getByRole('dialog');
  expect(await button(asking, 'Erase for good').isDisabled()).toBe(true);
  await asking.getByRole('textbox').fill('ADA@EXAMPLE.ORG');
  await button(asking, 'Erase for good').click();
  await asking.getByText('1 submissions erased').waitFor();
  await eventually(() => expect(server.sent('POST /app/v1/subjects/erase')).toMatchObject([{ value: 'ADA@EXAMPLE.ORG' }]));
  await asking.getByRole('link', { name: 'Follow the erasures' }).click();
  const shown = page.locator(`[id="${erasure.id}"]`);
  await shown.getByText('1 of 2 confirmed').waitFor();
  await shown.getByRole('button').click();
  await dialog(page, 'Erasure').getByText('Confirmed').first().waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await closesByEscape(page, shown.getByRole('button'));
});

onScreen('the audit log says who did what, by filters in the address, and is exported', async () => {
  const log = 'GET /app/v1/audit-log';
  const screen = await open(`/console/audit-log?form=${formId}`, {
    ...settings,
    ...formsPage([listed(1, markup)]),
    [log]: entries(auditLog),
    [`${log}?action=webhook.created`]: entries([]),
  });
  const { page } = screen;
  const list = page.getByRole('list', { name: 'Audit log' });
  const published = button(list, /published version 1 of .*<img src=x onerror=alert\(1\)>/);
  await published.waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await button(page, 'What: Anything').click();
  await page.getByRole('menuitemcheckbox', { name: 'Webhooks' }).click();
  await page.keyboard.press('Escape');
  await page.getByText('Nothing matches these filters').waitFor();
  expect(page.url()).toContain('webhook.created');
  await page.goBack();
  await published.click();
  const entry = dialog(page, 'Entry');
  await entry.getByText('form.published').waitFor();
  await entry.getByText(ada.email).waitFor();
  await closesByEscape(page, published);
  await button(page, 'Export').click();
  await page.getByRole('radio', { name: /^NDJSON/ }).check({ force: true });
  const [download] = await Promise.all([page.waitForEvent('download'), button(dialog(page, 'Export the audit log'), 'Export').click()]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual(auditLog.map(({ action }) => action));
});

onScreen('a workspace gets another name, of which faults are said, and is erased once that name is typed', async () => {
  const screen = await open('/console/settings', { ...settings, ...formsPage([listed(1, 'Elsewhere')]) });
  const { page, server } = screen;
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('');
  await button(page, 'Save changes').click();
  await page.getByText('Enter a name.').waitFor();
  expect(server.asked(`PATCH ${workspace}`)).toEqual([]);
  server.set({ [`PATCH ${workspace}`]: refused(400, 'bad_request', 'slug: is reserved') });
  const renamed = `Research ${markup}`;
  await name.fill(renamed);
  await page.getByRole('textbox', { name: 'New slug' }).fill('www');
  await button(page, 'Save changes').click();
  await page.getByRole('alert').getByText('slug').waitFor();
  expect(screen.problems.take()).toEqual([expect.stringMatching(/^400: .*\/app\/v1\/workspaces\//)]);
  const after = workspaceOf('owner', renamed);
  server.set({
    [`PATCH ${workspace}`]: workspaceSettings({ name: renamed }),
    'GET /api/v1/workspaces': listOf([after]),
    'GET /app/v1/sessions/current': { ...sessionOf('owner'), workspace: after },
  });
  await page.getByRole('textbox', { name: 'New slug' }).fill('');
  await button(page, 'Save changes').click();
  await button(page, /^Workspace: Research <img/).waitFor();

  const erase = button(page, 'Erase workspace');
  await erase.click();
  await closesByEscape(page, erase);
  await erase.click();
  const asking = page.getByRole('dialog');
  await asking.getByRole('textbox').fill(renamed);
  expect(await screen.accessibilityFaults()).toEqual([]);
  server.set({ [`DELETE ${workspace}`]: { erasure_id: idOf(9) } });
  await button(asking, 'Erase workspace').click();
  await page.waitForURL('**/console/forms');
  expect(server.asked(`DELETE ${workspace}?forever=true`)).toHaveLength(1);
});

// Those of the other sections are in night/looks.test.ts.
onScreen.each([
  ['members', 'Grace Hopper'],
  ['retention', 'Save retention'],
])('the section %s can be read in the dark on a narrow screen', async (section, content) => {
  const screen = await open(at(section), settings, { dark: true, width: 320 });
  await screen.page.getByText(content).first().waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  expect(await screen.page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
});

onScreen.each([
  ['members', 'Add member'],
  ['instance-members', 'Add a person'],
  ['service-accounts', 'New service account'],
  ['webhook-keys', 'Rotate keys'],
])('the dialog of %s is accessible, and gives the focus back', async (section, name) => {
  const screen = await open(at(section), settings);
  const { page } = screen;
  await button(page, name).click();
  await page.getByRole('dialog').waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await closesByEscape(page, button(page, name));
});
