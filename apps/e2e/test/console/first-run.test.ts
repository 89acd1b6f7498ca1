import { randomUUID } from 'node:crypto';
import { startSubscriber, type BrowserUser } from '@sheaf/testing';
import type { Page } from 'playwright-core';
import { itInBrowser } from '../../support/browser';
import { asConsoleOwner, asVisitor } from '../../support/console';
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

itInBrowser('a newcomer has a form, a submission and a webhook within ten minutes', async () => {
  const subscriber = await startSubscriber();
  try {
    const user = await asConsoleOwner('/console/forms');
    const { page } = user;
    const tour = page.getByRole('region', { name: 'First steps' });
    await tour.getByRole('button', { name: 'Contact us' }).waitFor();
    await tour.getByRole('button', { name: 'Contact us' }).click();

    const link = tour.getByRole('link', { name: 'Open the page of the form' });
    const [visit] = await Promise.all([page.waitForEvent('popup'), link.click()]);
    await visit.getByRole('heading', { name: 'Contact us' }).waitFor();
    const form = new URL(visit.url()).pathname.split('/').at(-1) ?? '';
    const data = { name: 'Ada', email: 'ada@example.org', subject: 'question', message: 'Are you open?', reply_by: 'email' };
    expect(await anyone.post(`/public/v1/forms/${form}/submissions`, { data })).toMatchObject({ status: 201 });

    await tour.getByLabel('Address of the webhook').fill(`${subscriber.url}/hook`);
    await tour.getByRole('button', { name: 'Add webhook and send a sample' }).click();
    await tour.getByText(/^It arrived: the receiver answered with 200/).waitFor();
    await subscriber.waitFor(1, ({ headers }) => headers['sheaf-test'] === '1');
    expect(await user.accessibilityFaults()).toEqual([]);
    await tour.getByRole('button', { name: 'Done' }).click();
    await tour.getByRole('link', { name: 'Go to the inbox' }).click();
    await page.waitForURL(/\/submissions/);

    await page.goto('/console/forms');
    await page.getByRole('row').filter({ hasText: '1 new' }).waitFor();
    expect(await tour.count()).toBe(0);
  } finally {
    await subscriber.close();
  }
});

describe('Signing in', () => {
  itInBrowser('leaves the session where no script can read it, and nothing secret anywhere else', async () => {
    const { email } = await acceptedInvitation('editor');
    const { page, context } = await asVisitor('/console/sign-in');
    await signIn(page, email, password);
    await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
    const cookies = await context.cookies();
    // The session, and the device, which strangers' failed attempts do not lock out.
    expect(cookies).toMatchObject([
      { name: 'sheaf_session', httpOnly: true, sameSite: 'Lax' },
      { name: 'sheaf_device', httpOnly: true, sameSite: 'Strict' },
    ]);
    const kept = await readable(page);
    for (const secret of [password, email, ...cookies.map(({ value }) => value)]) expect(kept).not.toContain(secret);
  });
});

describe('An invitation', () => {
  itInBrowser('says who invites whom to what, and makes the person a member', async () => {
    const { email, path } = await invitation();
    const user = await asVisitor(path);
    const { page } = user;
    await page.getByText(/invites you as an editor\./).waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByText('Enter your name.').waitFor();
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Your account: Grace Hopper' }).waitFor();
    expect(await readable(page)).not.toContain(path.split('/').at(-1));
    expectOnlySignedOut(user);
  });
});
