import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { eventually, hasFocus } from '@sheaf/testing';
import { itInBrowser } from '../../support/browser';
import { asConsoleOwner } from '../../support/console';
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
  await hasFocus(opener);
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
    await page.getByRole('heading', { name: '1 found' }).waitFor({ timeout: 20_000 });
  });
  await row(page, 'Visits').getByText(email).waitFor();
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
  await closesByEscape(page, erasure);
});
