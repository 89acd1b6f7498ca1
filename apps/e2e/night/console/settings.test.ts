import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { eventually, hasFocus } from '@sheaf/testing';
import { itInBrowser } from '../../support/browser';
import { asConsoleMember, asConsoleOwner, type ConsoleUser } from '../../support/console';
import * as given from '../../support/given';

const markup = '<img src=x onerror=alert(1)>';

const button = (place: Page | Locator, name: string | RegExp) => place.getByRole('button', { name });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Closes the dialog by Escape, and expects the focus where it was. */
async function closesByEscape(page: Page, opener: Locator): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await hasFocus(opener);
}

/** Runs axe on the page as it is, wide and light, and dark at 320 px. */
async function isAccessible(user: ConsoleUser, name: string): Promise<void> {
  const { page } = user;
  // The announcement of a busy button stays for some seconds.
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
