import { isField } from '@sheaf/contracts';
import { calculated, checkFormula, evaluate, formulasOf, labelsFor, type Formula } from '@sheaf/formulas';
import { eventually, inBrowser, propertyRuns } from '@sheaf/testing';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { writtenResult } from '../answers/calculated';
import { enteredItems, itemsOf, questions, receipt, saved, shownItem } from '../sample-views';
import type { ShownItem, View } from '../view';
import { Site } from './site';

let site: Site;
beforeAll(async () => (site = await Site.start()));
afterAll(() => site.stop());
beforeEach(() => {
  site.posts.length = 0;
  site.next = receipt();
});

const itInBrowser = process.env.SKIP_BROWSER === '1' ? it.skip : it;
const asRespondent = inBrowser(() => site.origin);

const options = ['a', 'b', 'c'].map((value) => ({ value, label: `Option ${value}` }));
const place = (parts: Record<number, Partial<ShownItem>>, ...items: Record<string, unknown>[]): ShownItem[] =>
  itemsOf(...items).map((item, index) => shownItem(item, index, parts[index]));

async function open(view: View, path = '/f/site-visit') {
  site.pages.set(path, view);
  const respondent = await asRespondent();
  await respondent.open(path);
  return respondent.page;
}

/** The formula as a page has it. */
function formulaOf(text: string, ...items: ShownItem['item'][]): Formula {
  const { formula } = { formula: undefined, ...checkFormula(text, (key) => items.filter(isField).find((field) => field.key === key)) };
  if (!formula) throw new Error(text);
  return formula;
}

describe('The script of a page with a repeat', () => {
  const guests = (more: Record<string, unknown> = {}) =>
    itemsOf(
      {
        ...{ key: 'guests', type: 'repeat', label: 'Guests', item_label: 'Guest', ...more },
        fields: [
          { key: 'name', type: 'short_text', label: 'Name' },
          { key: 'meal', type: 'select', label: 'Meal of {{name|the guest}}', options: ['none', 'full'] },
          { key: 'wish', type: 'short_text', label: 'Wish', visible_if: { key: 'meal', equals: 'full' } },
          { key: 'fee', type: 'calculated', label: 'Fee', formula: "if(meal = 'full', 10, 0)" },
        ],
      },
      { key: 'table', type: 'short_text', label: 'Table', visible_if: { key: 'guests', chosen_at_least: 2 } },
      { key: 'total', type: 'calculated', label: 'Total', formula: 'sum(guests.fee)' },
    );
  const two = { guests: '2', 'guests[0].name': 'Ann', 'guests[0].meal': 'none', 'guests[1].meal': 'full' };

  itInBrowser('follows the conditions, formulas and texts of each item by its own answers', async () => {
    const page = await open(questions({ items: enteredItems(guests(), two), piped: {} }));
    const seen = (index: number) => page.locator(`[id="f-guests[${index}]"]`);
    const states = async () =>
      Promise.all([0, 1].flatMap((at) => [seen(at).getByLabel('Wish').isVisible(), seen(at).locator('output').textContent()]));
    expect(await states()).toEqual([false, '0', true, '10']);
    await seen(0).getByLabel('full').check();
    await seen(1).getByLabel('none').check();
    expect(await states()).toEqual([true, '10', false, '0']);
    await seen(1).getByLabel('Name').fill('Bob');
    expect([await seen(0).locator('legend').nth(1).innerText(), await seen(1).locator('legend').nth(1).innerText()]).toEqual([
      'Meal of Ann (optional)',
      'Meal of Bob (optional)',
    ]);
    expect(await page.locator('#i-2 output').textContent()).toBe('10');
    expect(await page.getByLabel('Table').isVisible()).toBe(true);
    expect(await page.locator('[name=shown]').inputValue()).toBe('0 0.0.0 0.0.1 0.0.2 0.0.3 0.1.0 0.1.1 0.1.3 1 2');
  });

  describe('leaves the items to the server once the page is sent', () => {
    const drawn = (...names: string[]) =>
      questions({
        hidden: [
          ['token', 't0ken'],
          ['begun', '1'],
        ],
        items: enteredItems(guests(), {
          guests: String(names.length),
          ...Object.fromEntries(names.map((name, at) => [`guests[${at}].name`, name])),
        }),
      });
    const fill = async (...names: string[]) => {
      const page = await open(drawn(...names.map(() => '')), '/f/party');
      for (const [at, name] of names.entries()) await page.locator(`[name="a.guests[${at}].name"]`).fill(name);
      const entered = async () => Promise.all((await page.locator('[name$=".name"]').all()).map(async (input) => input.inputValue()));
      const press = async (button: string, next: View) => {
        site.next = next;
        await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: button, exact: true }).click()]);
        return entered();
      };
      return { page, names: entered, press };
    };

    itInBrowser('which took out one, and gave the others new numbers', async () => {
      const { press } = await fill('Ann', 'Bob');
      expect(await press('Remove Guest 1', drawn('Bob'))).toEqual(['Bob']);
    });

    itInBrowser('which took out one that was empty, as it does whenever somebody goes on, and added another one', async () => {
      const { press } = await fill('', 'Ann', 'Bob');
      expect(await press('Send', drawn('Ann', 'Bob'))).toEqual(['Ann', 'Bob']);
      expect(await press('Add another Guest', drawn('Ann', 'Bob', ''))).toEqual(['Ann', 'Bob', '']);
    });

    itInBrowser('which could not take out the one that it was to', async () => {
      const { press } = await fill('Ann', 'Bob', 'Cid');
      expect(await press('Remove Guest 1', drawn('Ann', 'Bob', 'Cid'))).toEqual(['Ann', 'Bob', 'Cid']);
    });

    itInBrowser('also for the page before, to which somebody returns', async () => {
      const { page, press, names } = await fill('Ann', 'Bob', 'Cid');
      await press('Remove Guest 1', drawn('Bob', 'Cid'));
      await page.locator('[name="a.guests[1].name"]').fill('Dan');
      site.pages.set('/f/party/at/1', drawn('Ann', 'Bob', 'Cid'));
      await page.goto('/f/party/at/1');
      expect(await names()).toEqual(['Ann', 'Bob', 'Cid']);
      site.pages.set('/f/party/at/2', drawn('Bob', 'Cid'));
      await page.goto('/f/party/at/2');
      expect(await names()).toEqual(['Bob', 'Dan']);
    });
  });

  itInBrowser('sends the page, and takes out or adds no item, with the Enter key', async () => {
    const page = await open(questions({ items: enteredItems(guests(), two) }));
    await page.locator('[name="a.guests[0].name"]').fill('Ann');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    expect(site.posts[0]).toMatch(/name="do"\s+send/);
  });
});

describe('The script of a page that calculates', () => {
  const [places, price] = itemsOf({ key: 'places', type: 'integer', label: 'Places' }, { key: 'price', type: 'number', label: 'Price' });
  const calculates = (text: string, more: Record<string, unknown> = {}, hidden = {}): Parameters<typeof place> => [
    { 2: { result: { value: undefined, formula: places && price && formulaOf(text, places, price) } }, 3: { isShown: false }, ...hidden },
    { key: 'places', type: 'integer', label: 'Places' },
    { key: 'price', type: 'number', label: 'Price' },
    { key: 'total', type: 'calculated', label: 'Total', formula: text, ...more },
    { key: 'why', type: 'short_text', label: 'Why', visible_if: { key: 'total', gt: 20 } },
  ];

  itInBrowser('computes while somebody types, as the language writes it, and follows conditions on the result', async () => {
    const page = await open(
      questions({ language: 'ar', items: place(...calculates('places * price', { format: 'currency', currency: 'eur' })) }),
    );
    const written = async () => [await page.locator('output').textContent(), await page.getByLabel('Why').isVisible()];
    expect(await written()).toEqual(['–', false]);
    await page.getByLabel('Places').fill('3');
    await page.getByLabel('Price').fill('7.1');
    const amount = new Intl.NumberFormat('ar', { style: 'currency', currency: 'eur' }).format(21.3);
    expect(await written()).toEqual([amount, true]);
    await page.getByLabel('Price').fill('');
    expect(await written()).toEqual(['–', false]);
  });

  itInBrowser('follows what is calculated and not shown', async () => {
    const page = await open(questions({ items: place(...calculates('places + price', { shown: false })) }));
    expect(await page.locator('output').count()).toBe(0);
    await page.getByLabel('Places').fill('20');
    await page.getByLabel('Price').fill('0.5');
    expect(await page.getByLabel('Why').isVisible()).toBe(true);
  });

  itInBrowser('shows what is calculated and not shown by itself in the texts of the page', async () => {
    const [parts, ...items] = calculates('places * price', { shown: false, format: 'currency', currency: 'eur' });
    const statement = { type: 'statement', label: 'You pay {{total|nothing}}.' };
    const page = await open(questions({ piped: { total: '€5.00' }, items: place(parts, ...items, statement) }));
    const text = () => page.locator('#i-4').innerText();
    expect(await text()).toBe('You pay nothing.');
    await page.getByLabel('Places').fill('3');
    await page.getByLabel('Price').fill('7.1');
    expect(await text()).toBe('You pay €21.30.');
    await page.getByLabel('Price').fill('');
    expect(await text()).toBe('You pay nothing.');
  });

  itInBrowser('leaves the result of the server in a text where it cannot compute it', async () => {
    const total = { key: 'total', type: 'calculated', label: 'Total', formula: 'nonsense', shown: false };
    const items = place({ 0: { result: { value: 5, formula: undefined } } }, total, { type: 'statement', label: 'You pay {{total}}.' });
    const page = await open(questions({ piped: { total: '5' }, items }));
    expect(await page.locator('#i-1').innerText()).toBe('You pay 5.');
  });

  itInBrowser('counts the files that were chosen, and those that are kept', async () => {
    const [photos] = itemsOf({ key: 'photos', type: 'file', label: 'Photos', multiple: true });
    const formula = photos && formulaOf('count(photos)', photos);
    const kept = { id: 'one', name: 'a.png', size: 3, token: 'one' };
    const items = place(
      { 0: { files: [kept, { ...kept, id: 'two', token: 'two' }] }, 1: { result: { value: undefined, formula } } },
      { key: 'photos', type: 'file', label: 'Photos', multiple: true },
      { key: 'total', type: 'calculated', label: 'Total', formula: 'count(photos)' },
      { key: 'why', type: 'short_text', label: 'Why', visible_if: { key: 'photos', answered: true } },
    );
    const page = await open(questions({ items }));
    const counted = async () => [await page.locator('output').textContent(), await page.getByLabel('Why').isVisible()];
    const choose = (...names: string[]) =>
      page.locator('[type=file]').setInputFiles(names.map((name) => ({ name, mimeType: 'image/png', buffer: Buffer.from(name) })));
    expect(await counted()).toEqual(['2', true]);
    await choose('a.png', 'b.png');
    expect(await counted()).toEqual(['4', true]);
    await choose();
    await page.evaluate('document.querySelector(".files").remove()');
    await page.locator('[type=file]').dispatchEvent('change', { bubbles: true });
    expect(await counted()).toEqual(['0', false]);
    await choose('c.png');
    expect(await counted()).toEqual(['1', true]);
  });

  itInBrowser('has the labels of options that are chosen here or on an earlier step, once for all formulas', async () => {
    const [size, extras, ...results] = itemsOf(
      { key: 'size', type: 'select', label: 'Size', options },
      {
        key: 'extras',
        type: 'multi_select',
        label: 'Extras',
        options: options.map(({ value }) => ({ value, label: `"${value}" <extra>` })),
      },
      ...[0, 1].map((at) => ({
        key: `q${at}`,
        type: 'calculated',
        label: `Q${at}`,
        format: 'text',
        formula: "concat(label(size), ' ', label(extras))",
      })),
    );
    if (!size || !extras) throw new Error('no questions');
    const form = [size, extras, ...results];
    const formulas = ['q0', 'q1'].map((key) => formulasOf(form).get(key));
    const shown = [size, ...results].map((item, index) =>
      shownItem(item, index, index === 0 ? {} : { result: { value: undefined, formula: formulas[index - 1] } }),
    );
    const answers = { extras: ['b', 'a'] };
    const labels = labelsFor(
      form,
      formulas.flatMap((formula) => formula ?? []),
    );
    const page = await open(questions({ items: shown, earlier: answers, labels }));
    await page.getByLabel('Option c').check();
    const expected = calculated(form, { key: 'q1' }, { answers: { ...answers, size: 'c' }, today: () => '' });
    expect(expected).toBe('Option c "b" <extra>, "a" <extra>');
    expect(await page.locator('output').allTextContents()).toEqual([expected, expected]);
    expect((await page.content()).match(/&lt;extra&gt;|<extra>/g)).toHaveLength(3 + 2 * 2);
  });

  itInBrowser('computes what the server does, whatever the formula is', async () => {
    const numbers = fc.letrec<{ any: string }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('places', 'price', '0.1', '7', '1000000007', 'coalesce(price, 1)', 'days_between(today(), today())'),
        fc
          .tuple(tie('any'), fc.constantFrom('+', '-', '*', '/', '%'), tie('any'))
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
        fc.tuple(fc.constantFrom('round', 'floor', 'ceil', 'abs', 'sum', '-'), tie('any')).map(([of, part]) => `${of}(${part})`),
        fc.tuple(tie('any'), tie('any')).map(([one, other]) => `if(${one} < ${other}, max(${one}, ${other}), ${one})`),
      ),
    })).any;
    const answers = { places: 3, price: 7.35 };
    const texts = fc.sample(numbers, propertyRuns(100)).filter((text) => text.length < 500);
    const items = texts.map((text, at) => ({ key: `q${at}`, type: 'calculated', label: `Result ${at}`, formula: text }));
    const formulas = texts.map((text) => places && price && formulaOf(text, places, price));
    const view = questions({
      items: place(Object.fromEntries(formulas.map((formula, at) => [at, { result: { value: undefined, formula } }])), ...items),
      earlier: answers,
    });
    const page = await open(view);
    const writing = { format: 'number' as const, currency: undefined, locale: 'en-GB', yes: '', no: '' };
    const expected = formulas.map(
      (formula) => formula && writtenResult(evaluate(formula, { answers, today: () => '2026-05-31', labels: {} }), writing),
    );
    expect(await page.locator('output').allTextContents()).toEqual(expected);
  });
});

describe('The script of a page', () => {
  const conditional = questions({
    earlier: { before: 'x' },
    items: place(
      { 1: { isShown: false }, 3: { isShown: false }, 4: { isShown: false } },
      { key: 'kind', type: 'select', label: 'Kind', options },
      { key: 'count', type: 'integer', label: 'Count', visible_if: { key: 'kind', equals: 'b' } },
      { key: 'always', type: 'short_text', label: 'Always', visible_if: { key: 'before', equals: 'x' } },
      { type: 'section', label: 'More', visible_if: { key: 'count', equals: 3 } },
      { key: 'why', type: 'short_text', label: 'Why' },
    ),
  });

  itInBrowser('shows and hides questions at once, and tells the server which ones were shown', async () => {
    const page = await open(conditional);
    const visible = async () => [
      await page.evaluate('[...document.querySelectorAll("[data-type]")].filter((item) => item.checkVisibility()).map(({ id }) => id)'),
      await page.locator('[name=shown]').inputValue(),
    ];
    expect(await visible()).toEqual([['i-0', 'i-2'], '0 2']);
    await page.getByLabel('Option b').check();
    expect(await visible()).toEqual([['i-0', 'i-1', 'i-2'], '0 1 2']);
    await page.getByLabel('Count').fill('3');
    expect(await visible()).toEqual([['i-0', 'i-1', 'i-2', 'i-3', 'i-4'], '0 1 2 3 4']);
    await page.getByLabel('Option c').check();
    expect(await visible()).toEqual([['i-0', 'i-2'], '0 2']);
  });

  const piping = questions({
    language: 'de',
    items: place(
      { 1: { isShown: false } },
      { key: 'has', type: 'boolean', label: 'Has?' },
      { key: 'name', type: 'short_text', label: 'Name', visible_if: { key: 'has', equals: true } },
      { key: 'count', type: 'number', label: 'Count' },
      { key: 'kinds', type: 'multi_select', label: 'Kinds', options },
      { key: 'day', type: 'date', label: 'Day' },
      { key: 'why', type: 'long_text', label: 'Why {{name|friend}}?', help: '{{count}}, **{{kinds}}**, {{day}}, {{has}}' },
    ),
  });

  itInBrowser('shows answers in the texts of the same page while they are typed, as the server would', async () => {
    const page = await open(piping);
    const label = () => page.locator('label[for=f-why]').innerText();
    const help = () => page.locator('#i-5 .hint').first().innerText();
    expect(await label()).toContain('Why friend?');
    await page.getByLabel('Ja').check();
    await page.getByLabel('Name').fill(`<b>Ada</b>\u0020**x** ${'y'.repeat(300)}`);
    expect(await label()).toContain(`Why <b>Ada</b> **x** ${'y'.repeat(183)}…?`);
    await page.getByLabel('Count').fill('1234,5');
    await page.getByLabel('Option a').check();
    await page.getByLabel('Option c').check();
    await page.getByLabel('Day').fill('2026-05-31');
    expect(await help()).toBe('1.234,5, Option a und Option c, 31. Mai 2026, Ja');
    await page.getByLabel('Nein').check();
    expect(await label()).toContain('Why friend?');
    expect(await page.evaluate('document.querySelectorAll("b").length')).toBe(0);
  });

  itInBrowser('sends a page whose script for conditions is lost as it was drawn, and the server asks for the rest', async () => {
    site.pages.set('/f/site-visit', conditional);
    const { page, problems } = await asRespondent();
    await page.route(/conditions/, (route) => route.abort());
    await page.goto('/f/site-visit');
    await page.getByLabel('Option b').check();
    await page.getByRole('button', { name: 'Send' }).click();
    await eventually(() => expect(site.posts).toEqual([expect.stringMatching(/name="shown"\s+0 2\s.*name="a\.kind"\s+b\s/s)]));
    expect(problems.take()).toEqual([expect.stringMatching(/conditions\..*js$/)]);
  });

  const cities = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      value: `c${at}`,
      label: `City ${at}`,
      visible_if: { key: 'kind', equals: at % 2 ? 'a' : 'b' },
    }));

  itInBrowser.each([4, 12])('offers only the options that fit, and says what it has taken back, of %d', async (count) => {
    const items = place(
      { 1: { isShown: false }, 2: { isShown: false } },
      { key: 'kind', type: 'select', label: 'Kind', options },
      { key: 'city', type: 'select', label: 'City', options: cities(count) },
      { key: 'why', type: 'short_text', label: 'Why', visible_if: { key: 'city', equals: 'c1' } },
    );
    const page = await open(questions({ items }));
    const offered = () =>
      page.evaluate(
        '[...document.querySelectorAll("#i-1 [name=\\"a.city\\"]")].flatMap((each) => each.options ? [...each.options] : [each]).filter((each) => each.value && !each.disabled && !each.hidden && !each.parentElement.hidden).map(({ value }) => value)',
      );
    const choose = (at: number) => (count > 7 ? page.getByLabel('City').selectOption(`c${at}`) : page.getByLabel(`City ${at}`).check());
    expect(await page.locator('#i-1').isVisible()).toBe(false);
    await page.getByLabel('Option a').check();
    expect(await offered()).toEqual(cities(count).flatMap(({ value }, at) => (at % 2 ? [value] : [])));
    await choose(1);
    expect(await page.getByLabel('Why').isVisible()).toBe(true);
    await page.getByLabel('Option b').check();
    const said = () => page.locator('#status').textContent();
    expect(await said()).toBe('Removed, as it does not fit your other answers: \u2068City 1\u2069');
    expect(await page.getByLabel('Why').isVisible()).toBe(false);
    await page.getByLabel('Option c').check();
    expect(await said()).toBe('');
    expect(await page.locator('#i-1').isVisible()).toBe(false);
  });

  itInBrowser('lists what it has taken back in the way of the language, whatever the direction of a label', async () => {
    const items = place(
      {},
      { key: 'kind', type: 'select', label: 'Kind', options },
      {
        ...{ key: 'some', type: 'multi_select', label: 'Some' },
        options: [
          'Always',
          ...['One', '\u2069שתיים', 'Three'].map((label, at) => ({ value: `s${at}`, label, visible_if: { key: 'kind', equals: 'a' } })),
        ],
      },
    );
    const page = await open(questions({ items }));
    await page.getByLabel('Option a').check();
    for (const value of ['s0', 's1', 's2']) await page.locator(`[value=${value}]`).check();
    await page.getByLabel('Option b').check();
    expect(await page.locator('#status').textContent()).toMatch(/: \u2068One\u2069, \u2068שתיים\u2069 and \u2068Three\u2069$/);
  });

  itInBrowser.each([4, 12])('does not put back what it has taken back, of %d', async (count) => {
    const items = place(
      { 1: { isShown: false } },
      { key: 'kind', type: 'select', label: 'Kind', options },
      { key: 'city', type: 'select', label: 'City', options: cities(count) },
    );
    const page = await open(questions({ items }));
    await page.getByLabel('Option a').check();
    if (count > 7) await page.getByLabel('City').selectOption('c1');
    else await page.getByLabel('City 1').check();
    await page.getByLabel('Option b').check();
    await page.getByLabel('Option a').check();
    const chosen = () => page.evaluate('new FormData(document.forms[0]).getAll("a.city").join("")');
    expect(await chosen()).toBe('');
    await page.reload();
    expect([await page.getByLabel('Option a').isChecked(), await chosen()]).toEqual([true, '']);
  });

  itInBrowser('keeps a list as it was drawn where the option that was chosen is gone', async () => {
    const listOf = (...kinds: string[]) =>
      questions({
        items: place(
          { 0: { values: ['v9'] } },
          {
            ...{ key: 'kind', type: 'select', label: 'Kind' },
            options: ['v9', 'v10', 'v11', 'v12', 'v13', 'v14', 'v15', ...kinds].map((value) => ({ value, label: value })),
          },
        ),
      });
    const page = await open(listOf('old'));
    await page.getByLabel('Kind').selectOption('old');
    site.pages.set('/f/site-visit', listOf('new'));
    await page.reload();
    expect(await page.getByLabel('Kind').inputValue()).toBe('v9');
  });

  itInBrowser('puts each option of a ranking back on its rank, also behind a rank that is empty', async () => {
    const page = await open(questions({ items: place({}, { key: 'order', type: 'ranking', label: 'Order', options }) }));
    await page.getByLabel('Choice 2').selectOption('c');
    await page.getByLabel('Choice 3').selectOption('a');
    await page.reload();
    const ranked = () => page.evaluate('new FormData(document.forms[0]).getAll("a.order").join(" ")');
    expect(await ranked()).toBe(' c a');
    await page.getByLabel('Choice 1').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await ranked()).toBe('b c a');
  });

  itInBrowser('puts each day of a date range back in its picker', async () => {
    const page = await open(questions({ items: place({}, { key: 'stay', type: 'date_range', label: 'Stay' }) }));
    await page.getByLabel('To').fill('2026-05-31');
    await page.reload();
    const days = () => page.evaluate('new FormData(document.forms[0]).getAll("a.stay").join(" ")');
    expect(await days()).toBe(' 2026-05-31');
    await page.getByLabel('From').fill('2026-05-29');
    await page.reload();
    expect(await days()).toBe('2026-05-29 2026-05-31');
  });

  itInBrowser('puts the rows of a matrix back, shows what asks for its answer, and lets a row be emptied again', async () => {
    const item = { key: 'looks', type: 'matrix', label: 'Looks', rows: options, columns: options };
    const why = { key: 'why', type: 'short_text', label: 'Why', visible_if: { key: 'looks', answered: true } };
    const page = await open(questions({ items: place({ 1: { isShown: false } }, item, why) }));
    await page.getByRole('radio', { name: 'Option a: Option c' }).check();
    await page.getByRole('radio', { name: 'Option b: Option b' }).check();
    await page.reload();
    expect(await page.evaluate('[...new FormData(document.forms[0])].filter(([name]) => name.startsWith("a.looks.")).join(" ")')).toBe(
      'a.looks.a,["a","c"] a.looks.b,["b","b"]',
    );
    expect(await page.getByLabel('Why').isVisible()).toBe(true);
    await page.getByRole('radio', { name: 'Option c: Option a' }).check();
    await page.getByRole('radio', { name: 'Option c: No answer' }).check();
    await page.getByRole('radio', { name: 'Option b: No answer' }).check();
    await page.getByRole('radio', { name: 'Option a: No answer' }).check();
    expect(await page.getByLabel('Why').isVisible()).toBe(false);
  });

  itInBrowser('takes an option back from each rank, once it is no longer offered', async () => {
    const offered = options.map((option) => (option.value === 'b' ? { ...option, visible_if: { key: 'kind', equals: 'a' } } : option));
    const page = await open(
      questions({
        items: place(
          {},
          { key: 'kind', type: 'select', label: 'Kind', options },
          { key: 'order', type: 'ranking', label: 'Order', options: offered },
        ),
      }),
    );
    await page.getByLabel('Option a').check();
    await page.getByLabel('Choice 1').selectOption('b');
    await page.getByLabel('Choice 2').selectOption('c');
    await page.getByLabel('Option c').check();
    expect(await page.evaluate('new FormData(document.forms[0]).getAll("a.order").join(" ")')).toBe(' c ');
  });

  itInBrowser('marks a question as optional only while no other answer requires it', async () => {
    const items = place(
      { 1: { isRequired: false } },
      { key: 'kind', type: 'select', label: 'Kind', options },
      { key: 'why', type: 'short_text', label: 'Why', required: true, required_if: { key: 'kind', equals: 'b' } },
    );
    const page = await open(questions({ items }));
    const isOptional = () => page.getByText('optional').last().isVisible();
    expect(await isOptional()).toBe(true);
    await page.getByLabel('Option b').check();
    expect(await isOptional()).toBe(false);
    await page.getByLabel('Option c').check();
    expect(await isOptional()).toBe(true);
  });

  itInBrowser('reads numbers as the server does, in the way of the language', async () => {
    const items = place(
      { 1: { isShown: false } },
      { key: 'count', type: 'integer', label: 'Count' },
      { key: 'why', type: 'short_text', label: 'Why', visible_if: { key: 'count', equals: 1234 } },
    );
    const page = await open(questions({ language: 'ar', items }));
    await page.getByLabel('Count').fill('١٬٢٣٤');
    expect(await page.getByLabel('Why').isVisible()).toBe(true);
    await page.getByLabel('Count').fill('١٢٣');
    expect(await page.getByLabel('Why').isVisible()).toBe(false);
  });

  itInBrowser('counts the characters that are left, aloud once they are few', async () => {
    const page = await open(questions({ items: place({}, { key: 'text', type: 'long_text', label: 'Text', max_length: 10 }) }));
    const counted = page.locator('#c-text');
    expect(await counted.textContent()).toBe('You have 10 characters left.');
    await page.getByLabel('Text').fill('äöü😀😀');
    expect(await counted.textContent()).toBe('You have 5 characters left.');
    const spoken = page.locator('#c-text + [role=status]');
    expect(await spoken.textContent()).toBe('');
    await page.getByLabel('Text').fill('12345678901');
    expect(await counted.textContent()).toBe('You have 1 character too many.');
    await eventually(async () => expect(await spoken.textContent()).toBe('You have 1 character too many.'));
  });

  const memorable = questions({
    items: place(
      { 3: { values: ['from the link'] } },
      { key: 'name', type: 'short_text', label: 'Name' },
      { key: 'kind', type: 'select', label: 'Kind', options },
      { key: 'some', type: 'multi_select', label: 'Some', options: options.map(({ value }) => ({ value, label: `Box ${value}` })) },
      { key: 'given', type: 'short_text', label: 'Given' },
    ),
  });

  itInBrowser('puts back what was entered when the page is loaded again, until it is sent', async () => {
    const page = await open(memorable);
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Option b').check();
    await page.getByLabel('Box a').check();
    await page.getByLabel('Box c').check();
    await page.getByLabel('Box a').uncheck();
    await page.goto('/f/site-visit?lang=en');
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada');
    expect(await page.getByLabel('Option b').isChecked()).toBe(true);
    expect([await page.getByLabel('Box a').isChecked(), await page.getByLabel('Box c').isChecked()]).toEqual([false, true]);
    // Only what somebody entered is kept.
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('a.given');

    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  itInBrowser('keeps what was entered for the link under which it was, by the values that the form takes from it', async () => {
    const page = await open(memorable);
    const typed = async (query: string) => {
      await page.goto(`/f/site-visit?${query}`);
      return page.getByLabel('Name').inputValue();
    };
    await page.goto('/f/site-visit?given=a&name=b');
    await page.getByLabel('Name').fill('Ada');
    expect([await typed('given=c&name=b'), await typed('')]).toEqual(['', '']);
    expect(await typed('lang=en&name=b&campaign=mail&given=a')).toBe('Ada');
  });

  itInBrowser('goes on with it in the attempt that was sent, and in no other one', async () => {
    const pageOf = (token: string) => ({
      ...memorable,
      hidden: [
        ['token', token],
        ['begun', '1'],
      ] as const,
    });
    const page = await open(memorable, '/f/site-visit');
    await page.getByLabel('Name').fill('Ada');
    site.next = pageOf('t0ken');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.waitForFunction('document.forms[0].elements.begun');
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada');
    site.pages.set('/f/site-visit/at/1', pageOf('other'));
    await page.goto('/f/site-visit/at/1');
    expect(await page.getByLabel('Name').inputValue()).toBe('');
  });

  itInBrowser('puts a number back as the language of the page writes it', async () => {
    const items = place({}, { key: 'price', type: 'number', label: 'Price' }, { key: 'code', type: 'short_text', label: 'Code' });
    const page = await open(questions({ language: 'de', items }), '/f/site-visit');
    await page.getByLabel('Price').fill('1.500');
    await page.getByLabel('Code').fill('1.500');
    const values = async () => [await page.getByLabel('Price').inputValue(), await page.getByLabel('Code').inputValue()];
    await page.reload();
    expect(await values()).toEqual(['1.500', '1.500']);
    // Our words are in English here, but numbers are written in the language that was asked for.
    site.pages.set('/f/site-visit', questions({ language: 'sv', items }));
    await page.reload();
    expect(await values()).toEqual(['1500', '1.500']);
    await page.getByLabel('Price').fill('1,25');
    site.pages.set('/f/site-visit', questions({ items }));
    await page.reload();
    expect(await values()).toEqual(['1.25', '1.500']);
  });

  itInBrowser('forgets what was entered once it is saved on the server', async () => {
    const page = await open(memorable);
    await page.getByLabel('Name').fill('Ada');
    site.next = saved();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  itInBrowser('forgets what was entered as it is sent, if that leads to another site', async () => {
    const form = { title: 'Site visit', settings: { thank_you: { redirect_url: 'https://example.org/' } } };
    const page = await open({ ...memorable, form });
    await page.getByLabel('Name').fill('Ada');
    const kept = await page.evaluate(`(() => {
      const [form, before] = [document.querySelector('form'), sessionStorage.length];
      form.addEventListener('submit', (event) => event.preventDefault());
      form.querySelector('.primary').click();
      return [before, sessionStorage.length];
    })()`);
    expect(kept).toEqual([1, 0]);
  });

  itInBrowser('sends once, however often somebody clicks, and says that it does', async () => {
    const page = await open(memorable);
    const clicks = await page.evaluate<[boolean[], string]>(`(() => {
      const [form, ignored] = [document.querySelector('form'), []];
      form.addEventListener('submit', (event) => ignored.push(event.defaultPrevented));
      for (const click of [1, 2, 3]) form.querySelector('.primary').click();
      return [ignored, document.getElementById('status').textContent];
    })()`);
    expect(clicks).toEqual([[false, true, true], 'Sending…']);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(site.posts).toHaveLength(1);
  });

  itInBrowser('leads to the faults, and from there to the questions', async () => {
    const faults = [{ key: 'kind', code: 'required', params: {}, message: 'is required' }];
    const page = await open({ ...memorable, kind: 'questions', faults } as View);
    await eventually(async () => expect(await page.evaluate('document.activeElement.className')).toBe('summary'));
    await page.getByRole('link', { name: 'Kind: choose an option' }).click();
    expect(await page.evaluate('document.activeElement.id')).toBe('f-kind');
  });

  itInBrowser('offers to take an answer back once there is one', async () => {
    const page = await open(memorable);
    const none = page.getByLabel('No answer');
    expect(await none.isVisible()).toBe(false);
    await page.getByLabel('Option a').check();
    await none.check();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(site.posts[0]).toContain('name="a.kind"\r\n\r\n\r\n');
  });

  itInBrowser('proves the work before it sends', async () => {
    const page = await open(questions({ proof: { challenge: 'started:key', bits: 14 } }));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const [, nonce] = /name="proof"\r\n\r\n(\d+)\r\n/.exec(site.posts[0] ?? '') ?? [];
    const hash = createHash('sha256').update(`started:key:${nonce}`).digest();
    expect(hash.readUInt32BE() >>> 18).toBe(0);
  });

  itInBrowser('sends without a proof if the worker fails', async () => {
    const respondent = await asRespondent();
    await respondent.page.route(/proof/, (route) =>
      route.fulfill({ body: 'throw new Error("no work today");', contentType: 'text/javascript' }),
    );
    site.pages.set('/f/unproved', questions({ proof: { challenge: 'started:key', bits: 14 } }));
    await respondent.open('/f/unproved');
    await respondent.page.getByRole('button', { name: 'Send' }).click();
    await respondent.page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(site.posts[0]).toContain('name="proof"\r\n\r\n\r\n');
    respondent.problems.take();
  });

  itInBrowser('shows the button that prints', async () => {
    const page = await open(receipt(), '/f/site-visit/receipt/2');
    expect(await page.getByRole('button', { name: 'Print this page' }).isVisible()).toBe(true);
  });
});

describe('The script for other sites', () => {
  let other: Site;
  beforeAll(async () => (other = await Site.start()));
  afterAll(() => other.stop());

  const long = place(
    {},
    ...Array.from({ length: 12 }, (_, index) => ({ key: `q${index}`, type: 'short_text', label: `Question ${index}` })),
  );

  itInBrowser('shows forms where it stands, as high as they are, through all their steps', async () => {
    site.pages.set('/f/short', questions({ isEmbedded: true, action: '/f/short?embed=1', items: long.slice(0, 1) }));
    site.pages.set(
      '/f/long',
      questions({ isEmbedded: true, action: '/f/long?embed=1', items: long, form: { title: 'Long form', settings: {} } }),
    );
    const script = (attributes: string) => `<script src="${site.origin}/embed.js" ${attributes} async></script>`;
    other.pages.set(
      '/',
      `<!doctype html><title>Other</title><p>Before</p>${script('data-form="short" data-lang="de" data-prefill-q0="x y"')}${script('data-form="long"')}`,
    );

    const { page } = await asRespondent({ origins: [other.origin] });
    await page.goto(other.origin);
    const frames = page.locator('iframe');
    await eventually(async () => expect(await frames.count()).toBe(2));
    const [short, tall] = [frames.filter({ visible: true }).nth(0), frames.nth(1)];
    await tall.scrollIntoViewIfNeeded();
    const sources = await page.evaluate('[...document.querySelectorAll("iframe")].map(({ src }) => src)');
    expect(sources).toEqual(expect.arrayContaining([`${site.origin}/f/short?q0=x+y&lang=de&embed=1`, `${site.origin}/f/long?embed=1`]));

    const named = (path: string) => page.frames().find((frame) => frame.url().includes(path));
    const fits = async (path: string) => {
      const frame = named(path);
      const height = 'document.documentElement.getBoundingClientRect().height';
      const inner = (await frame?.evaluate<number>(height)) ?? 0;
      const outer = (await (await frame?.frameElement())?.boundingBox())?.height ?? 1_000;
      expect(Math.abs(inner - outer)).toBeLessThan(2);
      return outer;
    };
    await eventually(async () => {
      expect(await fits('/f/short')).toBeLessThan(await fits('/f/long'));
    });
    await eventually(async () => expect(await (await named('/f/long')?.frameElement())?.getAttribute('title')).toBe('Long form'));

    // The receipt is another page, and lower.
    const before = await fits('/f/long');
    await named('/f/long')?.getByRole('button', { name: 'Send' }).click();
    await eventually(async () => expect(await fits('/f/long')).toBeLessThan(before));
    expect(await short.count()).toBe(1);
  });
});
