import { inBrowser } from '@sheaf/testing';
import { check, enteredItems, frame, itemsOf, message, questions, receipt, saved, shownItem } from '../sample-views';
import type { ShownAnswer, View } from '../view';
import { Site } from './site';

let site: Site;
beforeAll(async () => (site = await Site.start()));
afterAll(() => site.stop());

const itInBrowser = process.env.SKIP_BROWSER === '1' ? it.skip : it;
const asRespondent = inBrowser(() => site.origin, { handsOn: true });

const options = (count: number) => Array.from({ length: count }, (_, at) => ({ value: `v${at}`, label: `Option ${at}` }));
const picture = '0'.repeat(64);
const long = 'A-very-long-word-that-nobody-would-break-and-that-is-wider-than-any-phone';
const items = itemsOf(
  ...['short_text', 'email', 'url', 'phone', 'number', 'date', 'time', 'datetime', 'boolean', 'rating', 'file'].map((type) => ({
    key: type,
    type,
    label: `Question of the type ${type}`,
    help: 'Some help.',
  })),
  { key: 'nps', type: 'rating', label: 'Recommend', min: 0, max: 10, low_label: 'Not at all likely', high_label: 'Extremely likely' },
  { key: 'stars', type: 'rating', label: 'Stars', appearance: 'stars', max: 10, high_label: long },
  { key: 'faces', type: 'rating', label: 'Faces', appearance: 'faces', low_label: 'Bad', high_label: 'Good' },
  { type: 'section', label: 'A section', help: 'With help.' },
  { key: 'few', type: 'select', label: long, options: options(3) },
  { key: 'many', type: 'select', label: 'Many', options: options(9) },
  { key: 'some', type: 'multi_select', label: 'Some', options: [...options(2), { value: long, label: long }] },
  { key: 'order', type: 'ranking', label: 'Order', options: [...options(2), { value: long, label: long }] },
  { type: 'statement', label: 'Please note', help: 'A statement.' },
  { key: 'text', type: 'long_text', label: 'Text', max_length: 100 },
  { key: 'consent', type: 'boolean', label: 'I agree.', required: true, must_be_true: true },
  { key: 'toggles', type: 'select', label: 'Toggles', appearance: 'buttons', options: [...options(4), { value: long, label: long }] },
  { key: 'countries', type: 'select', label: 'Countries', options: options(20) },
  { key: 'towns', type: 'multi_select', label: 'Towns', options: options(20) },
  {
    key: 'cards',
    type: 'multi_select',
    label: 'Cards',
    options: [...options(2), { value: long, label: long, image: { picture, alt: long } }],
  },
);
const repeat = itemsOf({
  ...{ key: 'guests', type: 'repeat', label: 'Your guests', help: 'All who come with you.', item_label: long, max: 2 },
  fields: [
    { key: 'guest', type: 'short_text', label: 'Name', required: true },
    { key: 'meal', type: 'select', label: 'Meal', options: options(3) },
    { key: 'size', type: 'rating', label: 'Hunger', min: 0, max: 10 },
  ],
});
const keys = items.flatMap((item) => ('key' in item ? [item.key] : []));
const file = (name: string) => ({ id: name, name, size: 12_345, token: name });
const shown = items.map((item, index) => shownItem(item, index, { files: item.type === 'file' ? [file(`${long}.pdf`)] : [] }));
const page = itemsOf({ type: 'page', label: 'About you' })[0];
const inItem = [{ guest: 'Ann', meal: 'v1' }, { guest: long }];
const answers = [...items, ...repeat].flatMap((field) =>
  'key' in field
    ? [{ field, answer: field.type === 'repeat' ? inItem : undefined, fileNames: [], change: { name: 'do', value: 'change' } }]
    : [],
) as ShownAnswer[];

const here = {
  ...frame,
  form: {
    title: 'Site visit',
    settings: { description: 'Two\n\nparagraphs.', help_contact: { email: 'help@example.org', phone: '+49 30 1' } },
  },
  languages: ['en', 'de', 'ar'].map((language) => ({ language, href: `?lang=${language}` })),
};
const views: Record<string, View> = {
  questions: questions({ ...here, items: shown, hasSave: true, price: { amount: 1, currency: 'eur' } }),
  faults: questions({
    ...here,
    items: shown,
    hasBack: true,
    step: { number: 2, of: 3, page },
    faults: keys.map((key) => ({ key, code: 'required', params: {}, message: 'is required' })),
  }),
  repeat: questions({
    ...here,
    items: enteredItems(repeat, { guests: '2', 'guests[0].guest': 'Ann', 'guests[0].meal': 'v1' }),
    faults: ['guests', 'guests[1].guest'].map((key) => ({ key, code: 'required', params: {}, message: 'is required' })),
  }),
  check: check({ ...here, answers, notice: 'form_changed', hasSave: true }),
  receipt: receipt({ ...here, answers, payment: { url: 'https://pay.example/', state: 'due', price: { amount: 100, currency: 'eur' } } }),
  saved: saved(here),
  message: message({ name: 'not_found' }),
};
const themed = (view: View, language: string): View => ({ ...view, language });

describe.each(Object.keys(views))('The page of the kind %s', (kind) => {
  const open = async (options: Parameters<typeof asRespondent>[0], language = 'en') => {
    const view = views[kind];
    if (view) site.pages.set('/f/look', themed(view, language));
    // As one that does not load: its text, which the author may have made long, takes its place.
    site.pages.set(`/f/site-visit/pictures/${picture}`, 'no picture');
    const respondent = await asRespondent(options);
    await respondent.open('/f/look');
    return respondent;
  };

  itInBrowser.each([
    ['light, wide', {}, 'en'],
    ['dark, narrow', { dark: true, width: 320 }, 'en'],
    ['from right to left', { width: 320 }, 'ar'],
  ])('is accessible and fits the window (%s)', async (_, options, language) => {
    const respondent = await open(options, language);
    expect(await respondent.accessibilityFaults()).toEqual([]);
    expect(await respondent.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });

  // WCAG 2.2, 1.4.12 and 1.4.4: what a person's own style sheet may set.
  itInBrowser('loses nothing when its text is spaced out or enlarged', async () => {
    const { page } = await open({ width: 640 });
    await page.evaluate(`document.styleSheets[0].insertRule('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }');
      document.styleSheets[0].insertRule('p { margin-block-end: 2em !important }'); document.documentElement.style.fontSize = '200%'`);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    const cut = `[...document.querySelectorAll('main *')].filter((element) => !element.closest('.unseen, .trap') && getComputedStyle(element).overflow === 'hidden'
      && (element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1)).map((element) => element.outerHTML)`;
    expect(await page.evaluate(cut)).toEqual([]);
  });

  itInBrowser('has targets that are large enough, and shows where the focus is', async () => {
    const { page } = await open({ width: 320 });
    const small = `[...document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea')].filter((element) => element.checkVisibility()
      && !element.closest('.trap') && !element.matches('.unseen')).filter((element) => {
        const { height, width } = (element.matches('[type=radio], [type=checkbox]') ? element.labels[0] : element).getBoundingClientRect();
        return height < 24 || width < 24;
      }).map((element) => element.outerHTML)`;
    expect(await page.evaluate(small)).toEqual([]);

    const stops = await page.evaluate<number>(
      `[...document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea')].length`,
    );
    await page.evaluate('document.activeElement.blur()');
    for (let stop = 0; stop < stops; stop++) {
      await page.keyboard.press('Tab');
      const focus = await page.evaluate<string | null>(`(() => {
        const element = document.activeElement;
        if (element === document.body) return null;
        const shown = element.matches('[type=radio], [type=checkbox]') ? element.labels[0] : element;
        // Browsers bring the cursor of a long field into sight, not all of the field.
        const { left, right, top, bottom } = shown.getBoundingClientRect();
        const seen = { top: Math.max(top, 0), bottom: Math.min(bottom, innerHeight) };
        const above = document.elementFromPoint((left + right) / 2, (seen.top + seen.bottom) / 2);
        const outline = getComputedStyle(shown);
        const isClear = parseFloat(outline.outlineWidth) >= 2 && outline.outlineStyle !== 'none';
        const isFree = shown.contains(above) || above?.contains(shown) || shown.parentElement.contains(above);
        return isClear && isFree ? null : shown.outerHTML;
      })()`);
      expect(focus).toBeNull();
    }
  });
});
