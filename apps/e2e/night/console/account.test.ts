import type { Locator, Page } from 'playwright-core';
import { eventually } from '@sheaf/testing';
import { itInBrowser } from '../../support/browser';
import { asConsoleOwner, asVisitor, type ConsoleUser } from '../../support/console';
import { anyone, password } from '../../support/people';
import type { BrowserUser, BrowserUserOptions } from '@sheaf/testing';
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
    await user.screenshot(`account-${name}-${colorScheme}-${width}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1_280, height: 800 });
}

itInBrowser('one session among several is ended by itself', async () => {
  const user = await asConsoleOwner();
  const phone = await elsewhere(user, '/console/account/appearance', { width: 400 });
  await user.open('/console/account/sessions');
  const ends = button(user.page, /^End the session:/);
  await ends.first().waitFor();
  const before = await ends.count();
  // The newest is first after the one of this page.
  await ends.first().click();
  await user.page.getByText('Session ended.').waitFor();
  await eventually(async () => expect(await ends.count()).toBe(before - 1));
  await phone.page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  phone.problems.take();
});

itInBrowser('a new password needs the current one, and keeps what was typed if that is wrong', async () => {
  const user = await asConsoleOwner('/console/account/password');
  const { page } = user;
  const [current, next] = [page.getByLabel('Current password'), page.getByLabel('New password')];
  await next.fill('short');
  await button(page, 'Change password').click();
  await page.getByText('Use 12 to 200 characters.').waitFor();
  await page.getByText('Enter your current password.').waitFor();
  await current.fill('not the password');
  await next.fill('another good long password');
  await button(page, 'Change password').click();
  await page.getByRole('alert').getByText('is not your password').waitFor();
  expect(user.problems.take()).toEqual([expect.stringMatching(/^400: /)]);
  expect(await next.inputValue()).toBe('another good long password');
  await current.fill(password);
  await button(page, 'Change password').click();
  await page.getByText('Password changed.').waitFor();
  const signIn = async (secret: string) => (await anyone.post('/app/v1/sessions', { email: user.email, password: secret })).status;
  expect([await signIn(password), await signIn('another good long password')]).toEqual([401, 201]);
});

itInBrowser('the language and the theme that a person chose are there on their next device', async () => {
  const user = await asConsoleOwner('/console/account/appearance');
  const kept = user.page.waitForResponse((response) => response.url().includes('/preferences/') && response.ok());
  await user.page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await kept;
  const again = user.page.waitForResponse((response) => response.url().includes('/preferences/') && response.ok());
  await user.page.getByRole('radio', { name: 'Deutsch' }).check({ force: true });
  await again;
  await user.page.getByRole('heading', { name: 'Darstellung' }).waitFor();
  await user.screenshot('account-appearance-de');

  const laptop = await elsewhere(user, '/console/account/appearance');
  await laptop.page.getByRole('radio', { name: 'Dunkel', checked: true }).waitFor();
  await eventually(async () =>
    expect(await laptop.page.evaluate<string[]>('[document.documentElement.lang, document.documentElement.style.colorScheme]')).toEqual([
      'de',
      'dark',
    ]),
  );
});

itInBrowser('every section is accessible', async () => {
  const user = await asConsoleOwner();
  const { page } = user;
  const sections: [section: string, isShown: Locator][] = [
    ['profile', button(page, 'Erase my account')],
    ['password', button(page, 'Change password')],
    ['sessions', page.getByText('This device')],
    ['api-keys', page.getByText('No keys yet')],
    ['appearance', page.getByRole('radio', { name: 'Deutsch' })],
  ];
  for (const [section, isShown] of sections) {
    await user.open(`/console/account/${section}`);
    await isShown.first().waitFor();
    await isAccessible(user, section);
  }
});
