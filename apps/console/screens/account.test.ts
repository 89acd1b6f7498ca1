import { eventually, hasFocus } from '@sheaf/testing';
import type { Locator, Page } from 'playwright-core';
import { account, at, keys, list, me, session, sessions } from './answers/account';
import { ada, idOf, listOf, markup, sessionOf, then } from './answers/people';
import { onScreen, onScreens } from './support/on-screens';
import { refused } from './support/recorded-server';

const open = onScreens();
const button = (place: Page | Locator, name: string | RegExp) => place.getByRole('button', { name });

onScreen('sessions end one by one, or all others at once after a question', async () => {
  const { page, server } = await open(at('sessions'), account);
  await page.getByText('This device').waitFor();
  const others = page.getByRole('row').filter({ hasNotText: 'This device' });
  await others.getByText('Chrome on Linux').first().waitFor();
  const ends = button(page, /^End the session:/);
  server.set({ [`DELETE /app/v1/sessions/${idOf(12, 2)}`]: undefined, [list]: sessions(session(1, true), session(3)) });
  await ends.first().click();
  await page.getByText('Session ended.').waitFor();
  await eventually(async () => expect(await ends.count()).toBe(1));

  const end = button(page, 'End all others');
  await end.click();
  await page.keyboard.press('Escape');
  await hasFocus(end);
  expect(server.asked('DELETE /app/v1/sessions')).toEqual([]);
  await end.click();
  server.set({ 'DELETE /app/v1/sessions': undefined, [list]: sessions(session(1, true)) });
  await button(page.getByRole('dialog'), 'End all others').click();
  await page.getByText('All other sessions have ended.').waitFor();
});

onScreen('a name is changed, also one with markup', async () => {
  const { page, server } = await open(at('profile'), account);
  const name = `Ada ${markup}`;
  server.set({
    'PATCH /app/v1/me': me({ name }),
    'GET /app/v1/me': me({ name }),
    'GET /app/v1/sessions/current': sessionOf('owner', { name }),
  });
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await button(page, 'Save profile').click();
  await page.getByText('Profile saved.').waitFor();
  await button(page, `Your account: ${name}`).waitFor();
  await eventually(() => expect(server.sent('PATCH /app/v1/me')).toMatchObject([{ name }]));
});

onScreen('an API key is shown once, and revoked', async () => {
  const screen = await open(at('api-keys'), account);
  const { page, server } = screen;
  const secret = 'shf_u_Q53FwrfwCBEk5eqhlfjeMhu38bh2QxeCsnRVy2pJGRR1KHoAU';
  const made = { id: idOf(13), name: `Backup ${markup}`, prefix: 'shf_u_Q53Fwr', created_at: then, expires_at: '2099-01-01T00:00:00.000Z' };
  await page.getByText('No keys yet').waitFor();
  const create = button(page, 'New API key');
  await create.click();
  const creating = page.getByRole('dialog', { name: 'New API key' });
  await creating.getByRole('textbox', { name: 'Name' }).fill(made.name);
  server.set({ 'POST /app/v1/api-keys': { ...made, key: secret }, [keys]: listOf([made]) });
  await button(creating, 'Create API key').click();
  await creating.getByRole('region', { name: 'Key' }).getByText(secret).waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  await page.keyboard.press('Escape');
  await hasFocus(create);
  await page.getByRole('cell', { name: made.name, exact: true }).waitFor();
  expect(await page.content()).not.toContain(secret);
  expect(await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])')).not.toContain(secret);

  await button(page, `Revoke: ${made.name}`).click();
  server.set({ [`DELETE /app/v1/api-keys/${made.id}`]: undefined, [keys]: listOf([]) });
  await button(page, 'Revoke key').click();
  await page.getByText('No keys yet').waitFor();
});

onScreen('a new password needs the current one, and keeps what was typed if that is wrong', async () => {
  const screen = await open(at('password'), account);
  const { page, server } = screen;
  const [current, next] = [page.getByLabel('Current password'), page.getByLabel('New password')];
  await next.fill('short');
  await button(page, 'Change password').click();
  await page.getByText('Use 12 to 200 characters.').waitFor();
  await page.getByText('Enter your current password.').waitFor();
  expect(server.asked('PATCH /app/v1/me')).toEqual([]);
  server.set({ 'PATCH /app/v1/me': refused(400, 'bad_request', 'current_password: is not your password') });
  await current.fill('not the password');
  await next.fill('another good long password');
  await button(page, 'Change password').click();
  await page.getByRole('alert').getByText('is not your password').waitFor();
  expect(screen.problems.take()).toEqual([expect.stringMatching(/^400: /)]);
  expect(await next.inputValue()).toBe('another good long password');
  server.set({ 'PATCH /app/v1/me': me() });
  await current.fill('a good long password');
  await button(page, 'Change password').click();
  await page.getByText('Password changed.').waitFor();
  expect(server.sent('PATCH /app/v1/me').at(-1)).toEqual({
    password: 'another good long password',
    current_password: 'a good long password',
  });
});

onScreen('the language and the theme take effect at once, and are kept with the person', async () => {
  const put = 'PUT /app/v1/me/preferences/console.appearance';
  const { page, server } = await open(at('appearance'), {
    ...account,
    [put]: ({ body }: { body: { value: unknown } }) => ({ key: 'console.appearance', value: body.value }),
  });
  await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
  await eventually(() => expect(server.sent(put).at(-1)).toEqual({ value: { language: 'en', theme: 'dark' } }));
  await page.getByRole('radio', { name: 'Deutsch' }).check({ force: true });
  await page.getByRole('heading', { name: 'Darstellung' }).waitFor();
  await eventually(() => expect(server.sent(put).at(-1)).toEqual({ value: { language: 'de', theme: 'dark' } }));
});

onScreen('who signs in finds the appearance that they chose elsewhere', async () => {
  const screen = await open(at('appearance'), {
    ...account,
    'GET /app/v1/sessions/current': refused(401, 'authentication_required', 'Sign in.'),
    'GET /app/v1/me/preferences': { data: { 'console.appearance': { language: 'de', theme: 'dark' } } },
  });
  const { page, server } = screen;
  await page.getByLabel('Email').fill(ada.email);
  await page.getByLabel('Password').fill('a good long password');
  server.set({ 'POST /app/v1/sessions': sessionOf('owner'), 'GET /app/v1/sessions/current': sessionOf('owner') });
  await button(page, 'Sign in').click();
  await page.getByRole('radio', { name: 'Dunkel', checked: true }).waitFor();
  await eventually(async () =>
    expect(await page.evaluate<string[]>('[document.documentElement.lang, document.documentElement.style.colorScheme]')).toEqual([
      'de',
      'dark',
    ]),
  );
  screen.problems.take();
});

onScreen('an account is erased with its address and the password, unless a workspace would have no owner', async () => {
  const screen = await open(at('profile'), account);
  const { page, server } = screen;
  const erase = button(page, 'Erase my account');
  await erase.click();
  await page.keyboard.press('Escape');
  await hasFocus(erase);
  await erase.click();
  const asking = page.getByRole('dialog');
  await asking.getByLabel(/^Type/).fill(ada.email);
  await asking.getByLabel('Password').fill('a good long password');
  expect(await screen.accessibilityFaults()).toEqual([]);
  server.set({
    'DELETE /app/v1/me': refused(
      409,
      'conflict',
      'This person is the last owner of a workspace: Research. Make somebody else an owner first.',
    ),
  });
  await button(asking, 'Erase my account').click();
  await asking
    .getByRole('alert')
    .getByText(/Research/)
    .waitFor();
  expect(screen.problems.take()).toEqual([expect.stringMatching(/^409: /)]);
  server.set({
    'DELETE /app/v1/me': { erasure_id: idOf(9) },
    'GET /app/v1/sessions/current': refused(401, 'authentication_required', 'Sign in.'),
  });
  await button(asking, 'Erase my account').click();
  await page.waitForURL('**/console/sign-in');
  screen.problems.take();
});

// Those of the other sections are in night/looks.test.ts.
onScreen('the section profile can be read in the dark on a narrow screen', async () => {
  const screen = await open(at('profile'), account, { dark: true, width: 320 });
  await screen.page.getByText('Erase my account').first().waitFor();
  expect(await screen.accessibilityFaults()).toEqual([]);
  expect(await screen.page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
});
