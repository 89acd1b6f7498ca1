import { eventually } from '@sheaf/testing';
import { asRespondent, itInBrowser } from '../../support/browser';
import { asConsoleOwner, type ConsoleUser } from '../../support/console';
import * as given from '../../support/given';
import { acceptedInvitation } from '../../support/people';
const button = ({ page }: ConsoleUser, name: string | RegExp) => page.getByRole('button', { name });
const says = ({ page }: ConsoleUser, text: string | RegExp) => page.getByText(text).first().waitFor();

/** An owner with a published form, on its page *Share*. */
async function atShare(options: Parameters<typeof given.publishedForm>[0] = {}, browser: Parameters<typeof asConsoleOwner>[1] = {}) {
  const owner = await asConsoleOwner(undefined, browser);
  const form = await given.publishedForm({ title: 'Visit survey', ...options }, owner.person);
  await owner.open(`/console/forms/${form}/share`);
  await owner.page.getByRole('heading', { name: 'After sending' }).waitFor();
  return { owner, form };
}

describe('a person who shares a form', () => {
  itInBrowser('closes it, whereupon respondents see its page closed, and opens it again by Undo', async () => {
    const { owner, form } = await atShare();
    const respondent = await asRespondent();
    const seen = async () => {
      await respondent.open(`/f/${form}`);
      return respondent.page.locator('main').innerText();
    };
    await says(owner, 'Respondents can send the form right now.');
    expect(await seen()).toContain('Your name');

    await button(owner, 'Close form').click();
    await says(owner, 'The form is disabled, so it takes no submissions.');
    await eventually(async () => expect(await seen()).not.toContain('Your name'));

    await button(owner, 'Undo').click();
    await says(owner, 'Respondents can send the form right now.');
    await eventually(async () => expect(await seen()).toContain('Your name'));
  });

  itInBrowser('gives somebody a role on it, changes and revokes it', async () => {
    const { owner, form } = await atShare();
    const { page } = owner;
    const { email, person } = await acceptedInvitation('viewer');
    const role = async () => {
      const { status, body } = await person.get(`/app/v1/forms/${form}`);
      return status === 200 ? (body as { role: string }).role : 'none';
    };
    expect(await role()).toBe('none');

    await button(owner, 'Add person').click();
    await page.getByLabel('Email').fill('nobody@example.org');
    await button(owner, 'Give access').click();
    await says(owner, 'Is not the address of a person in this instance.');
    owner.problems.take();
    await page.getByLabel('Email').fill(email);
    await button(owner, 'Give access').click();
    await page.getByRole('cell', { name: email }).waitFor();
    await eventually(async () => expect(await role()).toBe('viewer'));

    await button(owner, /Role of The viewer/).click();
    await page.getByRole('option', { name: 'Editor' }).click();
    await eventually(async () => expect(await role()).toBe('editor'));

    await button(owner, 'Revoke access of The viewer').click();
    await says(owner, 'The form is shared with nobody beyond the workspace.');
    await eventually(async () => expect(await role()).toBe('none'));
    await button(owner, 'Undo').last().click();
    await page.getByRole('cell', { name: email }).waitFor();
    await eventually(async () => expect(await role()).toBe('editor'));
  });
});
