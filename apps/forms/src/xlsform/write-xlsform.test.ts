import {
  conditionBounds,
  FormDocument,
  isField,
  isMet,
  answerTraits,
  answerKindOf,
  type Condition,
  type Field,
  type FormItem,
} from '@sheaf/contracts';
import { propertyRuns } from '@sheaf/testing';
import { readSheets } from '@sheaf/workbook';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldFaults } from '../content/draft-rules';
import { readXlsForm } from './read-xlsform';
import { leftOutSheet, writeXlsForm } from './write-xlsform';

const folder = join(__dirname, '../../test/xlsforms');

const aDocument = (fields: readonly object[], parts: object = {}): FormDocument =>
  FormDocument.parse({ sheaf: 'form', version: 1, title: 'Visit', settings: {}, ...parts, fields });

const again = async (document: FormDocument) => readXlsForm(await writeXlsForm(document));

/** The rows of a sheet as objects by their columns. */
async function rowsOf(document: FormDocument, sheet: string): Promise<Record<string, string>[]> {
  const { [sheet]: rows = [] } = await readSheets(await writeXlsForm(document), [sheet], { warn: () => undefined });
  const [header, ...others] = rows;
  return others.map(({ cells }) =>
    Object.fromEntries([...(header?.cells ?? [])].flatMap(([at, name]) => (cells.has(at) ? [[name, cells.get(at) ?? '']] : []))),
  );
}

const leftOut = async (document: FormDocument) =>
  (await rowsOf(document, leftOutSheet)).map((row) => `${row.question ?? ''}: ${row['left out'] ?? ''}`);

const colours = [
  { value: 'red', label: 'Red' },
  { value: 'blue', label: 'Blue' },
  { value: 'green', label: "Green, 'like' grass" },
];

describe('an XLSForm that was imported', () => {
  it.each(readdirSync(folder))('comes out as the same form: %s', async (name) => {
    const { document } = await readXlsForm(readFileSync(join(folder, name)));
    expect((await again(document)).document).toEqual(document);
  });
});

// An earlier question of each kind, so that every operator has something to ask.
const asked = [
  { key: 'name', label: 'Name', type: 'short_text' },
  { key: 'city', label: 'City', type: 'short_text' },
  { key: 'age', label: 'Age', type: 'integer' },
  { key: 'height', label: 'Height', type: 'number' },
  { key: 'agrees', label: 'Do you agree?', type: 'boolean' },
  { key: 'born', label: 'Born', type: 'date' },
  { key: 'at', label: 'At', type: 'time' },
  { key: 'when', label: 'When', type: 'datetime' },
  { key: 'colour', label: 'Colour', type: 'select', options: colours },
  { key: 'colours', label: 'Colours', type: 'multi_select', options: colours },
  { key: 'order', label: 'Order', type: 'ranking', options: colours },
].map((field) => ({ required: false, ...field })) as Field[];

const answersTo: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  name: fc.constantFrom('Ann', "O'Hara", 'Berlin'),
  city: fc.constantFrom('Berlin', 'Ann'),
  age: fc.constantFrom(-1, 0, 17, 18),
  height: fc.constantFrom(0.1, 1.5, 18),
  // A box that is not ticked has no answer.
  agrees: fc.constant(true),
  born: fc.constantFrom('2001-01-31', '2001-02-01'),
  at: fc.constantFrom('09:30', '18:00'),
  when: fc.constantFrom('2026-03-05T10:00', '2026-03-06T00:00'),
  colour: fc.constantFrom('red', 'blue', 'green'),
  colours: fc.subarray(['red', 'blue', 'green'], { minLength: 1 }),
  order: fc.shuffledSubarray(['red', 'blue', 'green'], { minLength: 3 }),
};

const answers = fc.record(answersTo, { requiredKeys: [] });

const comparison = fc.constantFrom(...asked).chain((field): fc.Arbitrary<Condition> => {
  const { key } = field;
  const kind = answerKindOf(field);
  const value = (kind === 'options' ? fc.constantFrom('red', 'blue') : (answersTo[key] ?? fc.constant(''))) as fc.Arbitrary<string>;
  const others = asked.filter((other) => other.key !== key && ['name', 'city', 'colour'].includes(other.key));
  const operand = ['name', 'city'].includes(key)
    ? fc.oneof(value, fc.record({ key: fc.constantFrom(...others.map((other) => other.key)) }))
    : value;
  return fc.constantFrom(...answerTraits(kind).operators).chain((operator): fc.Arbitrary<Condition> => {
    switch (operator) {
      case 'answered':
        return fc.boolean().map((answered) => ({ key, answered }));
      case 'in':
        return fc.uniqueArray(value, { minLength: 1, maxLength: 3 }).map((among) => ({ key, in: among }));
      case 'chosen_at_least':
      case 'chosen_at_most':
        return fc.nat({ max: 3 }).map((count) => ({ key, [operator]: count }));
      case 'contains':
      case 'not_contains':
      case 'starts_with':
        // Of a text, this comes out with another meaning, and is named.
        return value.map((text) => (kind === 'options' ? { key, [operator]: text } : { key, equals: text }));
      case 'equals':
      case 'not_equals':
      case 'gt':
      case 'gte':
      case 'lt':
      case 'lte':
        return operand.map((text) => ({ key, [operator]: text }));
    }
  });
});

const condition = fc.letrec<{ any: Condition }>((tie) => ({
  any: fc.oneof(
    { maxDepth: conditionBounds.depth - 2, withCrossShrink: true },
    { weight: 3, arbitrary: comparison },
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('any').map((not) => ({ not })),
  ),
})).any;

/** Conditions of options as cascades have them, and those that are nearly so. */
const ofCascade = fc
  .array(
    fc.oneof(
      fc.constantFrom('red', 'blue').map((value): Condition => ({ key: 'colour', equals: value })),
      fc.subarray(['red', 'blue', 'green'], { minLength: 1 }).map((among): Condition => ({ key: 'colour', in: among })),
      fc.constantFrom('red', 'blue').map((value): Condition => ({ key: 'colours', equals: value })),
      fc.subarray(['red', 'blue', 'green'], { minLength: 1 }).map((among): Condition => ({ key: 'colours', in: among })),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .chain((conditions): fc.Arbitrary<Condition> => fc.constantFrom({ all: conditions }, { any: conditions }, ...conditions));

describe('a condition of a form', () => {
  it('of every option is met by the same answers, whether it is that of a cascade or another one', async () => {
    const conditions = fc.oneof(
      ofCascade.chain((one) => fc.tuple(fc.constant(one), ofCascade, ofCascade)),
      fc.tuple(condition, ofCascade, condition),
    );
    await fc.assert(
      fc.asyncProperty(conditions, fc.array(answers, { minLength: 20, maxLength: 20 }), async (given, cases) => {
        const options = colours.map((option, at) => ({ ...option, visible_if: given[at] }));
        const { document } = await again(aDocument([...asked, { key: 'kind', label: 'Kind', type: 'select', options }]));
        const kind = document.fields.filter(isField).find(({ key }) => key === 'kind');
        expect(kind?.options?.map(({ value }) => value)).toEqual(['red', 'blue', 'green']);
        for (const answered of cases)
          expect(kind?.options?.map((option) => option.visible_if && isMet(option.visible_if, answered))).toEqual(
            given.map((one) => isMet(one, answered)),
          );
      }),
      propertyRuns(300),
    );
  });

  it('is met by the same answers after it came out and was imported again, wherever it stands', async () => {
    await fc.assert(
      fc.asyncProperty(
        condition,
        condition,
        condition,
        fc.array(answers, { minLength: 20, maxLength: 20 }),
        async (shown, required, refused, cases) => {
          const items = [
            ...asked,
            { type: 'section', label: 'More', visible_if: shown },
            { key: 'more', label: 'More', type: 'short_text', required: true, required_if: required },
            {
              key: 'kind',
              label: 'Kind',
              type: 'select',
              required: false,
              options: colours.map((option, at) => (at === 0 ? { ...option, visible_if: refused } : option)),
            },
            { type: 'check', if: { all: [{ key: 'more', answered: true }, refused] }, message: 'No.', at: 'more' },
          ] as FormItem[];
          const written = await writeXlsForm(aDocument(items));
          const { document, warnings } = await readXlsForm(written);
          expect(warnings.filter(({ loses }) => loses !== undefined)).toEqual([]);
          expect(fieldFaults(document.fields)).toEqual([]);
          const conditionsOf = (fields: readonly FormItem[]) => {
            const more = fields.filter(isField).find(({ key }) => key === 'more');
            const kind = fields.filter(isField).find(({ key }) => key === 'kind');
            const section = fields.find(({ type }) => type === 'section') as { visible_if?: Condition } | undefined;
            const check = fields.find(({ type }) => type === 'check') as { if?: Condition } | undefined;
            return [section?.visible_if, more?.required_if, kind?.options?.[0]?.visible_if, check?.if];
          };
          const [before, after] = [conditionsOf(items), conditionsOf(document.fields)];
          for (const given of cases)
            for (const answered of [given, { ...given, more: 'x' }])
              expect(after.map((one) => one && isMet(one, answered))).toEqual(before.map((one) => one && isMet(one, answered)));
        },
      ),
      propertyRuns(300),
    );
  });
});

describe('a form as an XLSForm', () => {
  it('has each question, page, section, note, ending group and list in the rows that authors know', async () => {
    const document = aDocument([
      { key: 'hello', label: 'Hello', type: 'hidden', default: 'x' },
      { type: 'page', label: 'You', help: 'About you.' },
      { key: 'note_1', label: 'Notes', type: 'long_text', max_length: 200 },
      { type: 'statement', label: 'Read this.' },
      { key: 'photo', label: 'Photo', type: 'file', accept: ['image/*'], required: true, messages: { required: 'Send one.' } },
      { key: 'signed', label: 'Signed', type: 'signature' },
      { type: 'section', label: 'Taste', visible_if: { key: 'note_1', answered: true } },
      { key: 'colour', label: 'Colour', type: 'select', options: colours, default: 'red' },
      { key: 'second', label: 'Second', type: 'select', options: colours, visible_if: { key: 'colour', in: ['red', 'blue'] } },
      { type: 'page', label: 'End' },
      { key: 'stars', label: 'Stars', type: 'rating' },
      { key: 'consent', label: 'I agree', type: 'boolean', required: true, must_be_true: true },
    ]);
    expect(await rowsOf(document, 'survey')).toEqual([
      { type: 'hidden', name: 'hello', label: 'Hello', default: 'x' },
      { type: 'begin_group', name: 'page_1', label: 'You', hint: 'About you.', appearance: 'field-list' },
      { type: 'text', name: 'note_1', label: 'Notes', constraint: 'string-length(.) <= 200', appearance: 'multiline' },
      { type: 'note', name: 'note_2', label: 'Read this.' },
      { type: 'image', name: 'photo', label: 'Photo', required: 'yes', required_message: 'Send one.' },
      { type: 'image', name: 'signed', label: 'Signed', appearance: 'signature' },
      { type: 'begin_group', name: 'section_1', label: 'Taste', relevant: "${note_1} != ''" },
      { type: 'select_one colour', name: 'colour', label: 'Colour', default: 'red' },
      { type: 'select_one colour', name: 'second', label: 'Second', relevant: "${colour} = 'red' or ${colour} = 'blue'" },
      { type: 'end_group' },
      { type: 'end_group' },
      { type: 'begin_group', name: 'page_2', label: 'End', appearance: 'field-list' },
      { type: 'range', name: 'stars', label: 'Stars', appearance: 'rating', parameters: 'start=1 end=5 step=1' },
      { type: 'acknowledge', name: 'consent', label: 'I agree', required: 'yes' },
      { type: 'end_group' },
    ]);
    expect(await rowsOf(document, 'choices')).toEqual(colours.map(({ value, label }) => ({ list_name: 'colour', name: value, label })));
    expect(await rowsOf(document, 'settings')).toEqual([{ form_title: 'Visit' }]);
    expect(await leftOut(document)).toEqual(['signed: that people may type their name in place of a drawing']);
  });

  it('has its languages in columns, and words of its own only where they are known', async () => {
    const document = aDocument(
      [
        {
          ...{ key: 'colour', label: 'Colour', type: 'select', options: colours },
          translations: { de: { label: 'Farbe', options: { red: 'Rot' } }, nl: { label: 'Kleur' } },
        },
        { key: 'sure', label: 'Sure?', type: 'boolean', required: true },
      ],
      { settings: { languages: ['en', 'de', 'nl'], default_language: 'en' } },
    );
    expect(await rowsOf(document, 'survey')).toEqual([
      {
        ...{ type: 'select_one colour', name: 'colour', 'label::English (en)': 'Colour' },
        ...{ 'label::German (de)': 'Farbe', 'label::Dutch (nl)': 'Kleur' },
      },
      { type: 'select_one sure', name: 'sure', 'label::English (en)': 'Sure?', required: 'yes' },
    ]);
    const choices = await rowsOf(document, 'choices');
    expect(choices[0]).toEqual({ list_name: 'colour', name: 'red', 'label::English (en)': 'Red', 'label::German (de)': 'Rot' });
    expect(choices.slice(3)).toEqual([
      { list_name: 'sure', name: 'true', 'label::English (en)': 'Yes', 'label::German (de)': 'Ja' },
      { list_name: 'sure', name: 'false', 'label::English (en)': 'No', 'label::German (de)': 'Nein' },
    ]);
    expect(await rowsOf(document, 'settings')).toEqual([{ form_title: 'Visit', default_language: 'English (en)' }]);
  });

  it('names everything that it cannot say, with its question', async () => {
    const document = aDocument(
      [
        { key: 'email', label: 'E-mail', type: 'email', unique: true, placeholder: 'a@b.org' },
        {
          ...{ key: 'diet', label: 'Diet', type: 'multi_select', max_choices: 2 },
          options: [
            { value: 'no meat', label: 'No meat', limit: 3 },
            { value: 'no_meat', label: 'No meat at all' },
          ],
        },
        { key: 'scan', label: 'Scan', type: 'file', accept: ['image/*', 'application/pdf'], multiple: true },
        { key: 'site', label: 'Site', type: 'short_text', visible_if: { key: 'email', contains: 'org' } },
        { type: 'check', if: { key: 'site', equals: 'x' }, message: 'Not x.', at: 'site' },
        {
          type: 'check',
          if: {
            all: [
              { key: 'site', answered: true },
              { key: 'site', equals: 'y' },
            ],
          },
          message: 'Not y.',
          at: 'site',
        },
        { type: 'ending', name: 'no', if: { key: 'site', equals: 'z' }, title: 'Sorry' },
      ],
      { settings: { description: 'Hello' }, closed_message: 'Later', publish_mode: 'auto', payment: { amount: 100, currency: 'eur' } },
    );
    expect(await leftOut(document)).toEqual([
      ': the form’s description',
      ': the form’s closed_message',
      ': the form’s payment',
      ': the form’s publish_mode',
      'email: placeholder',
      'email: unique',
      'email: the type email: any text is accepted',
      'diet: the places of 1 options',
      'diet: the value "no meat", as it has a space: it is "no_meat_"',
      'scan: multiple',
      'scan: the types of files: image/*, application/pdf',
      'site: the check "Not x." while the question has no answer',
      'site: the message "Not y."',
      'site: that the condition under which it is shown does not depend on case and accents',
      'Sorry: the ending: people read the same text whatever they answer',
    ]);
    expect((await rowsOf(document, 'choices')).map(({ name }) => name)).toEqual(['no_meat_', 'no_meat']);
  });

  it('computes with XPath what a formula computes', async () => {
    const document = aDocument([
      { key: 'places', label: 'Places', type: 'integer' },
      { key: 'member', label: 'Member', type: 'boolean' },
      { key: 'from', label: 'From', type: 'date' },
      { key: 'colour', label: 'Colour', type: 'select', options: colours },
      { key: 'colours', label: 'Colours', type: 'multi_select', options: colours },
      { key: 'total', label: 'Total', type: 'calculated', formula: 'sum(places, 1) * 2.5 - if(member, 10, 0) / 3 % 2', format: 'number' },
      { key: 'text', label: 'Text', type: 'calculated', formula: "concat(label(colour), ' ', floor(total))", format: 'text', shown: false },
      { key: 'days', label: 'Days', type: 'calculated', formula: 'days_between(from, today())', format: 'number', shown: false },
      {
        key: 'is',
        label: 'Is',
        type: 'calculated',
        formula: "not (selected(colours, 'red') and count(colours, places) > 2)",
        format: 'boolean',
        shown: false,
      },
    ]);
    expect((await rowsOf(document, 'survey')).slice(5).map(({ type, name, calculation }) => [type, name, calculation])).toEqual([
      ['decimal', 'total', "(((coalesce(${places}, 0) + coalesce(1, 0)) * 2.5) - ((if((${member} = 'OK'), 10, 0) div 3) mod 2))"],
      ['calculate', 'text', "concat(jr:choice-name(${colour}, '${colour}'), ' ', (int(${total}) - if(${total} < int(${total}), 1, 0)))"],
      ['calculate', 'days', 'round(decimal-date-time(today()) - decimal-date-time(${from}), 0)'],
      ['calculate', 'is', "not((selected(${colours}, 'red') and ((count-selected(${colours}) + if(${places} != '', 1, 0)) > 2)))"],
    ]);
    expect(await leftOut(document)).toEqual([]);
  });

  it('refers to questions where texts show answers, and to nothing where they only look so', async () => {
    const document = aDocument([
      { key: 'first', label: 'First name', type: 'short_text' },
      { key: 'age', label: 'How old is {{first|she}}?', help: String.raw`\{{first}} and ${'${x}'}`, type: 'integer' },
      { type: 'statement', label: 'Thanks, {{first}}.' },
    ]);
    expect((await rowsOf(document, 'survey')).slice(1).map(({ label, hint }) => [label, hint])).toEqual([
      ['How old is ${first}?', '{{first}} and $ {x}'],
      ['Thanks, ${first}.', undefined],
    ]);
    expect(await leftOut(document)).toEqual(['age: the words in place of a missing answer']);
    expect((await again(document)).document.fields).toMatchObject([
      { label: 'First name' },
      { label: 'How old is {{first}}?', help: String.raw`\{{first}} and $ {x}` },
      { label: 'Thanks, {{first}}.' },
    ]);
  });

  it('compares times as numbers of hours, and counts the last day of a date and time', async () => {
    const document = aDocument([
      { key: 'at', label: 'At', type: 'time' },
      {
        key: 'when',
        label: 'When',
        type: 'datetime',
        min_date: '2026-03-01',
        max_date: '2026-03-31',
        visible_if: { key: 'at', gt: '18:00' },
      },
    ]);
    expect((await rowsOf(document, 'survey'))[1]).toMatchObject({
      relevant: "decimal-time(${at}) > decimal-time('18:00')",
      constraint: ". >= date('2026-03-01') and . < date('2026-04-01')",
    });
    expect((await again(document)).document.fields).toEqual(document.fields);
  });

  it('has the looks and the order of choices that an import reads', async () => {
    const choice = { label: 'Colour', type: 'select', required: false, options: colours };
    const document = aDocument([
      { ...choice, key: 'a', appearance: 'dropdown', shuffle: true },
      { ...choice, key: 'b', appearance: 'buttons' },
      { ...choice, key: 'c', appearance: 'list' },
    ]);
    const { fields } = (await again(document)).document;
    expect(fields).toEqual(document.fields);
    expect(await leftOut(document)).toEqual([]);
  });

  it('writes a check that refuses each answer', async () => {
    const document = aDocument([
      { key: 'closed', label: 'Closed', type: 'short_text' },
      { type: 'check', if: { all: [{ key: 'closed', answered: true }] }, message: 'We take no answers any more.', at: 'closed' },
    ]);
    const [{ constraint } = {}] = await rowsOf(document, 'survey');
    expect(constraint).toBe("not(. != '')");
  });

  it('has rankings, apart from how many ranks there are', async () => {
    const ranking = { label: 'Colours', type: 'ranking', required: true, options: colours, shuffle: true };
    const document = aDocument([
      { ...ranking, key: 'all' },
      { ...ranking, key: 'best', ranks: 2 },
    ]);
    expect((await rowsOf(document, 'survey'))[0]).toMatchObject({
      type: expect.stringMatching(/^rank /) as string,
      parameters: 'randomize=true',
    });
    expect((await again(document)).document.fields[0]).toEqual(document.fields[0]);
    expect(await leftOut(document)).toEqual(['best: ranks']);
  });

  it('asks for a date range by two questions, and says what they do not hold together', async () => {
    const document = aDocument([
      { key: 'stay_from', label: 'Taken', type: 'short_text' },
      { key: 'stay', label: 'Stay', type: 'date_range', required: true, min_date: '2026-01-01', max_days: 5 },
      { key: 'why', label: 'Why {{stay}}?', type: 'short_text', visible_if: { key: 'stay', answered: true } },
    ]);
    expect(await rowsOf(document, 'survey')).toMatchObject([
      {},
      { type: 'begin_group', name: 'stay', label: 'Stay' },
      { type: 'date', name: 'stay_from_', label: 'From', required: 'yes', constraint: ". >= date('2026-01-01')" },
      { type: 'date', name: 'stay_to', label: 'To', required: 'yes', constraint: ". >= date('2026-01-01')" },
      { type: 'end_group' },
      { label: 'Why ${stay_from_} – ${stay_to}?', relevant: "${stay_from_} != ''" },
    ]);
    expect(await leftOut(document)).toEqual([
      'stay: that its answer is one: it is asked by 2 questions, which are not compared with each other',
      'stay: max_days',
    ]);
  });

  it('asks for an address by a group, with a question for each of its parts, and says which of them belong together', async () => {
    const parts = [{ part: 'city', required: true }, { part: 'line2' }, { part: 'country', required: true }];
    const visible_if = { key: 'moved', equals: 'yes' };
    const translations = { de: { label: 'Wo?', help: 'Wie auf Briefen.' } };
    const fields = [
      { key: 'moved', label: 'Moved?', type: 'short_text' },
      { key: 'home', label: 'Where?', help: 'As on letters.', type: 'address', parts, visible_if, translations },
    ];
    const document = aDocument(fields, { settings: { languages: ['en', 'de'], default_language: 'en' } });
    const [, ...rows] = await rowsOf(document, 'survey');
    expect(rows).toMatchObject([
      { type: 'begin_group', name: 'home', relevant: "${moved} = 'yes'" },
      { type: 'text', name: 'home_city' },
      { type: 'text', name: 'home_line2' },
      { type: 'select_one home_country', name: 'home_country' },
      { type: 'end_group' },
    ]);
    const texts = (tag: string) => rows.map((row) => [row[`label::${tag}`], row[`hint::${tag}`]].filter((text) => text));
    expect(texts('English (en)')).toEqual([['Where?', 'As on letters.'], ['Town or city'], ['Further address line'], ['Country'], []]);
    expect(texts('German (de)')).toEqual([['Wo?', 'Wie auf Briefen.'], ['Ort'], ['Adresszusatz'], ['Land'], []]);
    expect(rows.filter(({ relevant, required }) => Boolean(relevant) || Boolean(required))).toHaveLength(1);
    expect(await leftOut(document)).toEqual([
      'home: that its answer is one: it is asked by 3 questions, which are not compared with each other',
      'home: that city, country must be given once another part is',
    ]);
  });

  it('names the checks at what nobody answers there', async () => {
    const document = aDocument([
      { key: 'places', label: 'Places', type: 'integer' },
      { key: 'total', label: 'Total', type: 'calculated', formula: 'places * 2' },
      { type: 'check', if: { key: 'total', gt: 100 }, message: 'Too many.', at: 'total' },
    ]);
    expect(await leftOut(document)).toEqual(['total: the check "Too many."']);
  });

  it('has a name of its own for each option, whatever their values are', async () => {
    const options = ['a b', 'a  b', 'a_b', 'c'].map((value) => ({ value, label: value }));
    const document = aDocument([{ key: 'letters', label: 'Letters', type: 'multi_select', options }]);
    expect((await rowsOf(document, 'choices')).map(({ name }) => name)).toEqual(['a_b_', 'a_b__', 'a_b', 'c']);
  });

  it('has as many rows as options where their conditions would make more than a sheet can have', async () => {
    const values = Array.from({ length: 70 }, (_, index) => `v${index}`);
    const parent = (key: string) => ({ key, label: key, type: 'select', options: values.map((value) => ({ value, label: value })) });
    const many = { all: ['a', 'b'].map((key) => ({ key, in: values })) };
    const alternatives = { any: Array.from({ length: 25 }, () => many) };
    const document = aDocument([
      ...['a', 'b'].map(parent),
      ...Array.from({ length: 100 }, (_, index) => ({
        ...{ key: `k${index}`, label: 'K', type: 'select' },
        options: [
          { value: 'one', label: `One ${index}`, visible_if: many },
          { value: 'two', label: 'Two', visible_if: index === 0 ? alternatives : many },
        ],
      })),
    ]);
    expect((await rowsOf(document, 'choices')).length).toBe(70 + 200);
  });

  it('keeps people from being asked what was to be hidden from them, if a cell cannot have the condition', async () => {
    const options = Array.from({ length: 200 }, (_, index) => ({ value: `${'v'.repeat(180)}${index}`, label: 'V' }));
    const document = aDocument([
      { key: 'a', label: 'A', type: 'select', options },
      { key: 'b', label: 'B', type: 'short_text', required: true, visible_if: { key: 'a', in: options.map(({ value }) => value) } },
    ]);
    expect((await rowsOf(document, 'survey'))[1]).toEqual({ type: 'text', name: 'b', label: 'B' });
    expect(await leftOut(document)).toEqual(['b: the condition under which it is shown: longer than a cell can be']);
  });

  it('has texts as they are, whatever their characters', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), { minLength: 3, maxLength: 3 }),
        async (texts) => {
          const [label = '', help = '', option = ''] = texts.map((text) => `=${text.trim().replaceAll(/[\0\r]/g, '')}.`);
          const document = aDocument([
            { key: 'a', label, help, type: 'select', options: [{ value: 'one', label: option }] },
            { key: 'b', label: 'B', type: 'short_text', required: false },
          ]);
          expect((await again(document)).document.fields).toMatchObject([{ label, help, options: [{ label: option }] }, { label: 'B' }]);
        },
      ),
      propertyRuns(200),
    );
  });
});

it('writes a question for a country as a choice of countries by their names in each language', async () => {
  const document = aDocument(
    [
      { key: 'from', label: 'From', type: 'country', only: ['AT', 'SE', 'DE'], preferred: ['SE'], default: 'DE' },
      { key: 'to', label: 'To', type: 'country', only: ['AT', 'SE', 'DE'], preferred: ['SE'] },
      { key: 'visa', label: 'Visa', type: 'short_text', visible_if: { key: 'from', in: ['AT', 'DE'] } },
    ],
    { settings: { languages: ['en', 'de'], default_language: 'en' } },
  );
  expect(await leftOut(document)).toEqual([]);
  expect((await rowsOf(document, 'choices')).map((row) => Object.values(row))).toEqual([
    ['from', 'SE', 'Sweden', 'Schweden'],
    ['from', 'AT', 'Austria', 'Österreich'],
    ['from', 'DE', 'Germany', 'Deutschland'],
  ]);
  const { document: read } = await again(document);
  expect(read.fields.filter(isField).map(({ type, options = [] }) => [type, options.map(({ value }) => value)])).toEqual([
    ['select', ['SE', 'AT', 'DE']],
    ['select', ['SE', 'AT', 'DE']],
    ['short_text', []],
  ]);
  expect(read.fields[2]).toMatchObject({ visible_if: { key: 'from', in: ['AT', 'DE'] } });
  expect(read.fields[0]).toMatchObject({ default: 'DE' });
});

it('a matrix comes out as a table of choices, and is imported again as it was', async () => {
  const choices = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }));
  const matrix = {
    ...({ key: 'looks', type: 'matrix', label: 'How is it?', help: 'In each row', required: true } as const),
    ...{ rows: choices({ front: 'The front', back: 'The back' }), columns: choices({ bad: 'Bad', good: 'Good' }) },
    messages: { required: 'Each row, please' },
  };
  const document = aDocument([
    { key: 'age', label: 'Age', type: 'integer', required: false },
    { ...matrix, visible_if: { key: 'age', gt: 17 } },
    { ...matrix, key: 'uses', required: false, multiple: true, messages: undefined },
    { key: 'more', label: 'More', type: 'short_text', required: false },
  ]);
  const { document: read, warnings } = await again(document);
  expect(read.fields).toEqual(JSON.parse(JSON.stringify(document.fields)));
  expect(warnings).toEqual([]);
  expect(await leftOut(document)).toEqual(
    ['looks', 'uses'].map((key) => `${key}: that its answer is one: it is asked by 2 questions, which are not compared with each other`),
  );
});

describe('a repeat', () => {
  const kids = (parts: object = {}) => ({
    ...{ key: 'kids', label: 'Children', type: 'repeat', required: false },
    fields: [
      { key: 'kid', label: 'Name', type: 'short_text', required: true },
      { key: 'school', label: 'At school?', type: 'select', required: false, options: colours },
      {
        key: 'which',
        label: 'Which one does {{kid}} go to?',
        type: 'short_text',
        required: true,
        visible_if: { key: 'school', equals: 'red' },
      },
    ],
    ...parts,
  });
  const after = { key: 'after', label: 'After', type: 'short_text', required: false, visible_if: { key: 'kids', chosen_at_least: 2 } };

  it('comes out with its questions, and is the same one when it is imported again', async () => {
    const document = aDocument([kids(), after]);
    expect((await again(document)).document.fields).toEqual(document.fields);
    expect((await rowsOf(document, 'survey')).map(({ type = '' }) => type.split(' ', 1)[0])).toEqual([
      ...['begin_repeat', 'text', 'select_one', 'text', 'end_repeat', 'text'],
    ]);
    expect(await leftOut(document)).toEqual(['kids: that it has at most 20 items']);
  });

  describe('with formulas behind it', () => {
    const inner = [
      { key: 'price', label: 'Price', type: 'number', required: false },
      { key: 'born', label: 'Born', type: 'date', required: false },
      { key: 'agreed', label: 'Agreed?', type: 'boolean', required: false },
      { key: 'meal', label: 'Meal', type: 'select', required: false, options: colours },
      { key: 'likes', label: 'Likes', type: 'multi_select', required: false, options: colours },
    ];
    const computed = (formula: string, format: string) =>
      aDocument([
        { key: 'age', label: 'Age', type: 'integer', required: false },
        kids({ fields: inner }),
        { ...{ key: 'total', label: 'total', type: 'calculated', required: false, shown: false }, format, formula },
      ]);

    it.each([
      ['coalesce(sum(kids.price), 0) + count(kids) * 2', 'number', '(coalesce(sum(${price}), 0) + ((count(${kids})) * 2))'],
      ['count(kids.price)', 'number', "(count(${price}[. != '']))"],
      ['count(kids.agreed)', 'number', "(count(${agreed}[. != '']))"],
      ['count(kids.meal, age, kids)', 'number', "(count(${meal}[. != '']) + if(${age} != '', 1, 0) + count(${kids}))"],
      [
        'if(count(kids.born) > 0, 1, 0) + count(kids.meal) * 2',
        'number',
        "(if(((count(${born}[. != ''])) > 0), 1, 0) + ((count(${meal}[. != ''])) * 2))",
      ],
      ['count(kids.likes) + age', 'number', "((count-selected(join(' ', ${likes}))) + ${age})"],
      ['if(count(kids.likes) > 0, 1, 0)', 'number', "if(((count-selected(join(' ', ${likes}))) > 0), 1, 0)"],
      ['count(kids.meal) = 0', 'boolean', "((count(${meal}[. != ''])) = 0)"],
      ['max(kids.price) - min(kids.price)', 'number', '(max(${price}) - min(${price}))'],
      ['min(kids.price, 3) + count(kids)', 'number', '(min(${price}, 3) + (count(${kids})))'],
      ['max(kids.born)', 'date', 'date(max(${born}))'],
    ])('%j comes out and is imported again', async (formula, format, calculation) => {
      const document = computed(formula, format);
      const { document: read } = await again(document);
      expect(read.fields).toEqual(document.fields);
      expect((await rowsOf(document, 'survey')).at(-1)?.calculation).toBe(calculation);
    });
  });

  it('says how many items it has if it is one number, and names other bounds', async () => {
    const exact = aDocument([kids({ required: true, min: 2, max: 2 })]);
    expect((await again(exact)).document.fields).toEqual(exact.fields);
    expect(await leftOut(exact)).toEqual([]);
    expect(await leftOut(aDocument([kids({ min: 1, max: 5, item_label: 'Child' })]))).toEqual([
      ...['kids: item_label', 'kids: that it has at least 1 items', 'kids: that it has at most 5 items'],
    ]);
  });
});
