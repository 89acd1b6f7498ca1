import { inBrowser } from '@sheaf/testing';
import { question } from '../sample-views';
import { Site } from './site';

let site: Site;
beforeAll(async () => (site = await Site.start()));
afterAll(() => site.stop());

const itInBrowser = process.env.SKIP_BROWSER === '1' ? it.skip : it;
const asRespondent = inBrowser(() => site.origin, { handsOn: true });

type Asked = readonly { part: string; required?: boolean }[];

const asked = (...parts: string[]): Asked => parts.map((part) => ({ part, required: true }));

async function open({ parts, ...more }: { parts?: Asked; part?: string; language?: string } = {}, how: { width?: number } = {}) {
  const path = '/f/site-visit';
  const { part, language = 'en' } = more;
  const faults = part === undefined ? [] : [{ key: 'answer', code: 'required', params: { part }, message: 'is required' }];
  site.pages.set(path, question({ type: 'address', label: 'Where do you live?', parts }, { values: ['Main St 1'] }, { faults, language }));
  const respondent = await asRespondent(how);
  await respondent.open(path);
  return respondent;
}

itInBrowser.each([
  ['on a wide screen', { width: 1_000 }, {}],
  ['on a phone', { width: 320 }, {}],
  ['from right to left, with a fault', { width: 320 }, { language: 'ar', part: 'city' }],
  ['without a part that may be missing', { width: 1_000 }, { parts: asked('city', 'country') }],
])('the parts of an address stand below each other and fill their line (%s)', async (_, how, more) => {
  const respondent = await open(more, how);
  const { page } = respondent;
  const boxes = await page.evaluate<{ top: number; left: number; width: number }[]>(
    `[...document.querySelectorAll('[data-part]')].map((each) => each.getBoundingClientRect().toJSON())`,
  );
  expect(boxes.length).toBeGreaterThan(1);
  expect(new Set(boxes.map(({ top }) => top)).size).toBe(boxes.length);
  expect(new Set(boxes.map(({ left, width }) => `${left} ${width}`)).size).toBe(1);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  expect(await respondent.accessibilityFaults()).toEqual([]);
});

itInBrowser('the link in the list of faults leads to the part of an address that is wrong', async () => {
  const { page } = await open({ part: 'city' });
  await page.locator('.summary a').click();
  expect(await page.evaluate(`[document.activeElement.dataset.part, document.activeElement.ariaInvalid]`)).toEqual(['city', 'true']);
});

itInBrowser('a tab puts the parts of an address back by their names, whatever a form that was published again asks for', async () => {
  const { page } = await open({ parts: asked('line1', 'postal_code', 'city') });
  const fill = (part: string, text: string) => page.locator(`[data-part=${part}]`).fill(text);
  await fill('postal_code', '12345');
  await fill('city', 'Berlin');
  const parts = asked('line1', 'city', 'region', 'postal_code');
  site.pages.set('/f/site-visit', question({ type: 'address', label: 'Where do you live?', parts }));
  await page.reload();
  expect(await page.evaluate(`[...document.querySelectorAll('[data-part]')].map(({ dataset, value }) => [dataset.part, value])`)).toEqual([
    ['line1', ''],
    ['city', 'Berlin'],
    ['region', ''],
    ['postal_code', '12345'],
  ]);
});
