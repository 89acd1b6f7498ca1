import type { BrowserUser, BrowserUserOptions } from '@sheaf/testing';
import { eventually } from '@sheaf/testing';
import { asRespondent, itInBrowser } from '../../support/browser';
import { cutOffWhenSpaced, placeOfHelp, tabThrough, tooWide } from '../../support/criteria';
import * as given from '../../support/given';
import { answer, textFile } from '../../support/hosted-form';
import { asOwner } from '../../support/people';

const help = 'help@example.org';
const options = ['one', 'two', 'three'];

const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true, help: 'First and last name', autocomplete: 'name' },
  { key: 'story', label: 'Your story', type: 'long_text', max_length: 40 },
  { key: 'email', label: 'Your address', type: 'email', placeholder: 'ada@example.org' },
  { key: 'guests', label: 'Guests', type: 'integer', min: 0, max: 5 },
  { key: 'stars', label: 'How many stars?', type: 'rating' },
  { key: 'member', label: 'Are you a member?', type: 'boolean' },
  { type: 'section', label: 'A section with a long name that needs several lines on a narrow screen', help: 'And an explanation.' },
  { key: 'day', label: 'A day', type: 'date' },
  { key: 'time', label: 'A time', type: 'time' },
  { key: 'one', label: 'One of them', type: 'select', options },
  {
    key: 'country',
    label: 'A country',
    type: 'select',
    options: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'Averyveryverylongnamewithoutanyspaceatall'],
  },
  { key: 'some', label: 'Some of them', type: 'multi_select', options, max_choices: 2 },
  { key: 'cv', label: 'Your CV', type: 'file', multiple: true, accept: ['text/plain'], max_bytes: 1_000 },
  { type: 'statement', label: 'Almost done', help: 'Only one more page.' },
  { key: 'terms', label: 'I accept the terms', type: 'boolean', required: true, must_be_true: true },
  { type: 'page', label: 'The last page', help: 'With one question.' },
  { key: 'more', label: 'Anything else?', type: 'long_text' },
];
const settings = {
  description: 'This form has a question of each kind.\n\nIt takes five minutes.',
  thank_you: { text: 'See you there' },
  languages: ['en', 'de', 'ar', 'he'],
  default_language: 'en',
  theme: { accent: '#0f766e' },
  resume: { days: 3 },
  help_contact: { email: help, phone: '+43 1 234' },
  show_answers: true,
};

let form: string;
let closed: string;
beforeAll(async () => {
  form = await given.publishedForm({ title: 'A form with everything', fields, settings });
  closed = await given.publishedForm({ title: 'A closed form', fields, settings });
  await asOwner.patch(`/api/v1/forms/${closed}`, { closes_at: '2021-01-01T00:00:00Z' });
});

/** Goes through all states that a respondent can come to, and stops at each. */
async function visitStates({ page }: BrowserUser, onState: (name: string) => Promise<void>): Promise<void> {
  const press = async (value: string) => {
    await Promise.all([page.waitForEvent('load'), page.locator(`button[name=do][value="${value}"]:not([tabindex])`).click()]);
  };
  await page.goto(`/f/${form}`);
  await onState('questions');
  await answer(page, { email: 'ada@', guests: '9', some: options, cv: [textFile('notes.txt')], story: 'x'.repeat(60) });
  await press('continue');
  await onState('wrong-answers');
  await answer(page, {
    name: 'Ada Lovelace',
    email: 'ada@example.org',
    guests: '2',
    some: ['one'],
    story: 'Short',
    terms: true,
    one: 'two',
  });
  await press('continue');
  await onState('second-step');
  await answer(page, { more: 'A long answer\nwith two lines and averyveryverylongwordwithoutanyspaceatallthathastobreak' });
  await press('save');
  await onState('saved');
  await page.goto(`/f/${form}?lang=${(await page.locator('html').getAttribute('lang')) ?? 'en'}`);
  await answer(page, { name: 'Ada Lovelace', cv: [textFile('notes.txt')], terms: true });
  await press('continue');
  await press('continue');
  await onState('check');
  await press('send');
  await onState('receipt');
  await page.goto(`/f/${closed}`);
  await onState('closed');
  await page.goto('/f/no-such-form');
  await onState('not-found');
  await page.goto(`/f/${form}/resume/unknown`);
  await onState('nothing-saved');
}

const looks: [string, BrowserUserOptions][] = [
  ['on a desktop, in light colours', {}],
  ['on a phone, in dark colours, without scripts', { width: 320, dark: true, javaScript: false }],
  ['on a phone, in Arabic', { width: 320, locale: 'ar' }],
  ['on a desktop, in Hebrew, in dark colours', { dark: true, locale: 'he' }],
  ['on a phone, in light colours', { width: 320 }],
  ['on a desktop, in dark colours', { dark: true }],
];

describe.each(looks)('%s', (_look, options) => {
  itInBrowser(
    'axe finds nothing wrong with any page, and none scrolls sideways',
    async () => {
      const user = await asRespondent(options);
      await visitStates(user, async (state) => {
        await user.screenshot(state);
        expect({ state, tooWide: await tooWide(user.page) }).toEqual({ state, tooWide: [] });
        expect({ state, faults: await user.accessibilityFaults() }).toEqual({ state, faults: [] });
      });
    },
    120_000,
  );
});

itInBrowser.each([320, 1_024])('text that a reader spaces out is not cut off, %i pixels wide', async (width) => {
  const user = await asRespondent({ width });
  await visitStates(user, async (state) => {
    expect({ state, cutOff: await cutOffWhenSpaced(user.page) }).toEqual({ state, cutOff: [] });
  });
});

itInBrowser.each([320, 1_024])('each control that Tab comes to is visible and marked, %i pixels wide', async (width) => {
  const user = await asRespondent({ width, height: 480 });
  await visitStates(user, async (state) => {
    const stops = await tabThrough(user.page);
    // Only the page of a form that does not exist has nothing to press.
    expect({ state, isEmpty: stops.length === 0 }).toEqual({ state, isEmpty: state === 'not-found' });
    expect({ state, hidden: stops.filter(({ isObscured, isMarked }) => isObscured || !isMarked) }).toEqual({ state, hidden: [] });
  });
});

itInBrowser('help is at the same place of each page of a form', async () => {
  const user = await asRespondent();
  const places = new Map<string, string[]>();
  await visitStates(user, async (state) => {
    if (state === 'not-found') return;
    const place = await placeOfHelp(user.page, help);
    places.set(place, [...(places.get(place) ?? []), state]);
  });
  expect([...places.keys()]).toHaveLength(1);
  expect([...places.keys()]).not.toContain('nowhere');
});

itInBrowser('a screen reader hears how many characters are left, without a move of the focus', async () => {
  const { page } = await asRespondent();
  await page.goto(`/f/${form}`);
  const status = page.locator('[data-key=story]').locator('[role=status], [aria-live=polite]');
  await page.locator('#f-story').pressSequentially('x'.repeat(35));
  await eventually(async () => expect(await status.innerText()).toMatch(/5/));
  expect(await page.locator('#f-story:focus').count()).toBe(1);
});

itInBrowser('a screen reader hears first what is wrong', async () => {
  const { page } = await asRespondent();
  await page.goto(`/f/${form}`);
  await Promise.all([page.waitForEvent('load'), page.locator('button.primary').click()]);
  const summary = page.locator('[role=alert], main :focus').filter({ has: page.getByRole('heading', { name: 'There is a problem' }) });
  await summary.first().waitFor();
});

describe('with the keyboard alone', () => {
  itInBrowser.each([true, false])('a respondent fills in and sends the whole form (scripts: %s)', async (javaScript) => {
    const { page } = await asRespondent({ javaScript });
    await page.goto(`/f/${form}`);
    const { keyboard } = page;
    page.on('filechooser', (chooser) => void chooser.setFiles([textFile('by-keyboard.txt')]));
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
    const [stored] = await given.submissionsOf(form);
    expect(await given.fileNames(form, stored?.data.cv)).toEqual(['by-keyboard.txt']);
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
