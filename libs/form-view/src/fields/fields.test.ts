import { checkFormula } from '@sheaf/formulas';
import { labelsOf, tagsOf, tagWithId, textWithId } from '../markup';
import { render } from '../render';
import { enteredItems, itemsOf, question, questions } from '../sample-views';
import type { Fault } from '../view';
import { wordsOf } from '../words/languages';

const options = (...values: string[]) => values.map((value) => ({ value, label: `${value}!` }));
const fault = (code: string, params: Fault['params'] = {}): Fault => ({ key: 'answer', code, params, message: code });

describe('A question', () => {
  it.each([
    ['short_text', { type: 'text' }],
    ['email', { type: 'email', dir: 'ltr' }],
    ['url', { type: 'url', dir: 'ltr' }],
    ['phone', { type: 'tel', dir: 'ltr' }],
    ['number', { type: 'text', inputmode: 'decimal' }],
    ['integer', { type: 'text', inputmode: 'numeric' }],
    ['date', { type: 'date' }],
    ['time', { type: 'time' }],
    ['datetime', { type: 'datetime-local' }],
    ['file', { type: 'file', name: 'file.answer' }],
  ])('of the type %s has one input with a label', (type, attributes) => {
    const html = render(question({ type, label: 'Your name', required: true }));
    expect(tagWithId(html, 'f-answer')).toMatchObject({ name: 'a.answer', ...attributes });
    expect(tagsOf(html, 'label')).toContainEqual({ class: 'label', for: 'f-answer' });
    expect(labelsOf(html)).toContain('Your name');
  });

  it("of the type 'calculated' is an output with a label, and nothing that is sent", () => {
    const { formula } = { formula: undefined, ...checkFormula('1234.5', () => undefined) };
    const item = { type: 'calculated', label: 'Total', formula: '1234.5', format: 'currency', currency: 'eur' };
    const shown = { result: { value: 1234.5, formula } };
    const html = render(question(item, shown, { language: 'de' }));
    expect(tagsOf(html, 'output')).toMatchObject([{ id: 'f-answer' }]);
    expect(labelsOf(html)).toContain('Total');
    expect(/<bdi>[^<]*/.exec(html)?.[0]).toBe('<bdi>1.234,50\u00a0€');
    expect(html).not.toContain('name="a.answer"');
    expect(render(question(item, { result: { value: undefined, formula } }))).toContain('<bdi>–</bdi>');
    const unseen = render(question({ ...item, shown: false }, shown));
    expect([tagsOf(unseen, 'output'), unseen.includes('data-formula')]).toEqual([[], true]);
  });

  it('of the type long_text has a text area, which keeps the lines of its text', () => {
    const html = render(question({ type: 'long_text' }, { values: ['\none\ntwo </textarea>'] }));
    expect(tagWithId(html, 'f-answer')).toMatchObject({ name: 'a.answer', rows: '5' });
    // A browser drops the first line break.
    expect(html).toContain('>\n\none\ntwo &lt;/textarea&gt;</textarea>');
  });

  it('has what was typed, and how it is to be filled in', () => {
    const html = render(question({ type: 'email', placeholder: 'me@example.org', autocomplete: 'email' }, { values: ['ada@'] }));
    expect(tagWithId(html, 'f-answer')).toMatchObject({ value: 'ada@', placeholder: 'me@example.org', autocomplete: 'email' });
  });

  it('that need not be answered says so, and no control is required by the browser', () => {
    expect(labelsOf(render(question({ type: 'short_text', label: 'Name' })))).toContain('Name (optional)');
    expect(render(question({ type: 'short_text', label: 'Name', required: true }))).not.toMatch(/ required=|optional/);
  });

  it('is typed without cutting off what is too long', () => {
    expect(render(question({ type: 'long_text', max_length: 10 }))).not.toMatch(/maxlength/i);
    expect(render(question({ type: 'short_text', max_length: 10 }))).not.toMatch(/maxlength/i);
  });

  it('has the bounds of dates', () => {
    const bounds = { min_date: '2026-01-01', max_date: '2026-12-31' };
    expect(tagWithId(render(question({ type: 'date', ...bounds })), 'f-answer')).toMatchObject({ min: '2026-01-01', max: '2026-12-31' });
    expect(tagWithId(render(question({ type: 'datetime', ...bounds })), 'f-answer')).toMatchObject({
      min: '2026-01-01T00:00',
      max: '2026-12-31T23:59',
    });
  });

  it.each([
    ['date', '31.5.2026', 'For example, 2026-05-31'],
    ['time', 'noon', 'For example, 14:30'],
    ['datetime', 'tomorrow', 'For example, 2026-05-31T14:30'],
  ])('of the type %s keeps an answer that a picker would empty, with an example', (type, value, example) => {
    const html = render(question({ type }, { values: [value] }));
    expect(tagWithId(html, 'f-answer')).toMatchObject({ type: 'text', value, 'aria-describedby': 'h-answer' });
    expect(textWithId(html, 'h-answer')).toBe(example);
  });

  it('for numbers below zero has a keyboard with a minus', () => {
    expect(tagWithId(render(question({ type: 'integer', min: -5 })), 'f-answer')).not.toHaveProperty('inputmode');
  });
});

describe('A repeat', () => {
  const repeat = itemsOf({
    ...{ key: 'answer', type: 'repeat', label: 'Guests', item_label: 'Guest', max: 2 },
    fields: [
      { key: 'name', type: 'short_text', label: 'Name', required: true },
      { key: 'meal', type: 'select', label: 'Meal of {{name|the guest}}', options: ['fish', 'soup'] },
    ],
  });
  const entered = { answer: '2', 'answer[0].name': 'Ann', 'answer[1].meal': 'soup' };
  const buttons = (html: string) => tagsOf(html, 'button').map(({ value }) => value);

  it("of the type 'repeat' has the same questions in each item, under names of their own", () => {
    const html = render(questions({ items: enteredItems(repeat, entered) }));
    expect(labelsOf(html)).toEqual(expect.arrayContaining(['Guests (optional)', 'Guest 1', 'Name', 'Meal of Ann (optional)', 'Guest 2']));
    expect(tagWithId(html, 'f-answer[0].name')).toMatchObject({ name: 'a.answer[0].name', value: 'Ann' });
    expect(tagWithId(html, 'f-answer[1].meal-2')).toMatchObject({ name: 'a.answer[1].meal', value: 'soup', checked: '' });
    expect(html).toContain('name="a.answer" value="2"');
  });

  it('has a button for a further item as long as it may have one, and says so once it may not', () => {
    const drawn = (count: string) => render(questions({ items: enteredItems(repeat, { answer: count }) }));
    expect(buttons(drawn('0'))).toEqual(['send', 'add:answer', 'send']);
    expect(buttons(drawn('1'))).toEqual(['send', 'drop:answer:0', 'add:answer', 'send']);
    expect(buttons(drawn('2'))).toEqual(['send', 'drop:answer:0', 'drop:answer:1', 'send']);
    expect(drawn('2')).toContain('No more can be added: the maximum is 2.');
  });

  it('shows the items that it must have, which cannot be taken out', () => {
    const html = render(
      questions({
        items: enteredItems(
          repeat.map((each) => ({ ...each, required: true })),
          {},
        ),
      }),
    );
    expect(buttons(html)).toEqual(['send', 'add:answer', 'send']);
    expect(labelsOf(html)).toContain('Guest 1');
  });

  it('leads to a question of an item that is at fault, and names it', () => {
    const faults = [{ ...fault('required'), key: 'answer[1].name' }];
    const html = render(questions({ items: enteredItems(repeat, entered), faults }));
    expect(html).toContain('href="#f-answer[1].name"');
    expect(/href="#f-answer\[1\]\.name">([^<]*)/.exec(html)?.[1]?.replaceAll(/[\u2066-\u2069]/g, '')).toBe(
      'Guest 2: Name: enter an answer',
    );
    expect(tagWithId(html, 'f-answer[1].name')).toMatchObject({ 'aria-invalid': 'true' });
    expect(tagWithId(html, 'f-answer[0].name')).not.toHaveProperty('aria-invalid');
  });
});

describe('A question with choices', () => {
  it('has radio buttons for up to seven options, in a named group', () => {
    const html = render(question({ type: 'select', label: 'Kind', required: true, options: options('a', 'b') }, { values: ['b'] }));
    expect(tagsOf(html, 'fieldset')).toEqual([{ role: 'radiogroup' }]);
    expect(tagsOf(html, 'input').filter(({ type }) => type === 'radio')).toEqual([
      { type: 'radio', id: 'f-answer', name: 'a.answer', value: 'a' },
      { type: 'radio', id: 'f-answer-2', name: 'a.answer', value: 'b', checked: '' },
    ]);
    expect(labelsOf(html)).toEqual([expect.anything(), 'Kind', 'a!', 'b!']);
  });

  it('has a list box for more than seven options', () => {
    const html = render(question({ type: 'select', required: true, options: options(...'a b c d e f g h'.split(' ')) }, { values: ['c'] }));
    expect(tagWithId(html, 'f-answer')).toMatchObject({ name: 'a.answer' });
    expect(tagsOf(html, 'option')).toHaveLength(9);
    expect(tagsOf(html, 'option').filter(({ selected }) => selected !== undefined)).toEqual([{ value: 'c', selected: '' }]);
    expect(html).not.toContain('type="radio"');
  });

  it.each([
    ['multi_select', ['a', 'b']],
    ['select', ['a', 'b']],
    ['select', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
  ])('of the type %s says which options are full, and lets nobody choose them: of %j', (type, values) => {
    const html = render(question({ type, options: options(...values) }, { full: ['b'] }));
    expect(html.match(/ disabled=""/g)).toHaveLength(1);
    expect(html).toContain(wordsOf('en').optionFull);
    expect(render(question({ type, options: options(...values) }))).not.toMatch(/disabled/);
    // It would not be sent, so it does not look like an answer.
    expect(render(question({ type, options: options(...values) }, { full: ['b'], values: ['b'] }))).not.toMatch(/(?:checked|selected)=""/);
  });

  it('of the type country has the names in the order of the page’s language, the preferred ones before a line, and is filled in by browsers only if its author says so', () => {
    const item = { type: 'country', label: 'Land', required: true, only: ['AT', 'DE', 'SE', 'ZA'], preferred: ['SE'] };
    const html = render(question(item, { values: ['DE'] }, { language: 'de' }));
    expect(tagWithId(html, 'f-answer')).not.toHaveProperty('autocomplete');
    const own = render(question({ ...item, autocomplete: 'country' }));
    expect(tagWithId(own, 'f-answer')).toMatchObject({ name: 'a.answer', autocomplete: 'country' });
    const list = /<select.*<\/select>/.exec(html)?.[0].replaceAll(/<option value="(\w*)"(?: selected="")?>([^<]*)<\/option>/g, '$1 $2;');
    expect(list?.replace(/<select[^>]*>/, '')).toBe(
      ` ${wordsOf('de').choose};SE Schweden;<hr/>DE Deutschland;AT Österreich;ZA Südafrika;</select>`,
    );
    expect(tagsOf(html, 'option').find(({ selected }) => selected !== undefined)).toMatchObject({ value: 'DE' });
  });

  it('of the type country has the name of each country once, also on a page with conditions and texts that show it', () => {
    const item = { type: 'country', label: 'Country', visible_if: { key: 'other', answered: true } };
    const html = render(question(item));
    expect(html.match(/Liechtenstein/g)).toHaveLength(1);
    expect(tagsOf(html, 'option')).toHaveLength(251);
    expect(html).toContain('class="combo"');
  });

  const letters = 'abcdefghijklmnop'.split('');

  it.each([
    ['list', letters, 'class="choices"', 'radio'],
    ['buttons', ['a', 'b'], 'class="choices toggles"', 'radio'],
    ['dropdown', ['a', 'b'], '<select', 'option'],
  ])('looks as its author wants, however many options it has: as %s', (appearance, values, look, kind) => {
    const html = render(question({ type: 'select', required: true, appearance, options: options(...values) }, { values: ['b'] }));
    expect(html).toContain(look);
    const found = kind === 'option' ? tagsOf(html, 'option') : tagsOf(html, 'input').filter(({ type }) => type === kind);
    expect(found.filter(({ value }) => value).map(({ value, checked, selected }) => [value, checked ?? selected])).toEqual(
      values.map((value) => [value, value === 'b' ? '' : undefined]),
    );
  });

  describe('with pictures', () => {
    const picture = 'd7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d08d0bf37c9e592';
    const pictured = [{ value: 'a', label: 'a!', image: { picture } }, ...options('b')];
    const src = `/f/site-visit/pictures/${picture}`;

    it.each([
      ['select', undefined, 'choices cards'],
      ['select', 'buttons', 'choices toggles cards'],
      ['multi_select', undefined, 'choices cards'],
      ['multi_select', 'buttons', 'choices toggles cards'],
    ])('a %s shown as %s is cards whose names are their labels, also beside options without one', (type, appearance, shown) => {
      const html = render(question({ type, appearance, options: pictured }));
      expect(html).toContain(`class="${shown}"`);
      expect(tagsOf(html, 'img')).toEqual([{ src, alt: '', loading: 'lazy', decoding: 'async' }]);
      expect(labelsOf(html)).toEqual(expect.arrayContaining(['a!', 'b!']));
    });

    it('says what its author has written of a picture, in the language of the form', () => {
      const image = { picture, alt: 'A red cup' };
      const html = render(question({ type: 'select', options: [{ value: 'a', label: 'a!', image }] }, {}, { language: 'de' }));
      expect(tagsOf(html, 'img')).toMatchObject([{ alt: 'A red cup', lang: 'en' }]);
    });

    it('is a list however many options there are, and a dropdown without pictures if the author wants that', () => {
      const many = [...pictured, ...options('c', 'd', 'e', 'f', 'g', 'h')];
      expect(tagsOf(render(question({ type: 'select', options: many })), 'select')).toEqual([]);
      const dropdown = render(question({ type: 'select', appearance: 'dropdown', options: many }));
      expect([tagsOf(dropdown, 'select').length, tagsOf(dropdown, 'img').length]).toEqual([1, 0]);
    });
  });

  it('has check boxes underneath where several buttons can be chosen', () => {
    const html = render(question({ type: 'multi_select', appearance: 'buttons', options: options('a', 'b') }));
    expect(html).toContain('class="choices toggles"');
    expect(tagsOf(html, 'input').filter(({ type }) => type === 'checkbox')).toHaveLength(2);
  });

  it.each([
    ['select', {}],
    ['select', { appearance: 'list' }],
    ['multi_select', {}],
    ['multi_select', { appearance: 'buttons' }],
  ])('of the type %s (%j) can be searched from 16 options on, with a script that no other page loads', (type, more) => {
    const drawn = (values: string[]) => render(question({ type, ...more, options: options(...values) }));
    const [long, short] = [drawn(letters), drawn(letters.slice(1))];
    expect([long, short].map((html) => [html.includes('/assets/search.js'), /class="(?:find|combo)"/.test(html)])).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(long).toContain(`data-none-found="${wordsOf('en').noOptionFound}"`);
    // Without the script there is nothing that does not work.
    expect(tagsOf(long, 'div').filter((tag) => tag.class === 'find' && tag.hidden === undefined)).toEqual([]);
  });

  it('leaves Other in sight of a search', () => {
    const withOther = { options: [...options(...letters), { value: 'other', label: 'Other' }], other: { label: 'Other' } };
    const stay = (html: string) => [...html.matchAll(/data-stays=""/g)].length;
    expect(stay(render(question({ type: 'select', ...withOther })))).toBe(1);
    expect(stay(render(question({ type: 'select', appearance: 'list', ...withOther })))).toBe(1);
    expect(stay(render(question({ type: 'multi_select', ...withOther })))).toBe(1);
  });

  it('has check boxes where several options can be chosen, and says how many', () => {
    const html = render(
      question({ type: 'multi_select', options: options('a', 'b', 'c'), min_choices: 1, max_choices: 2 }, { values: ['a', 'c'] }),
    );
    const boxes = tagsOf(html, 'input').filter(({ type }) => type === 'checkbox');
    expect(boxes.map(({ id, checked }) => [id, checked])).toEqual([
      ['f-answer', ''],
      ['f-answer-2', undefined],
      ['f-answer-3', ''],
    ]);
    expect(tagsOf(html, 'fieldset')).toEqual([{ 'aria-describedby': 'h-answer' }]);
    expect(textWithId(html, 'h-answer')).toBe(wordsOf('en').chooseBetween(1, 2));
  });

  it('has a list for each rank of a ranking, which a screen reader names, and the answer in their order', () => {
    const html = render(
      question({ type: 'ranking', label: 'Cities', required: true, ranks: 2, options: options('a', 'b', 'c') }, { values: ['c', 'a'] }),
    );
    expect(tagsOf(html, 'fieldset')).toEqual([{ 'aria-describedby': 'h-answer' }]);
    expect(tagsOf(html, 'select')).toEqual([
      { id: 'f-answer', name: 'a.answer' },
      { id: 'f-answer-2', name: 'a.answer' },
    ]);
    expect(labelsOf(html).slice(-2)).toEqual(['Choice 1', 'Choice 2']);
    expect(tagsOf(html, 'option').filter(({ selected }) => selected !== undefined)).toEqual([
      { value: 'c', selected: '' },
      { value: 'a', selected: '' },
    ]);
    expect(textWithId(html, 'h-answer')).toBe(wordsOf('en').rankingRule);
    expect(html).not.toContain('/assets/search.js');
  });

  it('keeps the ranks of a ranking that was sent with a gap', () => {
    const html = render(question({ type: 'ranking', options: options('a', 'b') }, { values: ['', 'b'] }));
    const [first, second] = html.split('id="f-answer-2"').map((half) => tagsOf(half, 'option').filter(({ selected }) => selected === ''));
    expect([first, second]).toEqual([[{ value: '', selected: '' }], [{ value: 'b', selected: '' }]]);
  });

  it("of the type 'date_range' is two pickers of the same name, with a label each and the most days", () => {
    const html = render(
      question(
        { type: 'date_range', label: 'Stay', max_days: 5, min_date: '2026-01-01' },
        { values: ['2026-05-01', 'soon'] },
        { faults: [fault('ends_before_start')] },
      ),
    );
    expect(tagsOf(html, 'fieldset')).toEqual([{ 'aria-describedby': 'h-answer e-answer' }]);
    expect(tagWithId(html, 'f-answer')).toMatchObject({
      name: 'a.answer',
      type: 'date',
      value: '2026-05-01',
      min: '2026-01-01',
      'aria-invalid': 'true',
    });
    // A browser would empty a picker with another notation.
    expect(tagWithId(html, 'f-answer-2')).toMatchObject({ name: 'a.answer', type: 'text', value: 'soon', 'aria-invalid': 'true' });
    expect(labelsOf(html).slice(-2)).toEqual(['From', 'To']);
    expect(textWithId(html, 'h-answer')).toContain('Choose no more than 5 days');
    expect(textWithId(html, 'e-answer')).toBe('The last day must not be before the first');
  });

  it("of the type 'address' has a control for each part, with its purpose, and the fault beside the one that has it", () => {
    const html = render(
      question(
        { type: 'address', label: 'Home' },
        { values: ['Main St 1', '', '12345', '', '', 'DE'] },
        { faults: [fault('required', { part: 'city' })] },
      ),
    );
    expect(labelsOf(html).slice(-6)).toEqual([
      'Street and number',
      'Further address line (optional)',
      'Postal code',
      'Town or city',
      'State, province or region (optional)',
      'Country',
    ]);
    expect(tagWithId(html, 'f-answer')).toMatchObject({ name: 'a.answer', value: 'Main St 1', autocomplete: 'address-line1' });
    expect(tagWithId(html, 'f-answer')).not.toHaveProperty('aria-invalid');
    expect(tagWithId(html, 'f-answer-4')).toMatchObject({ 'aria-invalid': 'true', 'aria-describedby': 'e-answer' });
    expect(textWithId(html, 'e-answer')).toContain('enter an answer');
    expect(tagsOf(html, 'select')).toMatchObject([{ id: 'f-answer-6', autocomplete: 'country' }]);
    expect(html).toContain('href="#f-answer-4"');
  });

  it("of the type 'address' marks the parts that it needs and does not have, and no other one", () => {
    const marked = (values: readonly string[], params = {}) => {
      const html = render(question({ type: 'address', label: 'Home' }, { values }, { faults: [fault('required', params)] }));
      return [...tagsOf(html, 'input'), ...tagsOf(html, 'select')].filter((tag) => tag['aria-invalid'] === 'true').map(({ id }) => id);
    };
    expect(marked(['', '', '', '', '', ''])).toEqual(['f-answer', 'f-answer-3', 'f-answer-4', 'f-answer-6']);
    expect(marked(['Main St 1', '', '', 'Berlin', '', ''], { part: 'postal_code' })).toEqual(['f-answer-3', 'f-answer-6']);
  });

  it("of the type 'signature' has a control for a name, and a pad that the script shows", () => {
    const html = render(question({ type: 'signature', label: 'Signed' }, { values: ['Ada'] }, { faults: [fault('required')] }));
    expect(tagWithId(html, 'f-answer')).toMatchObject({
      type: 'text',
      name: 'a.answer',
      value: 'Ada',
      autocomplete: 'name',
      'aria-invalid': 'true',
    });
    expect(labelsOf(html)).toContain('Type your name');
    expect(textWithId(html, 'e-answer')).toBe('Sign, or type your name');
    expect(html).toContain('<div class="pad" hidden="">');
    expect(tagsOf(html, 'input').filter(({ type }) => type === 'file')).toMatchObject([
      { name: 'file.answer', accept: 'image/png', hidden: '' },
    ]);
    expect(html).toContain('sign.js');
  });

  it("of the type 'signature' shows a fault of its name at the question, with a link to its control", () => {
    const faults = [fault('too_long', { max: 200, part: 'name' })];
    const html = render(question({ type: 'signature', label: 'Signed' }, { values: ['Ada'] }, { faults }));
    expect(textWithId(html, 'e-answer')).toContain('200');
    expect(html).toContain('href="#f-answer"');
  });

  it('shows a signature that was drawn, to be taken away, and keeps the name that was typed before', () => {
    const files = [{ id: 'x', name: 'signature.png', size: 9_000, token: 'kept' }];
    const html = render(question({ type: 'signature', label: 'Signed' }, { values: ['Ada'], files }));
    expect(html).toContain('<bdi>Drawn signature</bdi>');
    expect(tagsOf(html, 'input').filter(({ name }) => name?.endsWith('.answer'))).toMatchObject([
      { type: 'hidden', name: 'kept.answer', value: 'kept' },
      { type: 'hidden', name: 'a.answer', value: 'Ada' },
    ]);
    expect(tagWithId(html, 'f-answer')).toMatchObject({ value: 'remove:answer:x' });
    expect(html).not.toContain('sign.js');
  });

  it("of the type 'matrix' is a table, whose buttons are named by row and column and belong together by row", () => {
    const item = { type: 'matrix', label: 'Looks', rows: options('f', 'b'), columns: options('x', 'y') };
    const html = render(question(item, { values: ['["f","y"]'] }));
    const radios = tagsOf(html, 'input').filter(({ type }) => type === 'radio');
    expect(radios.map(({ name, value, checked }) => [name, value?.replaceAll('&quot;', '"'), checked])).toEqual([
      ['a.answer.f', '["f","x"]', undefined],
      ['a.answer.f', '["f","y"]', ''],
      ['a.answer.f', '', undefined],
      ['a.answer.b', '["b","x"]', undefined],
      ['a.answer.b', '["b","y"]', undefined],
      ['a.answer.b', '', undefined],
    ]);
    expect(labelsOf(html)).toEqual(expect.arrayContaining(['f!: x!', 'f!: y!', 'b!: x!', 'b!: No answer']));
    expect(tagsOf(html, 'th').map(({ scope }) => scope)).toEqual(['col', 'col', 'col', 'row', 'row']);
    expect(new Set(radios.map(({ id }) => id)).size).toBe(6);
    const boxes = tagsOf(render(question({ ...item, multiple: true })), 'input').filter(({ type }) => type === 'checkbox');
    expect(boxes.map(({ name }) => name)).toEqual(['a.answer.f', 'a.answer.f', 'a.answer.b', 'a.answer.b']);
  });

  it('names the rows of a matrix that lack an answer, and leads to the first of them', () => {
    const item = { type: 'matrix', label: 'Looks', required: true, rows: options('f', 'b', 'c'), columns: options('x', 'y') };
    const faults = [fault('missing_rows', { rows: '["b","c"]', more: 0 })];
    const html = render(question(item, { values: ['["f","y"]'] }, { faults }));
    expect(textWithId(html, 'e-answer')).toBe('Choose an answer in each row. Missing: b! and c!');
    expect(tagWithId(html, 'f-answer')).toMatchObject({ name: 'a.answer.b', value: expect.stringContaining('x') as string });
    expect(tagsOf(html, 'tr').filter((tag) => tag.class === 'missing')).toHaveLength(2);
    // A radio button cannot be invalid by itself.
    expect(html).not.toContain('aria-invalid');
    const boxes = render(question({ ...item, multiple: true }, { values: ['["f","y"]'] }, { faults }));
    expect(tagsOf(boxes, 'input').filter((tag) => tag['aria-invalid'] === 'true')).toHaveLength(4);
    expect(tagsOf(html, 'input').filter((tag) => tag.id === 'f-answer')).toHaveLength(1);
  });

  it('is yes or no for a boolean', () => {
    const html = render(question({ type: 'boolean', required: true }, { values: ['false'] }));
    expect(tagsOf(html, 'input').filter(({ type }) => type === 'radio')).toMatchObject([
      { id: 'f-answer', value: 'true' },
      { id: 'f-answer-2', value: 'false', checked: '' },
    ]);
    expect(labelsOf(html).slice(-2)).toEqual(['Yes', 'No']);
  });

  it('is a single box for a boolean that must be true', () => {
    const html = render(question({ type: 'boolean', label: 'I agree', required: true, must_be_true: true }));
    expect(tagWithId(html, 'f-answer')).toMatchObject({ type: 'checkbox', name: 'a.answer', value: 'true' });
    expect(tagsOf(html, 'fieldset')).toEqual([]);
  });

  it('is a row of numbers for a rating, and a list box for a long scale', () => {
    const row = render(question({ type: 'rating', required: true, min: 0, max: 3 }, { values: ['2'] }));
    const radios = tagsOf(row, 'input').filter(({ type }) => type === 'radio');
    expect(radios.map(({ value, checked }) => [value, checked])).toEqual([
      ['0', undefined],
      ['1', undefined],
      ['2', ''],
      ['3', undefined],
    ]);
    expect(tagsOf(render(question({ type: 'rating', min: 1, max: 100 })), 'option')).toHaveLength(101);
  });

  it('of a rating is named with its place on the scale, and at the ends with what they mean', () => {
    const ends = { low_label: 'Bad', high_label: 'Good', translations: { de: { high_label: 'Gut' } } };
    const named = (more: object, language = 'en') => {
      const html = render({ ...question({ type: 'rating', required: true, max: 3, ...ends, ...more }), language, authorLanguage: 'en' });
      return [...html.matchAll(/<span class="unseen">(.*?)<\/span><\/label>/g)].map(([, name = '']) => name.replace(/<[^<>]*>/g, ''));
    };
    expect(named({})).toEqual(['1 of 3, Bad', '2 of 3', '3 of 3, Good']);
    expect(named({}, 'de')).toEqual(['1 von 3, Bad', '2 von 3', '3 von 3, Gut']);
    expect(named({ appearance: 'stars' })).toEqual(named({}));
    const faces = render(question({ type: 'rating', appearance: 'faces' }));
    expect(tagsOf(faces, 'input').filter(({ type, value }) => type === 'radio' && value !== '')).toHaveLength(5);
    expect(new Set(tagsOf(faces, 'path').map(({ d }) => d)).size).toBeGreaterThanOrEqual(5);
    expect(render(question({ type: 'rating', min: 1, max: 100, ...ends }))).toContain('100 – Good');
  });

  it('lets an answer be taken back if it is optional', () => {
    const noAnswer = (item: Record<string, unknown>, values: string[]) => {
      const html = render(question({ type: 'select', options: options('a', 'b'), ...item }, { values }));
      return tagsOf(html, 'div').find((tag) => tag.class === 'choice none');
    };
    expect(noAnswer({}, ['a'])).toEqual({ class: 'choice none' });
    expect(noAnswer({}, [])).toMatchObject({ hidden: '' });
    expect(noAnswer({ required: true }, ['a'])).toBeUndefined();
  });
});

describe('A question for files', () => {
  const files = [
    { id: '7', name: 'plan.pdf', size: 2_048, token: 't7' },
    { id: '8', name: 'photo.png', size: 3_072, token: 't8' },
  ];

  it('says which files it takes', () => {
    const html = render(
      question({ type: 'file', multiple: true, max_files: 3, accept: ['application/pdf', 'image/*'], max_bytes: 5_242_880 }),
    );
    expect(tagWithId(html, 'f-answer')).toMatchObject({ multiple: '', accept: 'application/pdf,image/*' });
    expect(textWithId(html, 'h-answer')).toMatch(
      /^You can add up to 3 files\. Accepted file types: PDF and images Largest file size: 5 MB/,
    );
  });

  it('lists the files that arrived, each with a button that removes it', () => {
    const html = render(question({ type: 'file', multiple: true }, { files }));
    expect(
      tagsOf(html, 'input')
        .filter(({ name }) => name === 'kept.answer')
        .map(({ value }) => value),
    ).toEqual(['t7', 't8']);
    expect(tagsOf(html, 'button')).toContainEqual(
      expect.objectContaining({ name: 'do', value: 'remove:answer:7', 'aria-label': 'Remove plan.pdf' }),
    );
    expect(tagWithId(html, 'f-answer')).toMatchObject({ type: 'file' });
  });

  it('has no input once there is no room, and the error summary leads to the first file', () => {
    const html = render(question({ type: 'file' }, { files: files.slice(0, 1) }, { faults: [fault('not_file')] }));
    expect(html).not.toContain(' type="file"');
    expect(tagWithId(html, 'f-answer')).toMatchObject({ value: 'remove:answer:7', 'aria-describedby': 'e-answer' });
    // A click on a label would remove the file.
    expect(tagsOf(html, 'label')).toEqual([{ for: 'hp' }]);
    expect(textWithId(html, 'l-answer')).toBe('Your answer (optional)');
  });

  it('does not let the Enter key remove a file', () => {
    const [first] = tagsOf(render(question({ type: 'file' }, { files })), 'button');
    expect(first).toEqual({ class: 'unseen', name: 'do', value: 'send', tabindex: '-1', 'aria-hidden': 'true' });
  });
});

describe('An answer that is refused', () => {
  const messages = { required: 'Enter the <b>order</b> number', min: 'Too small for an order' };
  const own = {
    type: 'number',
    label: 'Order',
    required: true,
    min: 3,
    messages,
    translations: { de: { messages: { required: 'Geben Sie die Bestellnummer ein' } } },
  };

  it('is told in the words of the author, also in the summary', () => {
    const html = render(question(own, {}, { faults: [fault('required')] }));
    expect(textWithId(html, 'e-answer')).toBe('Enter the <b>order</b> number');
    expect(html).toContain('<a href="#f-answer">Order: Enter the &lt;b&gt;order&lt;/b&gt; number</a>');
  });

  it('is told in the language of the page, or says the language of the author’s words', () => {
    const inGerman = (code: string) => render(question(own, {}, { language: 'de', faults: [fault(code, { min: 3 })] }));
    expect(inGerman('required')).toContain('id="e-answer"><bdi dir="ltr">Geben Sie die Bestellnummer ein</bdi>');
    expect(inGerman('too_small')).toContain('id="e-answer"><bdi dir="ltr" lang="en">Too small for an order</bdi>');
  });

  it('is told in our words where the author has none', () => {
    expect(textWithId(render(question(own, {}, { faults: [fault('not_number')] })), 'e-answer')).toMatch(/^Enter a number/);
  });

  it.each([
    ['short_text', {}],
    ['long_text', { max_length: 5 }],
    ['date', {}],
    ['file', {}],
    ['select', { options: options(...'a b c d e f g h'.split(' ')) }],
    ['boolean', { must_be_true: true }],
  ])('is told at the control (%s)', (type, more) => {
    const html = render(
      question({ type, label: 'Name', help: 'As in your passport.', required: true, ...more }, {}, { faults: [fault('required')] }),
    );
    const control = tagWithId(html, 'f-answer');
    expect(control['aria-invalid']).toBe('true');
    expect(control['aria-describedby']).toMatch(/^h-answer e-answer/);
    expect(textWithId(html, 'e-answer')).toMatch(/^(?:Enter|Choose|Add|Tick) .*/);
  });

  it('is told at the group of radio buttons, and at each check box', () => {
    const at = (type: string) => {
      const html = render(question({ type, required: true, options: options('a', 'b') }, {}, { faults: [fault('required')] }));
      const invalid = tagsOf(html, 'input').filter((tag) => tag['aria-invalid'] === 'true').length;
      return [tagsOf(html, 'fieldset')[0], invalid];
    };
    expect(at('select')).toEqual([{ role: 'radiogroup', 'aria-invalid': 'true', 'aria-describedby': 'e-answer' }, 0]);
    expect(at('multi_select')).toEqual([{ 'aria-describedby': 'e-answer' }, 2]);
  });

  it('is told at each list of a ranking, in words of its own', () => {
    for (const code of ['required', 'too_few_choices']) {
      const html = render(question({ type: 'ranking', options: options('a', 'b') }, {}, { faults: [fault(code, { min: 2 })] }));
      expect(tagsOf(html, 'select').map((tag) => tag['aria-invalid'])).toEqual(['true', 'true']);
      expect(textWithId(html, 'e-answer')).toBe('Choose a different option in each list');
    }
  });

  it('has a bound in its sentence', () => {
    const html = render(question({ type: 'integer' }, { values: ['99'] }, { faults: [fault('too_large', { max: 40 })] }));
    expect(textWithId(html, 'e-answer')).toBe('Enter 40 or a lower number');
  });

  it('shows the English message of a code that is not known yet', () => {
    expect(textWithId(render(question({ type: 'integer' }, {}, { faults: [fault('from the future')] })), 'e-answer')).toBe(
      'From the future',
    );
  });
});

describe('A field that is not shown', () => {
  it('is on the page, hidden, with its condition', () => {
    const html = render(question({ type: 'short_text', visible_if: { key: 'before', equals: '"<x>' } }, { isShown: false, index: 4 }));
    expect(tagWithId(html, 'i-4')).toMatchObject({
      hidden: '',
      'data-key': 'answer',
      'data-type': 'short_text',
      'data-if': '{"key":"before","equals":"\\"<x>"}',
    });
  });
});
