import { randomUUID } from 'node:crypto';
import { type BrowserUser } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import { itInBrowser } from '../../support/browser';
import { asConsoleMember, asConsoleOwner, asVisitor } from '../../support/console';
import { tooWide } from '../../support/criteria';
import * as given from '../../support/given';
import { sheafJson } from '../../support/operator';
import { acceptedInvitation, anyone, asOwnerSignedIn, credentials, password } from '../../support/people';

/** Everything that a script of the page could read and keep. */
const readable = (page: Page) =>
  page.evaluate<string>('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, location.href])');

/** Pages ask who is signed in, and hear that nobody is. */
const expectOnlySignedOut = ({ problems }: BrowserUser) => {
  for (const problem of problems.take()) expect(problem).toMatch(/^401: /);
};

async function invitation(role = 'editor'): Promise<{ email: string; path: string }> {
  const owner = await asOwnerSignedIn();
  const email = `invited-${randomUUID()}@example.org`;
  const { body } = await owner.post(`/app/v1/workspaces/${credentials.workspace_id}/members`, { email, role });
  return { email, path: new URL((body as { invitation_url: string }).invitation_url).pathname };
}

const signIn = async (page: Page, email: string, secret: string) => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

itInBrowser('somebody who knows forms skips the tour, and it stays away', async () => {
  const { page } = await asConsoleOwner('/console/forms');
  await page.getByRole('button', { name: 'Skip the tour' }).click();
  await page.getByRole('heading', { name: 'No forms yet' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'No forms yet' }).waitFor();
  expect(await page.getByRole('region', { name: 'First steps' }).count()).toBe(0);
});

describe('Signing in', () => {
  itInBrowser('with a wrong password keeps the address, and says no more than that one of the two is wrong', async () => {
    const { email } = await acceptedInvitation('editor');
    const user = await asVisitor();
    await user.page.waitForURL(/\/console\/sign-in/);
    await signIn(user.page, email, 'not the password');
    await user.page.getByRole('alert').getByText('The email or the password is wrong.').waitFor();
    expect(await user.page.getByLabel('Email').inputValue()).toBe(email);
    expect(await user.accessibilityFaults()).toEqual([]);
    expect(user.problems.take()).toContainEqual(expect.stringMatching(/^401: .*sessions$/));

    await signIn(user.page, email, password);
    await user.page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
  });

  itInBrowser('too often says when to try again', async () => {
    const user = await asVisitor('/console/sign-in');
    // The system counts failures by address for minutes, which would stop other tests; its answer is described in the API.
    const refusal = { error: { code: 'too_many_requests', message: 'Too many failed attempts.' } };
    await user.page.route('**/app/v1/sessions', (route) =>
      route.fulfill({ status: 429, headers: { 'retry-after': '42' }, contentType: 'application/json', body: JSON.stringify(refusal) }),
    );
    await signIn(user.page, 'ada@example.org', password);
    await user.page.getByText('Too many failed attempts. Try again in 42 seconds.').waitFor({ timeout: 20_000 });
    user.problems.take();
  });

  itInBrowser('leads to the page that was asked for, and never to another site', async () => {
    const { email } = await acceptedInvitation('editor');
    const form = await given.publishedForm({ title: 'Asked for' });
    const user = await asVisitor(`/console/forms/${form}/settings`);
    await signIn(user.page, email, password);
    await user.page.waitForURL(`**/console/forms/${form}/settings`);

    for (const to of ['https://evil.example/console/', '//evil.example/console/']) {
      await user.context.clearCookies();
      await user.page.goto(`/console/sign-in?to=${encodeURIComponent(to)}`);
      await signIn(user.page, email, password);
      await user.page.waitForURL('**/console/forms');
    }
    expectOnlySignedOut(user);
  });

  itInBrowser('with the link of an operator asks for a password, which is not needed', async () => {
    const email = `linked-${randomUUID()}@example.org`;
    const run = (...args: string[]) =>
      sheafJson<{ sign_in_url: string }>(process.env.E2E_DATA_DIR ?? '', ...args, '--instance', credentials.workspace_id);
    await run('workspaces', 'create', '--name', 'Linked', '--owner', email);
    const address = new URL((await run('users', 'sign-in-link', '--email', email)).sign_in_url);
    const user = await asVisitor(address.pathname + address.hash);
    const { page } = user;
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor();
    expect(await readable(page)).not.toContain(address.hash.slice(6));
    expect(await user.accessibilityFaults()).toEqual([]);
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('Choose a password of at least 12 characters.').waitFor();
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByRole('region', { name: 'First steps' }).waitFor();

    await user.context.clearCookies();
    // From another page, because a new fragment alone loads nothing.
    await page.goto('about:blank');
    await page.goto(address.href);
    await page.getByText(/^This link has been used already/).waitFor();
    user.problems.take();
    await signIn(page, email, password);
    await page.getByRole('region', { name: 'First steps' }).waitFor();
  });
});

describe('An invitation', () => {
  itInBrowser('that was used says so, also in German, in the dark and on a phone', async () => {
    const { path } = await invitation();
    await anyone.post(`/app/v1${path}`, { name: 'Grace', password });
    const user = await asVisitor(path, { dark: true, width: 320, locale: 'de' });
    await user.page.getByRole('heading', { name: 'Diese Einladung gilt nicht mehr' }).waitFor();
    expect(await user.accessibilityFaults()).toEqual([]);
    expect(await tooWide(user.page)).toEqual([]);
    expect(user.problems.take()).toEqual([expect.stringMatching(/^404: .*invitations/)]);
  });

  itInBrowser('tells somebody who is signed in that it will sign them in as another person', async () => {
    const { path } = await invitation();
    const { page } = await asConsoleMember('viewer', path);
    await page.getByText(/^The viewer is signed in here\./).waitFor();
    await page.getByLabel('Your name').fill('Another one');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByRole('button', { name: 'Your account: Another one' }).waitFor();
  });
});
