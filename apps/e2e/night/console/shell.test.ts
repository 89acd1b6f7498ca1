import { eventually, hasFocus } from '@sheaf/testing';
import { itInBrowser } from '../../support/browser';
import { asConsoleMember, asConsoleOwner, asVisitor } from '../../support/console';
import * as given from '../../support/given';
import { credentials, password } from '../../support/people';

/** The answer to a browser without a session when the console asks who is signed in. */
const notSignedIn = expect.stringMatching(/^401: .*\/app\/v1\/sessions\/current$/) as string;

describe('signing in', () => {
  itInBrowser('leads to the page that was asked for, and stores nothing that a script can read', async () => {
    const visitor = await asVisitor('/console/audit-log');
    const { page, context } = visitor;
    await page.getByLabel('Email').fill(credentials.user.email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The email or the password is wrong.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(credentials.user.email);
    expect(visitor.problems.take()).toEqual([notSignedIn, expect.stringMatching(/^401: .*\/sessions$/)]);

    await page.getByLabel('Password').fill(credentials.user.password);
    await page.getByLabel('Password').press('Enter');
    await page.waitForURL('**/console/audit-log');
    await page.getByRole('link', { name: 'Audit log' }).waitFor();
    const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
    const session = (await context.cookies()).find(({ name }) => name.includes('session'));
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    expect(stored).not.toContain(session?.value ?? '');
    expect(stored).not.toContain(credentials.user.password);
  });

  itInBrowser('never leads to another site', async () => {
    const visitor = await asVisitor('/console/sign-in?to=https%3A%2F%2Fevil.example%2F');
    await visitor.page.getByLabel('Email').fill(credentials.user.email);
    await visitor.page.getByLabel('Password').fill(credentials.user.password);
    await visitor.page.getByRole('button', { name: 'Sign in' }).click();
    await visitor.page.waitForURL('**/console/forms');
    visitor.problems.take();
  });

  itInBrowser('is accessible, light and dark, on a screen of 320 px', async () => {
    for (const dark of [false, true]) {
      const visitor = await asVisitor('/console/sign-in', { dark, width: 320 });
      await visitor.page.getByLabel('Email').waitFor();
      expect(await visitor.accessibilityFaults()).toEqual([]);
      await visitor.screenshot('console-sign-in');
      visitor.problems.take();
    }
  });
});

describe('a session that was ended elsewhere', () => {
  itInBrowser('asks to sign in again over the page, which goes on with what was typed', async () => {
    const owner = await asConsoleOwner('/console/forms');
    const { page } = owner;
    await page.getByRole('button', { name: /^Workspace: / }).click();
    await page.getByRole('menuitem', { name: 'New workspace' }).click();
    await page.getByLabel('Name').fill('Kept while signed out');
    await page.context().request.delete('/app/v1/sessions/current', { headers: { origin: new URL(page.url()).origin } });
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('Kept while signed out');
    owner.problems.take();
  });
});

describe('the way around', () => {
  itInBrowser('by keyboard: Ctrl K finds a form by its title, and Escape brings the focus back', async () => {
    const owner = await asConsoleOwner();
    await given.publishedForm({ title: 'Quarterly <b>survey</b>' }, owner.person);
    await owner.open('/console/settings');
    const { page } = owner;
    await page.getByRole('link', { name: 'Settings' }).focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search or jump to' }).waitFor();
    expect(await owner.accessibilityFaults()).toEqual([]);
    await page.keyboard.press('Escape');
    await hasFocus(page.getByRole('link', { name: 'Settings' }));

    await page.keyboard.press('Control+k');
    await hasFocus(page.getByRole('dialog', { name: 'Search or jump to' }).getByRole('searchbox'));
    await page.keyboard.type('quarterly');
    await page.getByRole('menuitem', { name: 'Quarterly <b>survey</b>' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Quarterly <b>survey</b>' }).waitFor();

    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await owner.accessibilityFaults()).toEqual([]);
    await page.keyboard.press('Escape');
  });

  itInBrowser('on a phone behind a button, and in German', async () => {
    const viewer = await asConsoleMember('viewer', '/console/settings', { width: 320, locale: 'de-DE', dark: true });
    const { page } = viewer;
    await page.getByRole('button', { name: 'Navigation öffnen' }).click();
    await page.getByRole('link', { name: 'Formulare' }).waitFor();
    await eventually(async () =>
      expect(await page.evaluate('[document.documentElement.lang, document.documentElement.scrollWidth]')).toEqual(['de', 320]),
    );
    expect(await viewer.accessibilityFaults()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Formulare' }).waitFor({ state: 'hidden' });
  });

  itInBrowser('an address that leads nowhere says so', async () => {
    const viewer = await asConsoleMember('viewer', '/console/forms/01900000-0000-7000-8000-000000000000/build');
    await viewer.page.getByText('Page not found').waitFor();
    expect(viewer.problems.take()).not.toEqual([]);
  });

  itInBrowser('keeps the theme that a person chose', async () => {
    const viewer = await asConsoleMember('viewer', '/console/settings');
    const background = () => viewer.page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await viewer.page.getByRole('button', { name: /^Your account/ }).click();
    await viewer.page.getByRole('menuitem', { name: 'Dark' }).click();
    await eventually(async () => expect(await background()).not.toBe(light));
    await viewer.page.reload();
    await viewer.page.getByRole('link', { name: 'Forms' }).waitFor();
    await eventually(async () => expect(await background()).not.toBe(light));
  });
});
