import type { Field } from '@sheaf/contracts';
import { workbook } from '@sheaf/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldFaults } from '../content/draft-rules';
import { readXlsForm, type ImportedForm } from './read-xlsform';

/** Files as programs and people write them, each of which was once read wrongly or refused. */
const folder = join(__dirname, '../../test/xlsforms');

/** The outcome of a file: the items that matter in few words, and the warnings. */
function inWords({ document, warnings }: ImportedForm) {
  expect(fieldFaults(document.fields)).toEqual([]);
  return { fields: document.fields, warnings: warnings.map(({ sheet, row, message }) => `${sheet} ${row}: ${message}`) };
}

const read = async (name: string) => inWords(await readXlsForm(readFileSync(join(folder, `${name}.xlsx`))));

const yesOrNo = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];
const atMost = 'has at most 20 items';
const askedOnce = 'does not have 1 to 20 questions that items can have; its questions are asked once, and nobody has to answer them';
const optionalNow = 'the question is optional now, as it is shown to people from whom it was to be hidden';

it.each<[name: string, fields: object[], warnings: string[]]>([
  [
    'x01-same-name-in-two-groups',
    [{ label: 'Mother' }, { key: 'name', label: 'Her name' }, { label: 'Child' }, { key: 'child_name', label: 'Its name' }],
    ['survey 6: the name is now "child_name"'],
  ],
  ['x02-empty-styled-cells-amj', [{ key: 'a', label: 'A question' }], []],
  [
    'x03-smart-quotes',
    [
      { key: 'married', options: yesOrNo },
      { key: 'spouse', required: true, visible_if: { key: 'married', equals: 'yes' } },
      { key: 'spouse2', visible_if: { key: 'married', equals: 'yes' } },
    ],
    [],
  ],
  ['x04-bind-aliases', [{ key: 'pregnant' }, { key: 'month', required: true, max: 9, visible_if: { key: 'pregnant', equals: 'yes' } }], []],
  [
    'x05-select-all-that-apply',
    [
      { key: 'langs', type: 'multi_select', options: yesOrNo },
      { key: 'langs2', type: 'multi_select', options: yesOrNo },
    ],
    [],
  ],
  [
    'x06-date-cells',
    [
      {
        key: 'slot',
        options: [
          { value: 'first', label: '2024-03-02' },
          { value: 'second', label: '2024-03-03' },
        ],
      },
      { key: 'd', default: '2024-03-02' },
      { label: '2024-03-02' },
    ],
    [],
  ],
  ['x07-disabled-true', [{ key: 'a' }], [3, 4, 5].map((row) => `survey ${row}: is disabled; it is left out`)],
  ['x14-unused-list-1001', [{ key: 'a', type: 'short_text' }], []],
  [
    'x42-one-big-list-3000',
    [{ key: 'v', type: 'short_text', required: false }, { key: 'a' }],
    ['survey 2: people type the answer, as the list "villages" has more than 1000 options, the most that a question can have'],
  ],
  ['x08-x000D', [{ key: 'consent', label: 'Please read.\nThen answer.' }], []],
  ['x09a-workbook2', [{ key: 'a', label: 'A' }], []],
  ['x09b-SharedStrings-case', [{ key: 'a', label: 'A' }], []],
  ['x09c-sharedStrings2', [{ key: 'a', label: 'A' }], []],
  [
    'x10-two-label-columns',
    [
      { key: 'full_name', label: 'What is your full name?' },
      { key: 'town', label: 'Which town?' },
    ],
    ['survey 1: the column D "label" is not taken over, as the column C "label" means the same'],
  ],
  [
    'x16-one-repeat',
    [{ key: 'a' }, { key: 'kids', label: 'Children', type: 'repeat', fields: [{ key: 'kid' }] }],
    [`survey 3: the repeat "kids" ${atMost}`],
  ],
  [
    'x17-excel-17-digits',
    [
      { label: '2.3' },
      {
        key: 'dose',
        options: [
          { value: '1.1', label: '1.1' },
          { value: '2.3', label: '2.3' },
        ],
      },
      { key: 'why', visible_if: { key: 'dose', equals: '2.3' } },
    ],
    [],
  ],
  [
    'x17b-exponent',
    [
      {
        key: 'id',
        options: [
          { value: '10000000000100000', label: 'A' },
          { value: '0.001', label: 'B' },
        ],
      },
    ],
    [],
  ],
  [
    'x19-error-cells',
    [{ key: 'a' }, { key: 'b' }],
    [
      'survey 2: the cell C2 has the error #N/A; it counts as empty',
      'survey 3: the cell C3 has the error #REF!; it counts as empty',
      'survey 3: the cell D3 has the error #REF!; it counts as empty',
    ],
  ],
  [
    'x21-false-relevant-required',
    [
      { key: 'case_id', type: 'hidden', required: false },
      { key: 'age', required: false },
      { key: 'guardian', required: true, visible_if: { key: 'age', lt: 18 } },
    ],
    [
      'survey 2: the group is never shown, so its heading is left out',
      'survey 3: the question is never shown, so it is a hidden field now',
    ],
  ],
  [
    'x22-multi-and-not-equal',
    [
      { key: 'm' },
      { key: 's' },
      { key: 'q1', visible_if: { key: 'm', equals: 'yes' } },
      { key: 'q2', visible_if: { key: 's', not_equals: 'no' } },
      { key: 'q3', visible_if: { key: 'm', not_equals: 'yes' } },
      {
        key: 'q4',
        visible_if: {
          all: [
            { key: 'm', equals: 'yes' },
            { key: 'm', chosen_at_most: 1 },
          ],
        },
      },
    ],
    [],
  ],
  [
    'x24-cascade-same-name',
    [
      { key: 'county' },
      {
        key: 'town',
        options: [
          { value: 'other', label: 'Other in King / Other in Pierce', visible_if: { key: 'county', in: ['king', 'pierce'] } },
          { value: 'seattle', label: 'Seattle', visible_if: { key: 'county', equals: 'king' } },
        ],
      },
    ],
    [
      'survey 3: options of one value are one option here, and the answer does not say which it was: 1 of the question, such as "Other in King / Other in Pierce"',
    ],
  ],
  [
    'x26-same-name-case',
    [{ key: 'name' }, { key: 'name_2' }, { key: 'q3', visible_if: { key: 'name', equals: 'x' } }],
    ['survey 2: the name is now "name"', 'survey 3: the name is now "name_2"'],
  ],
  [
    'x28-appearance-hidden',
    [{ key: 'contact_id', type: 'hidden' }, { key: 'ro' }, { key: 'q' }],
    ['survey 1: the column "read_only" is not taken over'],
  ],
  [
    'x30-end-and-metadata',
    [{ key: 'q' }],
    ['start', 'end', 'today'].map((type, index) => `survey ${index + 2}: the type "${type}" is not supported; people are not asked for it`),
  ],
  [
    'x31-choice-row-typo',
    [{ key: 'a', options: yesOrNo }],
    [4, 5].map((row) => `choices ${row}: has no list_name; the option is left out`),
  ],
  [
    'x32-regex-partial',
    [{ pattern: '^[0-9]{10}$' }, { key: 'mail' }, { key: 'pin', type: 'integer' }, { key: 'nozero' }, { pattern: "^[A-Za-z' ]+$" }],
    [
      'survey 4: pattern is left out, as it is not allowed for the type integer',
      'survey 5: pattern is left out, as it must be a regular expression in RE2 syntax (invalid or unsupported Perl syntax)',
    ],
  ],
  ['x33-newlines-in-label', [{ label: 'Line one\nLine two\n\n• point' }, { key: 'a', label: 'Your **name**' }], []],
  ['x40-two-survey-sheets', [{ key: 'current' }], ['survey 1: the sheet "survey " is not read, as there are two of its name']],
  ['x41-relevance-column', [{ key: 'a' }, { key: 'b', visible_if: { key: 'a', equals: 'yes' } }], []],
  [
    'x43-and-relevant',
    [
      { key: 'a' },
      { key: 'b' },
      {
        key: 'c',
        required: true,
        visible_if: {
          all: [
            { key: 'a', equals: 'yes' },
            { key: 'b', equals: 'yes' },
          ],
        },
      },
      { key: 'd', required: false },
    ],
    ['survey 5: the condition "${n} > 5" is not supported; it is always met', `survey 5: ${optionalNow}`],
  ],
  [
    'x44-time-cell',
    [
      { key: 't', default: '09:30' },
      { key: 'slot', options: [{ value: '09:30', label: '09:30' }] },
    ],
    [],
  ],
  [
    'x45-duplicate-relevant-column',
    [{ key: 'a' }, { key: 'b', visible_if: { key: 'a', equals: 'yes' } }],
    ['survey 1: the column E "Relevant" is not taken over, as the column D "relevant" means the same'],
  ],
  [
    'x46-choice-label-error-translation',
    [
      { key: 'a', translations: { sw: { label: 'Ndiyo au hapana?', options: { yes: 'Ndiyo' } } } },
      { label: 'n', translations: { sw: { label: 'Karibu' } } },
    ],
    ['choices 3: has no label in Kiswahili (sw)', "survey 3: has no label in English (en), the form's own language"],
  ],
  [
    'x47-dup-name-calculate',
    [
      { label: 'G1' },
      { key: 'total', formula: '1', shown: false },
      { key: 'note_text' },
      { label: 'G2' },
      { key: 'g2_total', formula: '2' },
      { key: 'g2_note_text' },
    ],
    ['survey 7: the name is now "g2_total"', 'survey 8: the name is now "g2_note_text"'],
  ],
])('the file %s is imported as its author means it, and the rest is named', async (name, fields, warnings) => {
  const found = await read(name);
  expect(found.fields).toHaveLength(fields.length);
  expect(found).toMatchObject({ fields, warnings });
});

const guessed = 'survey 1: the texts in columns without a language are taken for English (en); name their language in default_language';

it.each<[name: string, settings: object, label: string, translations: object, warnings: string[]]>([
  ['x12-language-untagged-default', { languages: ['fr', 'en'], default_language: 'fr' }, 'Votre nom', { en: { label: 'Your name' } }, []],
  ['x12b-plain-plus-untagged', { languages: ['en', 'fr'], default_language: 'en' }, 'Your name', { fr: { label: 'Votre nom' } }, [guessed]],
  ['x12c-default-name-only', { languages: ['fr', 'en'], default_language: 'fr' }, 'Votre nom', { en: { label: 'Your name' } }, []],
  ['x12d-underscore-tag', { languages: ['en', 'pt-BR'], default_language: 'en' }, 'Your name', { 'pt-BR': { label: 'Seu nome' } }, []],
  [
    'x12e-plain-en-plus-tagged',
    { languages: ['en', 'fr'], default_language: 'en' },
    'Your name',
    { fr: { label: 'Votre nom' } },
    [guessed],
  ],
])('the file %s keeps both of its languages', async (name, settings, label, translations, warnings) => {
  const form = await readXlsForm(readFileSync(join(folder, `${name}.xlsx`)));
  expect(form.document).toMatchObject({ settings, fields: [{ label, translations }] });
  expect(inWords(form).warnings).toEqual(warnings);
});

describe('a list of more options than a question can have', () => {
  const header = ['type', 'name', 'label', 'required', 'relevant'];
  const options = Array.from({ length: 1_001 }, (_, index) => ['villages', `v${index}`, `Village ${index}`]);
  const choices = [['list_name', 'name', 'label'], ...options];

  it('costs nothing if no question has it', async () => {
    const form = inWords(await readXlsForm(await workbook({ survey: [header, ['text', 'a', 'A']], choices })));
    expect(form).toMatchObject({ fields: [{ key: 'a' }], warnings: [] });
  });

  it('makes only the question that has it a text, and what depends on it is optional', async () => {
    const survey = [header, ['select_one villages', 'v', 'Village'], ['text', 'a', 'A', 'yes'], ['text', 'b', 'B', 'yes', "${v} = 'v1'"]];
    expect(inWords(await readXlsForm(await workbook({ survey, choices })))).toMatchObject({
      fields: [
        { key: 'v', type: 'short_text' },
        { key: 'a', required: true },
        { key: 'b', required: false },
      ],
      warnings: [
        'survey 2: people type the answer, as the list "villages" has more than 1000 options, the most that a question can have',
        `survey 4: the condition "\${v} = 'v1'" is not supported; it is always met`,
        `survey 4: ${optionalNow}`,
      ],
    });
  });
});

describe('a valid file', () => {
  const header = ['type', 'name', 'label', 'relevant', 'required', 'constraint', 'default', 'calculation', 'appearance'];
  const long = 'x'.repeat(200);
  const choices = [
    ['list_name', 'name', 'label'],
    ['yn', 'yes', 'Yes'],
    ['yn', 'no', 'No'],
    ['long', `${long}1`, 'One'],
    ['long', `${long}2`, 'Two'],
  ];
  const left = ['text', 'z', 'Z'];

  it.each<[string, string[][], string[]]>([
    ['metadata without a name', [['audit', '']], ['survey 2: the type "audit" is not supported; people are not asked for it']],
    [
      'options that are the same once they are cut',
      [['select_one long', 'a', 'A']],
      [
        ...Array<string>(2).fill(`survey 2: the text "${'x'.repeat(40)}…" is cut to 200 characters`),
        'survey 2: is left out, as options must have a value that no other option has',
      ],
    ],
  ])('with %s is imported without it', async (_, rows, warnings) => {
    const form = inWords(await readXlsForm(await workbook({ survey: [header, ...rows, left], choices })));
    expect(form).toMatchObject({ fields: [{ key: 'z' }], warnings });
    expect(form.fields).toHaveLength(1);
  });

  it.each(['begin lgroup', 'begin looped group', 'begin_loop over yn'])('may call a repeat %s', async (begin) => {
    const rows = [[begin, 'r', 'R'], ['text', 'a', 'A'], [begin.replace('begin', 'end')]];
    const form = inWords(await readXlsForm(await workbook({ survey: [header, ...rows, left], choices })));
    expect(form).toMatchObject({
      fields: [{ key: 'r', type: 'repeat', label: 'R', fields: [{ key: 'a' }] }, { key: 'z' }],
      warnings: [`survey 2: the repeat "r" ${atMost}`],
    });
  });

  it.each([
    ['string-length(.) < 1', 'max_length is left out, as it must be a whole number between 1 and 100000'],
    ['string-length(.) <= 999999', 'max_length is left out, as it must be a whole number between 1 and 100000'],
    [`regex(., '${'a'.repeat(501)}')`, 'pattern is left out, as it must have between 1 and 500 characters'],
    [". >= date('2024-13-45')", 'min_date is left out, as it must be a date such as 2026-05-31'],
  ])('with the constraint %s, which forms cannot have, is imported without it', async (constraint, warning) => {
    const form = inWords(await readXlsForm(await workbook({ survey: [header, ['text', 'a', 'A', '', 'yes', constraint]] })));
    expect(form).toEqual({ fields: [{ key: 'a', label: 'A', type: 'short_text', required: true }], warnings: [`survey 2: ${warning}`] });
  });

  it('may have more languages than a form', async () => {
    const tags = Array.from({ length: 31 }, (_, index) => `a${String.fromCharCode(97 + (index % 26))}${index < 26 ? '' : 'a'}`);
    const survey = [
      ['type', 'name', ...tags.map((tag) => `label::${tag}`)],
      ['text', 'a', ...tags],
    ];
    const { document, warnings } = await readXlsForm(await workbook({ survey }));
    expect(document.settings.languages).toEqual(tags.slice(0, 30));
    expect(warnings.map(({ message }) => message)).toEqual([`the language "${tags.at(-1)}" is not taken over: a form has at most 30`]);
  });

  it.each<[string, string[][], object[], string[]]>([
    ['a row without a type', [['', 'a', 'A']], [], ['survey 2: has no type; it is left out']],
    [
      'the calculation of a hidden field',
      [['text', 'a', 'A', '', '', '', 'x', '1 + 1', 'hidden']],
      [{ key: 'a', type: 'calculated', formula: '1 + 1', shown: false }],
      ['survey 2: the default is left out, as the answer is computed'],
    ],
    ['a label that shows nothing', [['text', 'a', '\u200b']], [{ key: 'a', label: 'a' }], []],
  ])('loses nothing in silence: %s', async (_, rows, fields, warnings) => {
    const form = inWords(await readXlsForm(await workbook({ survey: [header, ...rows, left], choices })));
    expect(form).toMatchObject({ fields: [...fields, { key: 'z' }], warnings });
  });

  it.each(['select one from yn or specify other', 'select_one yn or other', 'select_multiple yn or_other'])(
    'of the type %s asks people for what they mean by other, and conditions may ask for both',
    async (type) => {
      const rows = [
        [type, 'a', 'A'],
        ['text', 'b', 'B', "selected(${a}, 'other')"],
        ['text', 'c', 'C', "${a_other} = 'x'"],
        ['text', 'a_other', 'D'],
      ];
      expect(inWords(await readXlsForm(await workbook({ survey: [header, ...rows], choices })))).toMatchObject({
        fields: [
          { key: 'a', options: [...yesOrNo, { value: 'other', label: 'Other' }], other: { label: 'Other' } },
          { key: 'a_other', other_of: 'a' },
          { key: 'b', visible_if: { key: 'a', equals: 'other' } },
          { key: 'c', visible_if: { key: 'a_other', equals: 'x' } },
          { key: 'a_other_2', label: 'D' },
        ],
        warnings: ['survey 5: the name is now "a_other_2"'],
      });
    },
  );

  it('finds a name for both the choice and the text of its other option', async () => {
    const long = 'n'.repeat(64);
    const rows = [
      ['text', 'a_other', 'A'],
      ['select_one yn or_other', 'a', 'B'],
      ['select_one yn or_other', long, 'C'],
    ];
    const { fields } = inWords(await readXlsForm(await workbook({ survey: [header, ...rows], choices })));
    expect(fields).toMatchObject([
      { key: 'a_other' },
      { key: 'a_2' },
      { key: 'a_2_other' },
      { key: 'n'.repeat(58) },
      { key: `${'n'.repeat(58)}_other` },
    ]);
  });

  it('has at most as many parts as a form, with the texts of other options', async () => {
    const rows = Array.from({ length: 251 }, (_, index) => ['select_one yn or_other', `q${index}`, 'Q']);
    const { fields, warnings } = inWords(await readXlsForm(await workbook({ survey: [header, ...rows], choices })));
    expect(fields).toHaveLength(500);
    expect(warnings).toEqual(['survey 252: a form has at most 500 questions, notes and groups; this one is left out']);
  });

  it('has the label of its other option in the languages of the form, or as its list has it', async () => {
    const languages = ['label::English (en)', 'label::Deutsch (de)', 'label::Suomi (fi)'];
    const survey = [
      ['type', 'name', ...languages, 'choice_filter'],
      ['select_one yn or_other', 'a', 'A', 'A', 'A'],
      ['select_one own or_other', 'b', 'B', 'B', 'B', "${a} = 'yes'"],
    ];
    const lists = [
      ['list_name', 'name', ...languages],
      ['yn', 'yes', 'Yes', 'Ja', 'Kyllä'],
      ['own', 'red', 'Red', 'Rot', 'Punainen'],
      ['own', 'other', 'Else', 'Sonst', 'Muu'],
    ];
    expect(inWords(await readXlsForm(await workbook({ survey, choices: lists })))).toMatchObject({
      fields: [
        { other: { label: 'Other' }, translations: { de: { options: { other: 'Anderes' } }, fi: { options: { yes: 'Kyllä' } } } },
        { key: 'a_other', translations: { de: { label: 'Anderes: A' } } },
        {
          options: [
            { value: 'red', visible_if: { key: 'a', equals: 'yes' } },
            { value: 'other', label: 'Else' },
          ],
          other: { label: 'Else' },
          translations: { fi: { options: { other: 'Muu' } } },
        },
        { key: 'b_other' },
      ],
      warnings: [],
    });
  });

  it('may call the names of questions "value", and have a title that is too long', async () => {
    const survey = [
      ['type', 'value', 'caption'],
      ['text', 'a', 'A'],
    ];
    const form = await readXlsForm(await workbook({ survey, settings: [['form_title'], ['x'.repeat(201)]] }));
    expect(form.document).toMatchObject({ title: 'x'.repeat(200), fields: [{ key: 'a', label: 'A' }] });
    expect(form.warnings).toEqual([{ sheet: 'settings', row: 2, message: 'the title is cut to 200 characters' }]);
  });
});

describe('a question that forms cannot ask as its author meant', () => {
  const header = ['type', 'name', 'label', 'required', 'constraint', 'relevant', 'choice_filter', 'parameters', 'appearance'];
  const choices = [
    ['list_name', 'name', 'label', 'region'],
    ['yn', 'yes', 'Yes'],
    ['yn', 'no', 'No'],
    ['regions', 'north', 'North'],
    ['regions', 'south', 'South'],
    ['towns', 'a', 'A', 'north'],
    ['towns', 'b', 'B', 'south'],
    ['towns', 'c', 'C', 'south'],
    ['towns', 'd', 'D', 'west'],
    ...Array.from({ length: 32 }, (_, at) => ['long', `o${at}`, `O${at}`]),
  ];
  const imported = async (...rows: string[][]) => {
    const { fields, warnings } = inWords(await readXlsForm(await workbook({ survey: [header, ...rows], choices })));
    return { fields, warnings: warnings.filter((warning) => warning !== 'choices 1: the column "region" is not taken over') };
  };

  it.each<[string, string[], string]>([
    ['a place', ['geopoint', 'q', 'Q'], 'forms have no map'],
    ['a code', ['barcode', 'q', 'Q'], 'forms read no codes'],
    ['an option of another file', ['select_one_from_file towns.csv', 'q', 'Q'], 'its options are in another file'],
    ['an answer to another question', ['select_one ${person}', 'q', 'Q'], 'its options "${person}" are answers to another question'],
    ['an option of a list that is not there', ['select_one sizes', 'q', 'Q'], 'the sheet choices has no list "sizes"'],
    ['a ranking of a list that is not there', ['rank sizes', 'q', 'Q'], 'the sheet choices has no list "sizes"'],
    ['a ranking of too many options', ['rank long', 'q', 'Q'], 'the list "long" has more than 31 options, the most that people can rank'],
    ['a person of another system', ['db:person', 'q', 'Q'], 'its answers are records of another system'],
  ])('asks for %s as a text that nobody has to type, and says so', async (_, row, because) => {
    expect(await imported([...row, 'yes'], ['text', 'after', 'After', 'yes', '', "${q} = 'x'"])).toMatchObject({
      fields: [
        { key: 'q', type: 'short_text', required: false },
        { key: 'after', required: false },
      ],
      warnings: [
        `survey 2: people type the answer, as ${because}`,
        'survey 2: the question is optional now, as it may be hard to type its answer',
        'survey 3: the condition "${q} = \'x\'" is not supported; it is always met',
        `survey 3: ${optionalNow}`,
      ],
    });
  });

  it.each<[string, string, object]>([
    ['', 'start=0 end=20 step=1', { type: 'integer', min: 0, max: 20 }],
    ['', '', { type: 'integer', min: 1, max: 10 }],
    ['rating', 'start=1;end=5;step=1', { type: 'rating', min: 1, max: 5 }],
    ['', 'start=1.5, end=2', { type: 'number', min: 1.5, max: 2 }],
  ])('takes a range of the appearance "%s" from %j for %j', async (appearance, parameters, field) => {
    const { fields, warnings } = await imported(['range', 'q', 'Q', '', '', '', '', parameters, appearance]);
    expect({ fields, warnings }).toMatchObject({ fields: [field], warnings: [] });
  });

  it.each<[string, string, string, object, string[]]>([
    ['select_one yn', 'minimal', '', { appearance: 'dropdown' }, []],
    ['select_one yn', 'autocomplete', '', { appearance: 'dropdown' }, []],
    ['select_one yn', 'quick', '', { appearance: 'list' }, []],
    ['select_one yn', 'columns-3 no-buttons', '', { appearance: 'buttons' }, []],
    ['select_one yn', 'likert', 'randomize=true', { appearance: 'buttons', shuffle: true }, []],
    ['select_multiple yn', 'minimal', '', {}, []],
    ['rank yn', '', 'randomize=true', { shuffle: true }, []],
    ['select_multiple yn', 'columns', 'randomize=true', { appearance: 'buttons', shuffle: true }, []],
    ['select_multiple yn', '', 'randomize=TRUE()', { shuffle: true }, []],
    [
      ...(['select_one yn', '', 'randomize=true, seed=${q}', { shuffle: true }] as const),
      ['survey 2: the seed of the order is not taken over; each respondent gets an order of their own'],
    ],
    ['select_one yn', 'label', 'randomize=false', {}, []],
  ])('takes %s of the appearance "%s" with the parameters "%s" for %j', async (type, appearance, parameters, settings, expected) => {
    const { fields, warnings } = await imported([type, 'q', 'Q', '', '', '', '', parameters, appearance]);
    const [{ appearance: look, shuffle } = {}] = fields as { appearance?: string; shuffle?: boolean }[];
    expect({ look, shuffle, warnings }).toEqual({
      look: (settings as { appearance?: string }).appearance,
      shuffle: (settings as { shuffle?: boolean }).shuffle,
      warnings: expected,
    });
  });

  it('takes a picture of the appearance "signature" for a signature', async () => {
    const { fields, warnings } = await imported(['image', 'q', 'Q', '', '', '', '', '', 'signature']);
    expect({ fields, warnings }).toEqual({ fields: [expect.objectContaining({ type: 'signature' })], warnings: [] });
    expect(fields[0]).not.toHaveProperty('accept');
  });

  describe('in a repeat', () => {
    const yes = { key: 'school', equals: 'yes' };
    const repeated = async (repeats: number, questions: number, count: string) => {
      const ofRepeat = (at: number) => [
        ['begin_repeat', `r${at}`, 'R', count],
        ...Array.from({ length: questions }, (_, question) => ['text', `q${at}_${question}`, 'Q']),
        ['end_repeat'],
      ];
      const survey = [['type', 'name', 'label', 'repeat_count'], ...Array.from({ length: repeats }, (_, at) => ofRepeat(at)).flat()];
      const { fields, warnings } = inWords(await readXlsForm(await workbook({ survey })));
      return { fields: fields as Field[], warnings };
    };

    it('is asked for each item, under a condition on another one of the same item', async () => {
      const { fields, warnings } = await imported(
        ['begin_repeat', 'kids', 'Children', '', '', "${more} = 'yes'"],
        ['select_one yn', 'school', 'At school?', 'yes'],
        ['text', 'which', 'Which?', 'yes', '', "${school} = 'yes'"],
        ['end_repeat'],
        ['text', 'after', 'After', 'yes', '', "${school} = 'yes'"],
      );
      expect(fields).toMatchObject([
        {
          key: 'kids',
          type: 'repeat',
          required: false,
          fields: [
            { key: 'school', required: true },
            { key: 'which', required: true, visible_if: yes },
          ],
        },
        { key: 'after', required: false },
      ]);
      expect(warnings).toContain('survey 6: the condition "${school} = \'yes\'" is not supported; it is always met');
    });

    it('is asked as often as the repeat states, if that is a number', async () => {
      const counted = async (count: string) => {
        const survey = [
          ['type', 'name', 'label', 'repeat_count'],
          ['integer', 'n', 'N'],
          ['begin_repeat', 'r', 'R', count],
          ['text', 'a', 'A'],
          ['end_repeat'],
        ];
        const { fields, warnings } = inWords(await readXlsForm(await workbook({ survey })));
        return [fields[1], warnings];
      };
      expect(await counted('3')).toMatchObject([{ required: true, min: 3, max: 3 }, []]);
      expect(await counted('${n}')).toMatchObject([
        { required: false },
        [
          'survey 3: people choose how many items the repeat "r" has, as "${n}" is no number from 1 to 50',
          `survey 3: the repeat "r" ${atMost}`,
        ],
      ]);
    });

    it('has the conditions of the groups in it, and loses their headings', async () => {
      const { fields, warnings } = await imported(
        ['begin_group', 'outer', 'Outer'],
        ['begin_repeat', 'kids', 'Children'],
        ['select_one yn', 'school', 'At school?'],
        ['begin_group', 'g', 'About school', '', '', "${school} = 'yes'"],
        ['text', 'which', 'Which?', 'yes'],
        ['note', 'n', 'Thanks'],
        ['end_group'],
        ['end_repeat'],
        ['end_group'],
      );
      expect(fields).toMatchObject([
        { label: 'Outer' },
        { key: 'kids', fields: [{ key: 'school' }, { key: 'which', required: true, visible_if: yes }] },
      ]);
      expect(warnings).toEqual([
        `survey 3: the repeat "kids" ${atMost}`,
        'survey 5: the heading of the group is left out, as it is in a repeat',
        'survey 7: the note is left out, as an item of a repeat has questions only',
      ]);
    });

    it('is left out, and named, if its type or its constraint is none of an item', async () => {
      const { fields, warnings } = await imported(
        ['begin_repeat', 'kids', 'Children'],
        ['image', 'photo', 'Photo'],
        ['integer', 'age', 'Age'],
        ['integer', 'years', 'Years', '', '. <= ${age}'],
        ['hidden', 'h', ''],
        ['end_repeat'],
      );
      expect(fields).toMatchObject([{ key: 'kids', fields: [{ key: 'age' }, { key: 'years' }] }]);
      expect(warnings).toEqual([
        `survey 2: the repeat "kids" ${atMost}`,
        'survey 3: it is left out, as an item of a repeat has no "image"',
        'survey 5: the constraint is left out, as an item of a repeat has no checks',
        'survey 6: it is left out, as an item of a repeat has no "hidden"',
      ]);
    });

    it('is asked once for each item of the outer one, if its repeat is in another, and required of nobody', async () => {
      const { fields, warnings } = await imported(
        ['begin_repeat', 'kids', 'Children'],
        ['text', 'name_of_kid', 'Name', 'yes'],
        ['begin_repeat', 'toys', ''],
        ['text', 'toy', 'Toy', 'yes'],
        ['end_repeat'],
        ['end_repeat'],
      );
      expect(fields).toMatchObject([
        {
          key: 'kids',
          fields: [
            { key: 'name_of_kid', required: true },
            { key: 'toy', required: false },
          ],
        },
      ]);
      expect(warnings).toContain(
        'survey 4: the repeat "toys" is in another one; its questions are asked once for each item of that one, and nobody has to answer them',
      );
    });

    it('is asked once, and required of nobody, if there are more than a form can repeat', async () => {
      const questions = Array.from({ length: 21 }, (_, at) => ['text', `q${at}`, 'Q', 'yes']);
      const { fields, warnings } = await imported(['begin_repeat', 'r', 'R'], ...questions, ['end_repeat']);
      expect(fields.slice(0, 2)).toMatchObject([
        { type: 'section', label: 'R' },
        { key: 'q0', required: false },
      ]);
      expect(warnings[0]).toBe(`survey 2: the repeat "r" ${askedOnce}`);
    });

    it('is asked once, if an item of the repeat can have none of its questions', async () => {
      const { fields, warnings } = await imported(['begin_repeat', 'r', 'R'], ['image', 'photo', 'Photo', 'yes'], ['end_repeat']);
      expect(fields).toMatchObject([
        { type: 'section', label: 'R' },
        { key: 'photo', type: 'file', required: false },
      ]);
      expect(warnings[0]).toBe(`survey 2: the repeat "r" ${askedOnce}`);
    });

    it.each<[repeats: number, questions: number, count: string, most: (number | undefined)[], said: string[]]>([
      [
        4,
        20,
        '',
        [undefined, undefined, undefined, 15],
        [...Array<string>(3).fill(atMost), 'has at most 15 items, as a form has no room for more'],
      ],
      [1, 12, '50', [41], ['has at most 41 items, as a form has no room for 50']],
    ])('is asked for as many items as a form has room for: %i × %i × "%s"', async (repeats, questions, count, most, said) => {
      const { fields, warnings } = await repeated(repeats, questions, count);
      expect(fields.map(({ type, max }) => [type, max])).toEqual(most.map((max) => ['repeat', max]));
      expect(fields.map(({ fields: inner = [] }) => inner.length)).toEqual(most.map(() => questions));
      expect(warnings).toEqual(said.map((one) => expect.stringMatching(new RegExp(`${one}$`)) as string));
    });

    it('is asked once, if a form has no room for the items of its repeat', async () => {
      const crowded = await repeated(4, 10, '50');
      expect(crowded.fields.map(({ type, max }) => [type, max])).toEqual([
        ...Array<unknown>(3).fill(['repeat', 50]),
        ['section', undefined],
        ...Array<unknown>(10).fill(['short_text', undefined]),
      ]);
      expect(crowded.warnings).toEqual([
        'survey 38: a form has no room for the items of the repeat "r3"; its questions are asked once, and nobody has to answer them',
      ]);
      const many = await repeated(21, 1, '1');
      expect(many.fields.map(({ type }) => type)).toEqual([...Array<string>(20).fill('repeat'), 'section', 'short_text']);
    });

    it('is asked once under the condition of its repeat, if what is computed makes the repeat too large', async () => {
      const survey = [
        ['type', 'name', 'label', 'relevant', 'calculation', 'required'],
        ['integer', 'n', 'N'],
        ['begin_repeat', 'r', 'R', '${n} > 1'],
        ...Array.from({ length: 20 }, (_, at) => ['integer', `q${at}`, 'Q', '', '', 'yes']),
        ['note', 'twice', 'Twice', '', '${q0} * 2'],
        ['end_repeat'],
      ];
      const { fields, warnings } = inWords(await readXlsForm(await workbook({ survey })));
      expect(fields).toHaveLength(22);
      expect(fields[1]).toMatchObject({ key: 'q0', required: false, visible_if: { key: 'n' } });
      expect(warnings).toContain('survey 3: the questions of the repeat are asked once, as its fields must have at most 20 fields');
    });

    it('is asked once, if all that an item has is computed', async () => {
      const survey = [
        ['type', 'name', 'label', 'calculation'],
        ['integer', 'n', 'N'],
        ['begin_repeat', 'r', 'R'],
        ['calculate', 'twice', '', '${n} * 2'],
        ['end_repeat'],
      ];
      const { fields, warnings } = inWords(await readXlsForm(await workbook({ survey })));
      expect(fields).toMatchObject([{ key: 'n' }, { key: 'twice', formula: 'n * 2' }]);
      expect(warnings).toContain(
        'survey 3: the questions of the repeat are asked once, as its fields must have a field that people answer',
      );
    });

    it('with many options is asked for fewer items', async () => {
      const survey = [['type', 'name', 'label'], ['begin_repeat', 'r', 'R'], ['select_one long', 'q', 'Q'], ['end_repeat']];
      const choices = [['list_name', 'name', 'label'], ...Array.from({ length: 900 }, (_, at) => ['long', `o${at}`, 'O'])];
      const { fields } = inWords(await readXlsForm(await workbook({ survey, choices })));
      expect(fields).toMatchObject([{ type: 'repeat', max: 11 }]);
    });

    it('is shown under the condition of its repeat and required of nobody, if the form has no room for the repeat', async () => {
      const long = 'x'.repeat(2_000);
      // As many as fit: about a thousand characters are left.
      const filling = Array.from({ length: 490 }, (_, at) => ['text', `f${at}`, long, long]);
      const survey = [
        ['type', 'name', 'label', 'hint', 'relevant', 'required'],
        ['text', 'a', 'A'],
        ...filling,
        ['begin_repeat', 'r', long, long, "${a} = 'x'"],
        ['text', 'q', 'Q', '', '', 'yes'],
        ['end_repeat'],
      ];
      const { fields } = inWords(await readXlsForm(await workbook({ survey })));
      expect(fields.filter(({ type }) => type === 'repeat')).toEqual([]);
      expect(fields.at(-1)).toMatchObject({ key: 'q', required: false, visible_if: { key: 'a', equals: 'x' } });
    });

    it('is counted by what stands behind the repeat', async () => {
      const { fields } = await imported(
        ['begin_repeat', 'kids', 'Children'],
        ['text', 'kid', 'Name'],
        ['end_repeat'],
        ['text', 'a', 'A', '', '', 'count(${kids}) > 0'],
        ['text', 'b', 'B', '', '', 'count(${kids}) >= 3'],
      );
      expect(fields.slice(1)).toMatchObject([
        { visible_if: { key: 'kids', answered: true } },
        { visible_if: { key: 'kids', chosen_at_least: 3 } },
      ]);
    });

    it('is added up by what stands behind the repeat, and compared within each item', async () => {
      const survey = [
        ['type', 'name', 'label', 'calculation'],
        ['begin_repeat', 'lines', 'Lines'],
        ['integer', 'places', 'Places'],
        ['integer', 'price', 'Price'],
        ['calculate', 'amount', '', '${places} * ${price}'],
        ['end_repeat'],
        ['calculate', 'total', '', 'sum(${amount}) + count(${lines})'],
        ['calculate', 'most', '', 'max(${price})'],
        ['calculate', 'some', '', 'if(count(${lines}) > 0, 1, 0)'],
      ];
      const { fields, warnings } = inWords(await readXlsForm(await workbook({ survey })));
      expect(fields).toMatchObject([
        { key: 'lines', fields: [{ key: 'places' }, { key: 'price' }, { key: 'amount', formula: 'places * price' }] },
        { key: 'total', formula: 'coalesce(sum(lines.amount), 0) + count(lines)' },
        { key: 'most', formula: 'max(lines.price)' },
        { key: 'some', formula: 'if(count(lines) > 0, 1, 0)' },
      ]);
      expect(warnings).toEqual([
        `survey 2: the repeat "lines" ${atMost}`,
        'survey 7: about the calculation: an item without an answer counts as 0; in an XLSForm there is no sum then',
      ]);
    });
  });

  it('gives a question without a name one of its row', async () => {
    expect(await imported(['text', '', 'A'])).toMatchObject({
      fields: [{ key: 'question_2', label: 'A' }],
      warnings: ['survey 2: the name is now "question_2"'],
    });
  });

  it.each<[string, object[], string[]]>([
    [
      'region = ${r}',
      [
        { value: 'a', visible_if: { key: 'r', equals: 'north' } },
        { value: 'b', visible_if: { key: 'r', equals: 'south' } },
        { value: 'c', visible_if: { key: 'r', equals: 'south' } },
      ],
      ['survey 3: the choice_filter never offers 1 of the options; they are left out'],
    ],
    [
      "region = ${r} or name = 'd'",
      [
        { value: 'a', visible_if: { key: 'r', equals: 'north' } },
        { value: 'b', visible_if: { key: 'r', equals: 'south' } },
        { value: 'c', visible_if: { key: 'r', equals: 'south' } },
        { value: 'd' },
      ],
      [],
    ],
    [
      "region != 'west' and region != ${r}",
      [
        { value: 'a', visible_if: { key: 'r', not_equals: 'north' } },
        { value: 'b', visible_if: { key: 'r', not_equals: 'south' } },
        { value: 'c', visible_if: { key: 'r', not_equals: 'south' } },
      ],
      ['survey 3: the choice_filter never offers 1 of the options; they are left out'],
    ],
    [
      "selected('north west', region)",
      [{ value: 'a' }, { value: 'd' }],
      ['survey 3: the choice_filter never offers 2 of the options; they are left out'],
    ],
    [
      'region = ${later}',
      ['a', 'b', 'c', 'd'].map((value) => ({ value })),
      ['survey 3: the choice_filter "region = ${later}" is not supported; the question offers all options of the list'],
    ],
    [
      "region = 'east'",
      ['a', 'b', 'c', 'd'].map((value) => ({ value })),
      ['survey 3: the choice_filter "region = \'east\'" fits no option; the question offers all options of the list'],
    ],
  ])('offers options as the choice_filter %s says, as far as forms can', async (filter, options, warnings) => {
    const form = await imported(['select_one regions', 'r', 'R'], ['select_one towns', 't', 'T', '', '', '', filter]);
    const [, { options: found } = { options: undefined }] = form.fields as { options?: { label: string }[] }[];
    expect(found?.map(({ label: _, ...option }) => option)).toEqual(options);
    expect(form.warnings).toEqual(warnings);
  });

  it('finds answers by their paths, in the group of the row and around it', async () => {
    const { fields } = await imported(
      ['begin_group', 'g', 'G'],
      ['select_one yn', 'a', 'A'],
      ['text', 'b', 'B', '', '', "../a = 'yes'"],
      ['begin_group', 'h', 'H'],
      ['select_one yn', 'a', 'A'],
      ['text', 'c', 'C', '', '', "selected(../../a, 'no') and ../a = 'yes'"],
      ['end_group'],
      ['end_group'],
    );
    expect(fields).toMatchObject([
      { type: 'section' },
      { key: 'a' },
      { key: 'b', visible_if: { key: 'a', equals: 'yes' } },
      { type: 'section' },
      { key: 'h_a' },
      {
        key: 'c',
        visible_if: {
          all: [
            { key: 'a', equals: 'no' },
            { key: 'h_a', equals: 'yes' },
          ],
        },
      },
    ]);
  });
});

it('finds answers by their paths from rows and in groups without a name', async () => {
  const survey = [
    ['type', 'name', 'label', 'relevant'],
    ['integer', 'age', 'Outer age'],
    ['begin_group', 'g', 'G'],
    ['integer', 'age', 'Age'],
    ['note', '', 'N', '../age > 5'],
    ['end_group'],
    ['begin_group', '', 'H'],
    ['integer', 'age', 'Third age'],
    ['note', '', 'N', '../age > 6'],
    ['note', '', 'N', '../../age > 7'],
    ['end_group'],
  ];
  const { fields } = inWords(await readXlsForm(await workbook({ survey })));
  expect(fields.flatMap((item) => (item.type === 'statement' ? [item.visible_if] : []))).toEqual([
    { key: 'g_age', gt: 5 },
    { key: 'age_2', gt: 6 },
    { key: 'age', gt: 7 },
  ]);
});

it('takes the options of a sheet external_choices as those of choices', async () => {
  const survey = [
    ['type', 'name', 'label', 'choice_filter'],
    ['select_one regions', 'r', 'R'],
    ['select_one_external towns', 't', 'T', 'region=${r}'],
  ];
  const sheets = {
    survey,
    choices: [
      ['list_name', 'name', 'label'],
      ['regions', 'north', 'North'],
    ],
    external_choices: [
      ['list_name', 'name', 'label', 'region'],
      ['towns', 'a', 'A', 'north'],
    ],
  };
  expect(inWords(await readXlsForm(await workbook(sheets)))).toMatchObject({
    fields: [{ key: 'r' }, { key: 't', options: [{ value: 'a', visible_if: { key: 'r', equals: 'north' } }] }],
    warnings: [],
  });
});

describe('a list of the sheet external_choices with the name of one of choices', () => {
  const choices = [
    ['list_name', 'name', 'label'],
    ['towns', 'a', 'A'],
    ['towns', 'a', 'A'],
  ];
  const external = [
    ['list_name', 'name', 'label'],
    ['towns', 'b', 'B'],
    ['towns', 'b', 'B'],
  ];
  const header = ['type', 'name', 'label'];

  it('is for external questions only, and faults are named by their sheet', async () => {
    const survey = [header, ['select_one towns', 'p', 'P'], ['select_one_external towns', 'q', 'Q']];
    expect(inWords(await readXlsForm(await workbook({ survey, choices, external_choices: external })))).toMatchObject({
      fields: [{ options: [{ value: 'a' }] }, { options: [{ value: 'b' }] }],
      warnings: ['choices 3: the list has the option "a" twice', 'external_choices 3: the list has the option "b" twice'],
    });
  });

  it('is missed where it is wanted', async () => {
    const survey = [header, ['select_one_external towns', 'q', 'Q']];
    expect(inWords(await readXlsForm(await workbook({ survey, choices }))).warnings).toEqual([
      'survey 2: people type the answer, as the sheet external_choices has no list "towns"',
    ]);
  });
});

it('a question that people type keeps its default, and names the messages that it loses', async () => {
  const survey = [
    ['type', 'name', 'label', 'default', 'constraint_message', 'required_message'],
    ['barcode', 'a', 'A', '4012', 'No code', 'Scan it'],
  ];
  expect(inWords(await readXlsForm(await workbook({ survey })))).toMatchObject({
    fields: [{ type: 'short_text', default: '4012' }],
    warnings: [
      'survey 2: people type the answer, as forms read no codes',
      'survey 2: constraint_message and required_message left out, as no answer to the question is refused',
    ],
  });
});

it('keeps messages in all languages, also under their names in forms', async () => {
  const survey = [
    [
      'type',
      'name',
      'label::English (en)',
      'label::Deutsch (de)',
      'bind::constraint',
      'bind::jr:constraintMsg::English (en)',
      'bind::jr:constraintMsg::Deutsch (de)',
    ],
    ['integer', 'age', 'Age', 'Alter', '. <= 120', 'Too old', 'Zu alt'],
  ];
  expect(inWords(await readXlsForm(await workbook({ survey })))).toMatchObject({
    fields: [{ max: 120, messages: { max: 'Too old' }, translations: { de: { messages: { max: 'Zu alt' } } } }],
    warnings: [],
  });
});

describe('a question that was to be hidden from some people', () => {
  const header = ['type', 'name', 'label', 'relevant', 'required'];
  const choices = [
    ['list_name', 'name', 'label'],
    ['yn', 'yes', 'Yes'],
    ['yn', 'no', 'No'],
  ];
  const requiredOf = async (...rows: string[][]) => {
    const { fields } = inWords(await readXlsForm(await workbook({ survey: [header, ['select_one yn', 'a', 'A'], ...rows], choices })));
    return Object.fromEntries(fields.flatMap((field) => ('key' in field ? [[field.key, field.required]] : [])));
  };

  it.each<[string, object]>([
    ["${a} = 'yes'", { required: true, required_if: { key: 'a', equals: 'yes' } }],
    ['true()', { required: true }],
    ['false()', { required: false }],
    ['string-length(${a}) > 2', { required: false }],
    ["${a} = 'maybe'", { required: false }],
  ])('are required if %s, as far as forms can say it', async (expression, requirement) => {
    const survey = [header, ['select_one yn', 'a', 'A'], ['text', 'b', 'B', '', expression]];
    const { fields } = inWords(await readXlsForm(await workbook({ survey, choices })));
    expect(fields[1]).toEqual({ key: 'b', label: 'B', type: 'short_text', ...requirement });
  });

  it('is not required by an answer if nobody sees it', async () => {
    const survey = [
      [...header, 'appearance'],
      ['select_one yn', 'a', 'A'],
      ['text', 'b', 'B', '', "${a} = 'yes'", 'hidden'],
    ];
    const { fields } = inWords(await readXlsForm(await workbook({ survey, choices })));
    expect(fields[1]).toEqual({ key: 'b', label: 'B', type: 'hidden', required: false });
  });

  it.each<[string, string[][], Record<string, boolean>]>([
    ['by a condition that is kept', [['text', 'b', 'B', "${a} = 'yes'", 'yes']], { b: true }],
    ['by a condition that forms cannot have', [['text', 'b', 'B', 'string-length(${a}) > 2', 'yes']], { b: false }],
    ['by a value that no option has', [['text', 'b', 'B', "${a} = 'maybe'", 'yes']], { b: false }],
    ['by a cell with an unknown name', [['text', 'b', 'B', "${z} = 'yes'", 'yes']], { b: false }],
    [
      'by the condition of a group around it',
      [
        ['begin_group', 'g', 'G', "${a} > 'x'"],
        ['begin_group', 'h', 'H'],
        ['text', 'b', 'B', '', 'yes'],
        ['end_group'],
        ['end_group'],
        ['text', 'c', 'C', '', 'yes'],
      ],
      { b: false, c: true },
    ],
    [
      'by a condition of its group that compares what cannot be compared',
      [['text', 'n', 'N'], ['begin_group', 'g', 'G', '${n} > 5'], ['text', 'b', 'B', '', 'yes'], ['end_group']],
      { n: false, b: false },
    ],
    [
      'by a condition of the group before it that compares what cannot be compared',
      [
        ['text', 'n', 'N'],
        ['begin_group', 'g', 'G', '${n} > 5'],
        ['text', 'b', 'B', '', 'yes'],
        ['end_group'],
        ['begin_group', 'h', 'H'],
        ['text', 'c', 'C', '', 'yes'],
        ['end_group'],
      ],
      { n: false, b: false, c: true },
    ],
    [
      'by its own condition and by that of its group',
      [
        ['begin_group', 'g', 'G', "${a} = 'yes'"],
        ['text', 'b', 'B', '', 'yes'],
        ['text', 'c', 'C', "${b} = 'x'", 'yes'],
        ['end_group'],
        ['text', 'd', 'D'],
      ],
      { b: true, c: true, d: false },
    ],
    [
      'by one of two questions with its name',
      [
        ['text', 'n', 'N'],
        ['text', 'n', 'N'],
        ['text', 'b', 'B', "${n} = 'x'", 'yes'],
      ],
      { n: false, n_2: false, b: false },
    ],
    ['whose agreement is needed', [['acknowledge', 'b', 'B', "${a} > 'x'", 'yes']], { b: false }],
    ['never, as its condition is always met', [['text', 'b', 'B', 'true()', 'yes']], { b: true }],
    ['always', [['select_one yn', 'b', 'B', 'false()', 'yes']], { b: false }],
  ])('%s need be answered only by those who see it', async (_, rows, required) => {
    expect(await requiredOf(...rows)).toEqual({ a: false, ...required });
  });
});
