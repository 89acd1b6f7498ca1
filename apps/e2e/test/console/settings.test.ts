import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '@sheaf/testing';
import { itInBrowser } from '../../support/browser';
import { asConsoleMember, asConsoleOwner, type ConsoleUser } from '../../support/console';
import * as given from '../../support/given';
import { anyone } from '../../support/people';

const markup = '<img src=x onerror=alert(1)>';

const button = (place: Page | Locator, name: string | RegExp) => place.getByRole('button', { name });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Closes the dialog by Escape, and expects the focus where it was. */
async function closesByEscape(page: Page, opener: Locator): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await opener.and(page.locator(':focus')).waitFor();
}

/** Runs axe on the page as it is, wide and light, and dark at 320 px. */
async function isAccessible(user: ConsoleUser, name: string): Promise<void> {
  const { page } = user;
  // What a button has announced while it was busy stays for some seconds.
  await eventually(async () => expect(await page.locator('[data-live-announcer] [role=img]').count()).toBe(0));
  for (const [colorScheme, width] of [
    ['light', 1_280],
    ['dark', 320],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect({ name, colorScheme, width, faults: await user.accessibilityFaults() }).toEqual({ name, colorScheme, width, faults: [] });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await user.screenshot(`settings-${name}-${colorScheme}-${width}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1_280, height: 800 });
}

const invitationStatus = async (link: string) => (await anyone.get(`/app/v1/invitations/${link.split('/').at(-1) ?? ''}`)).status;

itInBrowser('an owner invites somebody, makes the link anew, and the earlier link is dead', async () => {
  const user = await asConsoleOwner('/console/settings/members');
  const { page } = user;
  const email = `${randomUUID()}@example.org`;
  const add = button(page, 'Add member');
  await add.click();
  await dialog(page, 'Add member').getByRole('textbox', { name: 'Email' }).fill(email);
  await dialog(page, 'Add member').getByRole('textbox', { name: /^Name/ }).fill(markup);
  await page.getByRole('radio', { name: /^Viewer/ }).check({ force: true });
  await button(dialog(page, 'Add member'), 'Add member').click();
  const shown = dialog(page, 'Add member').getByRole('region', { name: 'Invitation link' });
  const first = (await shown.textContent()) ?? '';
  expect(first).toMatch(/\/invitations\/[\w-]+$/);
  await closesByEscape(page, add);
  await row(page, email).getByText(markup, { exact: true }).waitFor();
  await row(page, email).getByText('Invited').waitFor();

  await page.getByRole('link', { name: 'Invitations' }).click();
  const renew = button(page, `New link: ${email}`);
  await renew.click();
  const asking = dialog(page, `New link for ${email}?`);
  await asking.getByText('The earlier link stops working').waitFor();
  await button(asking, 'Make new link').click();
  const second = (await asking.getByRole('region', { name: 'Invitation link' }).textContent()) ?? '';
  expect(second).not.toBe(first);
  await button(asking, 'Done').click();
  await asking.waitFor({ state: 'hidden' });
  expect([await invitationStatus(first), await invitationStatus(second)]).toEqual([404, 200]);

  await button(page, `Revoke: ${email}`).click();
  await button(page, 'Revoke invitation').click();
  await page.getByText('Nobody is waiting').waitFor();
  expect(await invitationStatus(second)).toBe(404);
});

itInBrowser('an owner gives a role and takes it back; the last owner stays; somebody is removed', async () => {
  const user = await asConsoleOwner();
  const { page, person, workspaceId } = user;
  const { body } = await person.post(`/app/v1/workspaces/${workspaceId}/members`, {
    email: `${randomUUID()}@example.org`,
    role: 'viewer',
    name: 'Grace',
  });
  const { user_id: graceId } = body as { user_id: string };
  const roleOf = async (id: string) => {
    const members = (await person.get(`/api/v1/workspaces/${workspaceId}/members`)).body as { data: { user_id: string; role: string }[] };
    return members.data.find((member) => member.user_id === id)?.role;
  };
  await user.open('/console/settings/members');
  await row(page, user.email).getByText('The last owner stays').waitFor();
  expect(await button(page, 'Actions for The admin').count()).toBe(0);
  await button(page, /Role of Grace/).click();
  await page.getByRole('option', { name: 'Editor' }).click();
  await page.getByText('Grace has the role Editor now.').waitFor();
  expect(await roleOf(graceId)).toBe('editor');
  await button(page, 'Undo').click();
  await eventually(async () => expect(await roleOf(graceId)).toBe('viewer'));

  await button(page, 'Actions for Grace').click();
  await page.getByRole('menuitem', { name: 'Remove from workspace' }).click();
  await dialog(page, 'Remove Grace?').waitFor();
  await button(page, 'Remove from workspace').click();
  await page.getByText('Grace was removed.').waitFor();
  expect(await roleOf(graceId)).toBeUndefined();
});

itInBrowser('a viewer sees who is there, and is told why the rest is not for them', async () => {
  const user = await asConsoleMember('viewer', '/console/settings');
  const { page } = user;
  await page.getByText('Owners and admins change these settings.').waitFor();
  await page.getByText('Only owners of a workspace can erase it.').waitFor();
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('table', { name: 'Members' }).waitFor();
  expect(await button(page, 'Add member').count()).toBe(0);
  expect(await page.getByRole('link', { name: /Invitations|Service accounts|Webhook/ }).count()).toBe(0);
  for (const path of ['/console/settings/invitations', '/console/settings/service-accounts', '/console/audit-log']) {
    await user.open(path);
    await page.getByText('Only for owners and admins').waitFor();
  }
});

itInBrowser('the key of a service account is shown once, works, and is replaced without a pause', async () => {
  const user = await asConsoleOwner('/console/settings/service-accounts');
  const { page } = user;
  const name = `Robot ${randomUUID().slice(0, 8)} ${markup}`;
  const create = button(page, 'New service account');
  await create.click();
  const creating = dialog(page, 'New service account');
  await creating.getByRole('textbox', { name: 'Name' }).fill(name);
  await button(creating, 'Create service account').click();
  const key = (await creating.getByRole('region', { name: 'Key' }).textContent()) ?? '';
  await closesByEscape(page, create);
  const statusOf = async (bearer: string) => (await anyone.with(bearer).get('/api/v1/forms')).status;
  expect(await statusOf(key)).toBe(200);
  const account = page.getByRole('article', { name });
  await account.getByText('Read forms, folders and workspaces').waitFor();
  expect(await page.content()).not.toContain(key);

  await button(account, `Second key for ${name}`).click();
  await button(page, 'Create key').click();
  const second = (await page.getByRole('dialog').getByRole('region', { name: 'Key' }).textContent()) ?? '';
  await button(page, 'Done').click();
  await account.getByText('There are two keys.').waitFor();
  const prefix = (await account.getByRole('cell').first().textContent())?.slice(0, -1) ?? '';
  await button(account, `Revoke: ${prefix}`).click();
  await button(page, 'Revoke key').click();
  await page.getByText('Key revoked.').waitFor();
  await eventually(async () =>
    expect(await Promise.all([statusOf(key), statusOf(second)])).toEqual(key.startsWith(prefix) ? [401, 200] : [200, 401]),
  );

  await button(account, `Actions for ${name}`).click();
  await page.getByRole('menuitem', { name: 'Delete service account' }).click();
  await button(page, 'Delete service account').click();
  await account.waitFor({ state: 'hidden' });
});

itInBrowser('an owner finds what somebody sent, erases it, and sees that it is gone', async () => {
  const user = await asConsoleOwner();
  const { page, person } = user;
  const email = `${randomUUID()}@example.org`;
  const form = await given.publishedForm({ title: 'Visits', fields: [{ key: 'mail', label: 'Mail', type: 'email' }] }, person);
  await given.submission(form, { mail: email });
  await user.open('/console/settings/people');
  const value = page.getByRole('textbox', { name: 'Email address, name or another answer' });
  await value.fill('a');
  await page.keyboard.press('Enter');
  await page.getByText('Enter 2 to 200 characters.').waitFor();
  await eventually(async () => {
    await user.open('/console/settings/people');
    await value.fill(email.toUpperCase());
    await button(page, 'Find').click();
    await page.getByRole('heading', { name: '1 found' }).waitFor({ timeout: 2_000 });
  });
  await row(page, 'Visits').getByText(email).waitFor();
  await isAccessible(user, 'people');
  await button(page, 'Erase all of them').click();
  const asking = page.getByRole('dialog');
  expect(await button(asking, 'Erase for good').isDisabled()).toBe(true);
  await asking.getByRole('textbox').fill(email.toUpperCase());
  await button(asking, 'Erase for good').click();
  await asking.getByText('1 submissions erased').waitFor();
  await asking.getByRole('link', { name: 'Follow the erasures' }).click();
  expect(await given.submissionsOf(form, person)).toEqual([]);
  // Other tests of the same instance erase as well.
  const { id } = await eventually(async () => {
    const { data } = (await person.get('/app/v1/erasures?limit=100')).body as { data: { id: string; target_id: string }[] };
    const own = data.find(({ target_id }) => target_id === form);
    if (!own) throw new Error('The erasure is not listed yet.');
    return own;
  });
  const erasureRow = page.locator(`[id="${id}"]`);
  await user.open('/console/settings/erasures');
  // `delivery` looks through the stream a second time after two minutes; the page asks again until it has.
  await erasureRow.getByText('1 of 2 confirmed').waitFor();
  const erasure = erasureRow.getByRole('button');
  await erasure.click();
  await dialog(page, 'Erasure').getByText('Confirmed').first().waitFor();
  await isAccessible(user, 'erasure');
  await closesByEscape(page, erasure);
});

itInBrowser('an owner reads in the audit log who did what, by filters in the address, and exports it', async () => {
  const user = await asConsoleOwner();
  const { page, person } = user;
  const form = await given.publishedForm({ title: markup }, person);
  await user.open(`/console/audit-log?form=${form}`);
  const log = page.getByRole('list', { name: 'Audit log' });
  const published = button(log, /published version 1 of .*<img src=x onerror=alert\(1\)>/);
  await published.waitFor();
  await isAccessible(user, 'audit-log');

  await button(page, 'What: Anything').click();
  await page.getByRole('menuitemcheckbox', { name: 'Webhooks' }).click();
  await page.keyboard.press('Escape');
  await page.getByText('Nothing matches these filters').waitFor();
  expect(page.url()).toContain('webhook.created');
  await page.goBack();
  await published.click();
  const entry = dialog(page, 'Entry');
  await entry.getByText('form.published').waitFor();
  await entry.getByText(user.email).waitFor();
  await isAccessible(user, 'audit-log-entry');
  await button(entry, 'Only this action').click();
  await eventually(async () => expect(await log.getByRole('listitem').count()).toBe(1));
  await published.click();
  await closesByEscape(page, published);

  await button(page, 'Export').click();
  await page.getByRole('radio', { name: /^NDJSON/ }).check({ force: true });
  const [download] = await Promise.all([page.waitForEvent('download'), button(dialog(page, 'Export the audit log'), 'Export').click()]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { action: string; form_id: string }).form_id)).toEqual([form]);
});

itInBrowser('an owner changes the name of the workspace, and erases it once they have typed that name', async () => {
  const user = await asConsoleOwner('/console/settings');
  const { page, person, workspaceId } = user;
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('');
  await button(page, 'Save changes').click();
  await page.getByText('Enter a name.').waitFor();
  await name.fill(`Research ${markup}`);
  await page.getByRole('textbox', { name: 'New slug' }).fill('www');
  await button(page, 'Save changes').click();
  await page.getByRole('alert').getByText('slug').waitFor();
  expect(user.problems.take()).toEqual([expect.stringMatching(/^400: .*\/app\/v1\/workspaces\//)]);
  await page.getByRole('textbox', { name: 'New slug' }).fill('');
  await button(page, 'Save changes').click();
  await button(page, /^Workspace: Research <img/).waitFor();

  const erase = button(page, 'Erase workspace');
  await erase.click();
  await closesByEscape(page, erase);
  await erase.click();
  const asking = page.getByRole('dialog');
  await asking.getByRole('textbox').fill(`Research ${markup}`);
  await isAccessible(user, 'erase-workspace');
  await button(asking, 'Erase workspace').click();
  await page.waitForURL('**/console/forms');
  await eventually(async () => {
    const { body } = await person.get('/api/v1/workspaces');
    expect((body as { data: { id: string }[] }).data.map(({ id }) => id)).not.toContain(workspaceId);
  });
});

describe('Every section is accessible', () => {
  itInBrowser('of the workspace', async () => {
    const user = await asConsoleOwner();
    const { page, person, workspaceId } = user;
    await person.post(`/app/v1/workspaces/${workspaceId}/members`, { email: `${randomUUID()}@example.org`, role: 'editor', name: markup });
    await shows(user, 'general', button(page, 'Save changes'));
    await shows(user, 'members', page.getByText('Invited', { exact: true }));
    await shows(user, 'invitations', button(page, /^New link/));
    await shows(user, 'webhooks', page.getByText('Send submissions to other applications'));
  });

  itInBrowser('of the instance', async () => {
    const user = await asConsoleOwner();
    const { page } = user;
    await shows(user, 'service-accounts', button(page, 'New service account'));
    await shows(user, 'webhook-keys', page.getByText('Signs now'));
    await shows(user, 'instance-webhooks', button(page, 'How to verify'));
    await shows(user, 'erasures', page.getByText('Each part of Sheaf'));
    await shows(user, 'retention', button(page, 'Save retention'));
  });

  itInBrowser('with its dialogs', async () => {
    const user = await asConsoleOwner();
    const { page } = user;
    for (const [section, name] of [
      ['members', 'Add member'],
      ['service-accounts', 'New service account'],
      ['webhook-keys', 'Rotate keys'],
    ] as const) {
      await user.open(`/console/settings/${section}`);
      await button(page, name).click();
      await page.getByRole('dialog').waitFor();
      await isAccessible(user, `${section}-dialog`);
      await closesByEscape(page, button(page, name));
    }
  });
});

async function shows(user: ConsoleUser, section: string, content: Locator): Promise<void> {
  await user.open(`/console/settings/${section}`);
  await content.first().waitFor();
  await isAccessible(user, section);
}
