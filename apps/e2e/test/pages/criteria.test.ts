import { eventually } from '@sheaf/testing';
import {
  expectNoFaults,
  expectNothingCutOff,
  expectOnePlaceOfHelp,
  expectVisibleStops,
  lookedAt,
  type Seen,
} from '../../support/accessible';
import { formsWithEverything, type Forms } from '../../support/all-states';
import { asRespondent, itInBrowser } from '../../support/browser';
import * as given from '../../support/given';
import { answer, textFile } from '../../support/hosted-form';

// The criteria of WCAG that axe can check, and those that it cannot: in one walk through all pages, and by keyboard.

let forms: Forms;
beforeAll(async () => {
  forms = await formsWithEverything();
});

describe('on a phone, in Arabic', () => {
  let walk: Promise<Seen[]> | undefined;
  const seen = () => (walk ??= lookedAt(forms, { width: 320, locale: 'ar' }));

  itInBrowser('axe finds nothing wrong with any page, and none scrolls sideways', async () => expectNoFaults(await seen()));
  itInBrowser('text that a reader spaces out is not cut off', async () => expectNothingCutOff(await seen()));
  itInBrowser('each control that Tab comes to is visible and marked', async () => expectVisibleStops(await seen()));
  itInBrowser('help is at the same place of each page of a form', async () => expectOnePlaceOfHelp(await seen()));
});

itInBrowser('a screen reader hears how many characters are left, without a move of the focus', async () => {
  const { page } = await asRespondent();
  await page.goto(`/f/${forms.open}`);
  const status = page.locator('[data-key=story]').locator('[role=status], [aria-live=polite]');
  await page.locator('#f-story').pressSequentially('x'.repeat(35));
  await eventually(async () => expect(await status.innerText()).toMatch(/5/));
  expect(await page.locator('#f-story:focus').count()).toBe(1);
});

itInBrowser('a screen reader hears first what is wrong', async () => {
  const { page } = await asRespondent();
  await page.goto(`/f/${forms.open}`);
  await Promise.all([page.waitForEvent('load'), page.locator('button.primary').click()]);
  const summary = page.locator('[role=alert], main :focus').filter({ has: page.getByRole('heading', { name: 'There is a problem' }) });
  await summary.first().waitFor();
});

describe('with the keyboard alone', () => {
  itInBrowser.each([true, false])('a respondent fills in and sends the whole form (scripts: %s)', async (javaScript) => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${forms.open}`);
    const { keyboard } = page;
    page.once('filechooser', (chooser) => void chooser.setFiles([textFile('by-keyboard.txt')]));
    const focused = page.locator(':focus');
    /** Presses Tab until the focus is on an element that matches. */
    const tabTo = async (selector: string) => {
      for (let count = 0; count < 60; count++) {
        await keyboard.press('Tab');
        if ((await page.locator(`:is(${selector}):focus`).count()) > 0) return;
      }
      throw new Error(
        `Tab did not come to ${selector}, but to ${await focused.evaluate<string, unknown>('(element) => element.outerHTML')}`,
      );
    };

    await tabTo('#f-name');
    await keyboard.type('Ada');
    await tabTo('#f-story');
    await keyboard.type('One');
    await keyboard.press('Enter');
    await keyboard.type('two');
    await tabTo('#f-stars, #f-stars-2, #f-stars-3');
    await keyboard.press('Space');
    await keyboard.press('ArrowRight');
    await tabTo('#f-member');
    await keyboard.press('Space');
    await tabTo('#f-country');
    await keyboard.type('b');
    await tabTo('#f-some');
    await keyboard.press('Space');
    await tabTo('#f-cv');
    const chosen = page.waitForEvent('filechooser');
    await keyboard.press('Enter');
    await chosen;
    await tabTo('#f-terms');
    await keyboard.press('Space');
    await tabTo('button[value=continue]');
    await Promise.all([page.waitForEvent('load'), keyboard.press('Enter')]);
    await tabTo('#f-more');
    await keyboard.type('No');
    await tabTo('button[value=continue]');
    await Promise.all([page.waitForEvent('load'), keyboard.press('Enter')]);
    await tabTo('button[value=send]');
    await Promise.all([page.waitForEvent('load'), keyboard.press('Space')]);

    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const [stored] = await given.submissionsOf(forms.open);
    expect(await given.fileNames(forms.open, stored?.data.cv)).toEqual(['by-keyboard.txt']);
    expect(stored?.data).toMatchObject({
      name: 'Ada',
      story: 'One\ntwo',
      stars: 2,
      member: true,
      country: 'b',
      some: ['one'],
      terms: true,
      more: 'No',
    });
  });

  itInBrowser('Enter in a text field goes on, and neither back nor to another button', async () => {
    const short = await given.publishedForm({
      fields: [
        { key: 'cv', label: 'Your CV', type: 'file' },
        { key: 'name', label: 'Your name', type: 'short_text', required: true },
        { type: 'page', label: 'More' },
        { key: 'city', label: 'Your city', type: 'short_text' },
      ],
      settings: { resume: { days: 1 } },
    });
    const { page } = await asRespondent({ javaScript: false });
    const enter = () => Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    await page.goto(`/f/${short}`);
    await answer(page, { cv: [textFile('cv.txt')] });
    await page.locator('#f-name').focus();
    await enter();
    expect(await page.locator('[data-key=cv]').innerText()).toContain('cv.txt');
    await page.locator('#f-name').fill('Ada');
    await enter();
    await page.locator('#f-city').fill('London');
    await enter();
    expect(await page.locator('h1').innerText()).toBe('Check your answers');
    expect(await page.locator('main').innerText()).toMatch(/cv\.txt[^]*Ada[^]*London/);
  });
});
