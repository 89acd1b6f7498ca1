import { eventually, inBrowser } from '@sheaf/testing';
import { itemsOf, questions, shownItem } from '../sample-views';
import type { Frame, QuestionsPage, ShownItem } from '../view';
import { Site } from './site';

let site: Site;
beforeAll(async () => (site = await Site.start()));
afterAll(() => site.stop());
beforeEach(() => void (site.posts.length = 0));

const itInBrowser = process.env.SKIP_BROWSER === '1' ? it.skip : it;
const asRespondent = inBrowser(() => site.origin);

const names =
  'Österreich,Belgien,Bulgarien,Dänemark,Estland,Finnland,Frankreich,Griechenland,Irland,Italien,Kroatien,Lettland,Litauen,Malta,Polen,Türkei';
const countries = names.split(',').map((label) => ({ value: label.slice(0, 3).toLowerCase(), label }));
const other = { value: 'other', label: 'Elsewhere' };
const withOther = { options: [...countries, other], other: { label: other.label } };

type Parts = Partial<Frame & QuestionsPage>;

async function open(
  items: readonly object[],
  { shown = {}, ...parts }: Parts & { shown?: Record<number, Partial<ShownItem>> } = {},
  options = {},
) {
  const view = questions({
    items: itemsOf(...(items as Record<string, unknown>[])).map((item, index) => shownItem(item, index, shown[index])),
    ...parts,
  });
  site.pages.set('/f/site-visit', view);
  const respondent = await asRespondent(options);
  await respondent.open('/f/site-visit');
  const { page } = respondent;
  return {
    respondent,
    page,
    box: page.getByRole('combobox', { name: 'Country' }),
    listed: () => page.getByRole('option').allTextContents(),
    active: () =>
      page.evaluate<string | undefined>(
        "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent",
      ),
    sent: () => page.evaluate<string[]>("new FormData(document.querySelector('main form')).getAll('a.country')"),
  };
}

const country = { key: 'country', type: 'select', label: 'Country', options: countries };
const towns = { key: 'country', type: 'multi_select', label: 'Countries', options: countries };

describe('A long list box', () => {
  itInBrowser('is searched by the keyboard, whatever the case and accents', async () => {
    const { page, box, listed, active, sent, respondent } = await open([country]);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').getAttribute('id')).toBe('f-country');
    await box.pressSequentially('OSTER');
    expect(await listed()).toEqual(['Österreich']);
    await page.keyboard.press('ArrowDown');
    expect([await active(), await box.getAttribute('aria-expanded')]).toEqual(['Österreich', 'true']);
    expect(await respondent.accessibilityFaults()).toEqual([]);
    await page.keyboard.press('Enter');
    expect([await box.inputValue(), await box.getAttribute('aria-expanded'), await sent()]).toEqual(['Österreich', 'false', ['öst']]);

    await page.keyboard.press('ArrowDown');
    expect([await active(), (await listed()).length]).toEqual(['Österreich', 16]);
    await page.keyboard.press('ArrowUp');
    expect(await active()).toBe('Türkei');
    await page.keyboard.press('Escape');
    expect([await box.inputValue(), await sent(), await page.getByRole('listbox').count()]).toEqual(['Österreich', ['öst'], 0]);
    expect(site.posts).toEqual([]);
  });

  itInBrowser('says how many options it found, and that there is none', async () => {
    const { page, box } = await open([country]);
    await box.pressSequentially('ien');
    await page.getByText('4 options found').waitFor();
    await box.fill('xyz');
    await page.getByText('No option found').waitFor();
    await box.blur();
    expect([await box.inputValue(), await page.locator('.combo p').textContent()]).toEqual(['', '']);
  });

  itInBrowser('takes what was typed for the answer only where one option is meant', async () => {
    const { box, sent } = await open([country]);
    const typed = async (text: string) => {
      await box.fill(text);
      await box.blur();
      return [await box.inputValue(), ...(await sent())];
    };
    expect(await typed('malta ')).toEqual(['Malta', 'mal']);
    expect(await typed('land')).toEqual(['Malta', 'mal']);
    expect(await typed('tur')).toEqual(['Türkei', 'tür']);
    expect(await typed('')).toEqual(['', '']);
  });

  itInBrowser('is chosen from with the mouse, and keeps the answer after a reload', async () => {
    const { page, box, sent } = await open([country]);
    await box.click();
    await page.getByRole('option', { name: 'Finnland' }).click();
    expect([await box.inputValue(), await sent(), await page.getByRole('listbox').count()]).toEqual(['Finnland', ['fin'], 0]);
    await page.reload();
    expect([await box.inputValue(), await sent()]).toEqual(['Finnland', ['fin']]);
  });

  itInBrowser('has no option that is full, and always Other, whose text shows with it', async () => {
    const text = { key: 'country_other', type: 'short_text', label: 'Which?', visible_if: { key: 'country', equals: 'other' } };
    const { page, box, listed, sent } = await open([{ ...country, ...withOther }, text], { shown: { 0: { full: ['mal'] } } });
    expect(await page.getByLabel('Which?').isVisible()).toBe(false);
    await box.fill('mal');
    expect(await listed()).toEqual(['Malta – Full', 'Elsewhere']);
    await page.getByRole('option', { name: 'Malta' }).click({ force: true });
    expect(await sent()).toEqual(['']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect([await box.inputValue(), await sent()]).toEqual(['Elsewhere', ['other']]);
    await page.getByLabel('Which?').waitFor();
  });

  itInBrowser('lists what conditions offer, and loses what they take back', async () => {
    const kind = { key: 'kind', type: 'select', label: 'Kind', options: ['a', 'b'] };
    const conditional = countries.map((option, at) => ({ ...option, visible_if: { key: 'kind', equals: at % 2 ? 'a' : 'b' } }));
    const { page, box, listed, sent } = await open([kind, { ...country, options: conditional }], { shown: { 1: { isShown: false } } });
    await page.getByLabel('a', { exact: true }).check();
    await box.click();
    expect(await listed()).toEqual(countries.flatMap(({ label }, at) => (at % 2 ? [label] : [])));
    await page.getByRole('option', { name: 'Belgien' }).click();
    await page.getByLabel('b', { exact: true }).check();
    expect([await box.inputValue(), await sent()]).toEqual(['', ['']]);
    expect(await page.locator('#status').textContent()).toContain('Belgien');
  });

  itInBrowser('has the hint and the fault of its question, and the link to the fault leads to it', async () => {
    const fault = { key: 'country', code: 'required', params: {}, message: 'is required' };
    const { page, box } = await open([{ ...country, help: 'Where you live.' }], { faults: [fault] });
    expect([await box.getAttribute('aria-describedby'), await box.getAttribute('aria-invalid')]).toEqual(['h-country e-country', 'true']);
    await page.locator('.summary a').click();
    expect(await page.locator(':focus').getAttribute('id')).toBe('f-country');
  });

  itInBrowser('is filled in by the browser as its author allows, which is an answer', async () => {
    const { page, box, sent } = await open([
      { ...country, autocomplete: 'country-name' },
      { ...country, key: 'second', label: 'Second' },
    ]);
    expect(await box.getAttribute('autocomplete')).toBe('country-name');
    expect(await page.getByRole('combobox', { name: 'Second' }).getAttribute('autocomplete')).toBe('off');
    await box.evaluate((element) => {
      const input = element as unknown as { value: string; dispatchEvent: (event: Event) => void };
      input.value = 'malta';
      for (const name of ['input', 'change']) input.dispatchEvent(new Event(name, { bubbles: true }));
    });
    expect([await box.inputValue(), await sent(), await page.getByRole('listbox').count()]).toEqual(['Malta', ['mal'], 0]);
  });

  itInBrowser('has the name of its question on its list, and a language on options in another one alone', async () => {
    const translations = { de: { options: { mal: 'Malta (auf Deutsch)' } } };
    const { page, box } = await open([{ ...country, translations }], { language: 'de' });
    await box.click();
    expect(await page.getByRole('listbox', { name: 'Country' }).count()).toBe(1);
    const languageOf = (name: string) => page.getByRole('option', { name }).locator('bdi').getAttribute('lang');
    expect([await languageOf('auf Deutsch'), await languageOf('Polen')]).toEqual([null, 'en']);
  });

  itInBrowser.each([
    ['light, wide', {}, 'en'],
    ['dark, narrow', { dark: true, width: 320 }, 'de'],
    ['from right to left', { width: 320 }, 'ar'],
  ])('is accessible and fits the window while it is open (%s)', async (_, options, language) => {
    const { page, respondent } = await open(
      [
        { ...country, ...withOther },
        { ...towns, key: 'towns', label: 'Towns' },
      ],
      { language },
      options,
    );
    await page.getByRole('combobox', { name: 'Country' }).fill('land');
    await page.keyboard.press('ArrowDown');
    await page.locator('.combo p:not(:empty)').waitFor();
    expect(await respondent.accessibilityFaults()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
});

describe('A long list of options', () => {
  itInBrowser.each([
    ['check boxes', towns],
    ['radio buttons', { ...country, label: 'Countries', appearance: 'list' }],
  ])('of %s shows those that are looked for and those that are chosen, and sends all that are', async (_, field) => {
    const { page, sent } = await open([{ ...field, ...withOther }]);
    const shown = () => page.locator('.choice:not(.none) label:visible').allTextContents();
    await page.getByLabel('Malta').check();
    const search = page.getByRole('searchbox', { name: 'Search the options' });
    await search.fill('GRIECHEN');
    expect(await shown()).toEqual(['Griechenland', 'Malta', 'Elsewhere']);
    await page.getByText('1 option found').waitFor();
    await page.keyboard.press('Enter');
    expect(site.posts).toEqual([]);
    await page.getByLabel('Griechenland').check();
    expect(await sent()).toEqual(field.type === 'multi_select' ? ['gri', 'mal'] : ['gri']);
    await search.fill('');
    expect((await shown()).length).toBe(17);
    await eventually(async () => expect(await page.locator('.find p').textContent()).toBe(''));
  });

  itInBrowser('offers to take an answer back once there is one, not once somebody searches', async () => {
    const { page } = await open([{ ...country, appearance: 'list' }]);
    const search = page.getByRole('searchbox', { name: 'Search the options' });
    await search.fill('malta');
    await search.blur();
    expect(await page.getByLabel('No answer').isVisible()).toBe(false);
    await page.getByLabel('Malta').check();
    expect(await page.getByLabel('No answer').isVisible()).toBe(true);
  });

  itInBrowser('is whole where the script is lost, and its search is not in the way', async () => {
    const view = questions({ items: itemsOf({ ...country }, { ...towns, key: 'towns' }).map((item, index) => shownItem(item, index)) });
    site.pages.set('/f/site-visit', view);
    const { page, problems } = await asRespondent();
    await page.route(/search/, (route) => route.abort());
    await page.goto('/f/site-visit');
    await page.getByLabel('Country').selectOption('mal');
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(problems.take()).toEqual([expect.stringMatching(/search\..*js$/)]);
  });
});

describe('A list of countries', () => {
  const field = { key: 'country', type: 'country', label: 'Country', preferred: ['CH', 'AT'] };

  itInBrowser('is found by the name in the language of the page, with a line below the preferred ones', async () => {
    const { page, box, listed, sent, respondent } = await open([field], { language: 'ar' }, { width: 320 });
    await box.click();
    expect((await listed()).slice(0, 2)).toEqual(['سويسرا', 'النمسا']);
    expect(await page.locator('li.last').allTextContents()).toEqual(['النمسا']);
    expect(await respondent.accessibilityFaults()).toEqual([]);
    await box.fill('ألمانيا');
    await box.press('Enter');
    expect(await sent()).toEqual(['DE']);
  });

  itInBrowser.each([
    ['code', 'DE', 'DE'],
    ['name', 'Germany', 'DE'],
    ['code, which also begins a name,', 'NO', 'NO'],
  ])('takes the %s that a browser fills in', async (_what, filled, code) => {
    const { box, sent } = await open([{ ...field, autocomplete: 'country' }]);
    expect(await box.getAttribute('autocomplete')).toBe('country');
    await box.evaluate((input: { value: string; dispatchEvent: (event: unknown) => void }, value) => {
      input.value = value;
      input.dispatchEvent(new Event('change'));
    }, filled);
    expect(await sent()).toEqual([code]);
  });
});
