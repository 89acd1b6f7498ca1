import type { Locator, Page } from 'playwright-core';
import { eventually, hasFocus } from '@sheaf/testing';
import { itInBrowser } from '../../support/browser';
import { asConsoleOwner, asVisitor, type ConsoleUser } from '../../support/console';
import { anyone, password } from '../../support/people';
import type { BrowserUser, BrowserUserOptions } from '@sheaf/testing';

const markup = '<img src=x onerror=alert(1)>';
const button = (place: Page | Locator, name: string | RegExp) => place.getByRole('button', { name });

/** The same person at another device, signed in by the page for it. */
async function elsewhere({ email }: ConsoleUser, path: string, options: BrowserUserOptions = {}): Promise<BrowserUser> {
  const user = await asVisitor(path, options);
  await user.page.getByRole('textbox', { name: 'Email' }).fill(email);
  await user.page.getByRole('textbox', { name: 'Password' }).fill(password);
  await button(user.page, 'Sign in').click();
  await user.page.waitForURL(`**${path}`);
  // Asked before it was signed in, the server says so.
  user.problems.take();
  return user;
}

itInBrowser('a session that was ended elsewhere asks to sign in again, and nothing typed is lost', async () => {
  const user = await asConsoleOwner();
  const laptop = await elsewhere(user, '/console/account/profile');
  const name = laptop.page.getByRole('textbox', { name: 'Name' });
  await name.fill(`Ada ${markup}`);

  await user.open('/console/account/sessions');
  await user.page.getByText('This device').waitFor();
  const others = user.page.getByRole('row').filter({ hasNotText: 'This device' });
  await others.getByText('Chrome on Linux').first().waitFor();
  const end = button(user.page, 'End all others');
  await end.click();
  await user.page.keyboard.press('Escape');
  await hasFocus(end);
  await end.click();
  await button(user.page.getByRole('dialog'), 'End all others').click();
  await user.page.getByText('All other sessions have ended.').waitFor();

  // Nothing has to be pressed: the page hears of it.
  const again = laptop.page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByRole('textbox', { name: 'Password' }).fill(password);
  await button(again, 'Sign in').click();
  await again.waitFor({ state: 'hidden' });
  expect(laptop.problems.take()).not.toEqual([]);
  expect(await name.inputValue()).toBe(`Ada ${markup}`);
  await button(laptop.page, 'Save profile').click();
  await laptop.page.getByText('Profile saved.').waitFor();
  await button(laptop.page, `Your account: Ada ${markup}`).waitFor();
});

itInBrowser('an API key is shown once, works, and is refused once it is revoked', async () => {
  const user = await asConsoleOwner('/console/account/api-keys');
  const { page } = user;
  await page.getByText('No keys yet').waitFor();
  const create = button(page, 'New API key');
  await create.click();
  const creating = page.getByRole('dialog', { name: 'New API key' });
  await creating.getByRole('textbox', { name: 'Name' }).fill(`Backup ${markup}`);
  await button(creating, 'Create API key').click();
  const key = (await creating.getByRole('region', { name: 'Key' }).textContent()) ?? '';
  await page.keyboard.press('Escape');
  await hasFocus(create);
  const status = async () => (await anyone.with(key).get('/api/v1/auth/me')).status;
  expect(await status()).toBe(200);
  await page.getByRole('cell', { name: `Backup ${markup}`, exact: true }).waitFor();
  expect(await page.content()).not.toContain(key);
  expect(await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])')).not.toContain(key);

  await button(page, `Revoke: Backup ${markup}`).click();
  await button(page, 'Revoke key').click();
  await page.getByText('No keys yet').waitFor();
  await eventually(async () => expect(await status()).toBe(401));
});

itInBrowser('somebody erases their own account with its address and their password', async () => {
  const user = await asConsoleOwner();
  const { page, person, workspaceId } = user;
  await user.open('/console/account');
  const erase = button(page, 'Erase my account');
  await erase.click();
  await page.keyboard.press('Escape');
  await hasFocus(erase);
  await erase.click();
  const asking = page.getByRole('dialog');
  await asking.getByLabel(/^Type/).fill(user.email);
  await asking.getByLabel('Password').fill(password);
  await button(asking, 'Erase my account').click();
  // The workspace must have an owner.
  await asking.getByRole('alert').waitFor();
  expect(user.problems.take()).toEqual([expect.stringMatching(/^409: /)]);
  await person.delete(`/app/v1/workspaces/${workspaceId}?forever=true`);
  await button(asking, 'Erase my account').click();
  await page.waitForURL('**/console/sign-in');
  user.problems.take();
  const { status } = await anyone.post('/app/v1/sessions', { email: user.email, password });
  expect(status).toBe(401);
});
