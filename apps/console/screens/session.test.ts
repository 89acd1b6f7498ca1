import { markup, sessionOf } from './answers/people';
import { formsPage, listed } from './answers/forms';
import { onScreen, onScreens, type Screen } from './support/on-screens';
import { refused, type Answers } from './support/recorded-server';
import { eventually, hasFocus } from '@sheaf/testing';

const open = onScreens();
const notSignedIn = refused(401, 'authentication_required', 'This request needs an Authorization header with a key or a session.');
const nobody: Answers = { 'GET /app/v1/sessions/current': notSignedIn };
const password = 'a good long password';
const some = formsPage([listed(1, 'Site visit')]);

async function signIn({ page }: Screen, secret = password): Promise<void> {
  await page.getByLabel('Email').fill('ada@example.org');
  await page.getByLabel('Password').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
const expectOnly = ({ problems }: Screen, statuses: RegExp) => {
  for (const problem of problems.take()) expect(problem).toMatch(statuses);
};
const toSignedIn = { 'POST /app/v1/sessions': sessionOf('owner'), 'GET /app/v1/sessions/current': sessionOf('owner') };

describe('signing in', () => {
  onScreen('with a wrong password keeps the address, and says no more than that one of the two is wrong', async () => {
    const screen = await open('/console', {
      ...nobody,
      'POST /app/v1/sessions': refused(401, 'unauthorized', 'The credentials are not valid.'),
    });
    await signIn(screen, 'not the password');
    await screen.page.getByRole('alert').getByText('The email or the password is wrong.').waitFor();
    expect(await screen.page.getByLabel('Email').inputValue()).toBe('ada@example.org');
    expect(await screen.accessibilityFaults()).toEqual([]);
    expectOnly(screen, /^401: /);
  });

  onScreen('too often says when to try again', async () => {
    const tooMany = refused(429, 'too_many_requests', 'Too many failed attempts.', undefined, { 'retry-after': '42' });
    const screen = await open('/console/sign-in', { ...nobody, 'POST /app/v1/sessions': tooMany });
    await signIn(screen);
    await screen.page.getByText('Too many failed attempts. Try again in 42 seconds.').waitFor();
    expectOnly(screen, /^(?:401|429): /);
  });

  onScreen('leads to the page that was asked for, and never to another site', async () => {
    const screen = await open('/console/forms?view=archived', { ...nobody, ...some });
    await screen.page.getByLabel('Email').waitFor();
    screen.server.set(toSignedIn);
    await signIn(screen);
    await screen.page.waitForURL('**/console/forms?view=archived');
    await eventually(() =>
      expect(screen.server.sent('POST /app/v1/sessions')).toEqual([{ email: 'ada@example.org', password, cookie: true }]),
    );
    for (const to of ['https://evil.example/console/', '//evil.example/console/']) {
      screen.server.set(nobody);
      await screen.open(`/console/sign-in?to=${encodeURIComponent(to)}`);
      await screen.page.getByLabel('Email').waitFor();
      screen.server.set(toSignedIn);
      await signIn(screen);
      await screen.page.waitForURL('**/console/forms');
    }
    expectOnly(screen, /^401: /);
  });

  onScreen('is accessible in the dark on a screen of 320 px', async () => {
    const screen = await open('/console/sign-in', nobody, { dark: true, width: 320 });
    await screen.page.getByLabel('Email').waitFor();
    expect(await screen.accessibilityFaults()).toEqual([]);
    expectOnly(screen, /^401: /);
  });
});

describe('a session that was ended elsewhere', () => {
  onScreen('asks to sign in again over the page, which goes on with what was typed', async () => {
    const screen = await open('/console/forms', some);
    const { page, server } = screen;
    await page.getByRole('button', { name: /^Workspace: / }).click();
    await page.getByRole('menuitem', { name: 'New workspace' }).click();
    await page.getByLabel('Name').fill('Kept while signed out');
    server.set({ 'POST /app/v1/workspaces': notSignedIn });
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    server.set({ ...toSignedIn, 'POST /app/v1/sessions': sessionOf('owner') });
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    await eventually(async () => expect(await page.getByLabel('Name').inputValue()).toBe('Kept while signed out'));
    expectOnly(screen, /^401: /);
  });
});

describe('an invitation', () => {
  const invited = {
    email: 'grace@example.org',
    role: 'editor',
    expires_at: '2099-01-01T00:00:00.000Z',
    invited_by_name: `Ada ${markup}`,
    workspace: { name: 'Research' },
  };
  const path = '/invitations/0t7bmik2r10QDSVt9jrkIX2lYoLmqwcaCVpbD8IYOdM';

  onScreen('says who invites whom to what, asks for a name, and makes the person a member', async () => {
    const screen = await open(path, { ...nobody, ...some, [`GET /app/v1${path}`]: invited });
    const { page, server } = screen;
    await page.getByText(/invites you as an editor\./).waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(invited.email);
    expect(await screen.accessibilityFaults()).toEqual([]);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByText('Enter your name.').waitFor();
    expect(server.asked(`POST /app/v1${path}`)).toEqual([]);
    const session = sessionOf('editor', { name: 'Grace Hopper' });
    server.set({ [`POST /app/v1${path}`]: session, 'GET /app/v1/sessions/current': session });
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Your account: Grace Hopper' }).waitFor();
    await eventually(() => expect(server.sent(`POST /app/v1${path}`)).toEqual([{ name: 'Grace Hopper', password, cookie: true }]));
    expect(page.url()).not.toContain(path);
    expectOnly(screen, /^401: /);
  });

  onScreen('keeps the name that the sender wrote, until the invited person writes another', async () => {
    const screen = await open(path, { ...nobody, ...some, [`GET /app/v1${path}`]: { ...invited, name: 'Grace Hopper' } });
    const { page, server } = screen;
    const name = page.getByLabel('Your name');
    await name.waitFor();
    expect(await name.inputValue()).toBe('Grace Hopper');
    await hasFocus(page.getByLabel('Password'));
    const session = sessionOf('editor', { name: 'Grace Hopper' });
    server.set({ [`POST /app/v1${path}`]: session, 'GET /app/v1/sessions/current': session });
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Your account: Grace Hopper' }).waitFor();
    expect(server.sent(`POST /app/v1${path}`)).toEqual([{ name: 'Grace Hopper', password, cookie: true }]);
    expectOnly(screen, /^401: /);
  });

  onScreen('that was used says so, also in German, in the dark and on a phone', async () => {
    const gone = refused(404, 'not_found', 'There is no such invitation.');
    const screen = await open(path, { ...nobody, [`GET /app/v1${path}`]: gone }, { dark: true, width: 320, locale: 'de' });
    await screen.page.getByRole('heading', { name: 'Diese Einladung gilt nicht mehr' }).waitFor();
    expect(await screen.accessibilityFaults()).toEqual([]);
    expectOnly(screen, /^(?:401|404): /);
  });

  onScreen('tells somebody who is signed in that it will sign them in as another person', async () => {
    const { page } = await open(path, { [`GET /app/v1${path}`]: invited });
    await page.getByText(/^Ada Lovelace is signed in here\./).waitFor();
  });
});
