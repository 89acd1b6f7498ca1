import type { FormItem } from '@sheaf/contracts';
import { workbook, workbookOf, workbookParts, type Sheets } from '@sheaf/testing';
import { fieldFaults } from '../content/draft-rules';
import { readXlsForm } from './read-xlsform';

const header = ['type', 'name', 'label', 'relevant', 'constraint', 'required', 'default'];
const colours = [
  ['list_name', 'name', 'label'],
  ['colours', 'red', 'Red'],
  ['colours', 'blue', 'Blue'],
];
const read = async (sheets: Sheets) => readXlsForm(await workbook(sheets));
/** The items of a survey with these rows, and the warnings. */
async function itemsOf(...rows: string[][]): Promise<{ items: FormItem[]; warnings: [number, string][] }> {
  const { document, warnings } = await read({ survey: [header, ...rows], choices: colours });
  expect(fieldFaults(document.fields)).toEqual([]);
  return { items: document.fields, warnings: warnings.map(({ row, message }) => [row, message]) };
}

it('keeps the Markdown of labels and hints, and their line breaks', async () => {
  const { document } = await read({
    survey: [
      ['type', 'name', 'label', 'hint', 'required'],
      ['note', 'about', '**Read** the [rules](https://example.org)', '- one\n- two', ''],
      ['acknowledge', 'rules', 'I accept the [rules](https://example.org)', '', 'yes'],
      ['text', 'name', 'Your **full** name\nas in 5*3*2', 'As in your *passport*', ''],
    ],
  });
  expect(document.fields).toEqual([
    { type: 'statement', label: '**Read** the [rules](https://example.org)', help: '- one\n- two' },
    expect.objectContaining({ key: 'rules', label: 'I accept the [rules](https://example.org)', must_be_true: true }),
    expect.objectContaining({ key: 'name', label: 'Your **full** name\nas in 5*3*2', help: 'As in your *passport*' }),
  ]);
});
const conditionOf = (item: FormItem) => ('visible_if' in item ? item.visible_if : undefined);

it('keeps the messages about wrong answers, in each language', async () => {
  const { document, warnings } = await read({
    survey: [
      ['type', 'name', 'label', 'constraint', 'constraint_message', 'constraint_message::Deutsch (de)', 'required', 'bind::jr:requiredMsg'],
      ['integer', 'guests', 'Guests', '. > 0 and . < 9', 'From 1 to 8', 'Von 1 bis 8', 'yes', 'How many come?'],
      ['text', 'name', 'Name', '', 'Not used', '', '', 'Not used'],
    ],
  });
  expect(document.fields).toEqual([
    expect.objectContaining({
      messages: { min: 'From 1 to 8', max: 'From 1 to 8', required: 'How many come?' },
      translations: { de: { messages: { min: 'Von 1 bis 8', max: 'Von 1 bis 8' } } },
    }),
    expect.not.objectContaining({ messages: expect.anything() as object }),
  ]);
  expect(warnings.map(({ message }) => message).filter((message) => message.includes('_message'))).toEqual([]);
});

describe('a question', () => {
  it.each<[string, object]>([
    ['text', { type: 'short_text' }],
    ['integer', { type: 'integer' }],
    ['decimal', { type: 'number' }],
    ['date', { type: 'date' }],
    ['time', { type: 'time' }],
    ['dateTime', { type: 'datetime' }],
    ['image', { type: 'file', accept: ['image/*'] }],
    ['audio', { type: 'file', accept: ['audio/*'] }],
    ['video', { type: 'file', accept: ['video/*'] }],
    ['file', { type: 'file' }],
    ['hidden', { type: 'hidden' }],
    ['acknowledge', { type: 'boolean' }],
    [
      'select_one colours',
      {
        type: 'select',
        options: [
          { value: 'red', label: 'Red' },
          { value: 'blue', label: 'Blue' },
        ],
      },
    ],
    [
      'select_multiple colours',
      {
        type: 'multi_select',
        options: [
          { value: 'red', label: 'Red' },
          { value: 'blue', label: 'Blue' },
        ],
      },
    ],
    [
      'rank colours',
      {
        type: 'ranking',
        options: [
          { value: 'red', label: 'Red' },
          { value: 'blue', label: 'Blue' },
        ],
      },
    ],
    [
      'select one from colours',
      {
        type: 'select',
        options: [
          { value: 'red', label: 'Red' },
          { value: 'blue', label: 'Blue' },
        ],
      },
    ],
  ])('of the type %s is a field %j', async (type, field) => {
    expect(await itemsOf([type, 'q', 'Question'])).toEqual({
      items: [{ key: 'q', label: 'Question', required: false, ...field }],
      warnings: [],
    });
  });

  it('keeps what it requires, its bounds and its default', async () => {
    const { items, warnings } = await itemsOf(
      ['integer', 'age', 'Age', '', '. >= 18 and . < 100', 'yes', '30'],
      ['acknowledge', 'agreed', 'Agreed?', '', '', 'true()'],
      ['select_multiple colours', 'likes', 'Likes', '', '', '', 'red blue'],
      ['text', 'code', 'Code', '', "regex(., '[A-Z]{3}')"],
    );
    expect(items).toMatchObject([
      { key: 'age', required: true, min: 18, max: 99, default: 30 },
      { key: 'agreed', required: true, must_be_true: true },
      { key: 'likes', default: ['red', 'blue'] },
      { key: 'code', pattern: '[A-Z]{3}' },
    ]);
    expect(warnings).toEqual([]);
  });

  it('has its default, and conditions their values, as answers are kept', async () => {
    const { items, warnings } = await itemsOf(
      ['text', 'town', 'Town', '', '', '', 'Zu\u0308rich'],
      ['text', 'why', 'Why?', "${town} = 'Ko\u0308ln'"],
    );
    expect(items).toMatchObject([{ default: 'Zürich' }, { visible_if: { equals: 'Köln' } }]);
    expect(warnings).toEqual([]);
  });

  it('keeps a condition that a form can have, and names every other', async () => {
    const { items, warnings } = await itemsOf(
      ['select_one colours', 'Colour', 'Colour'],
      ['text', 'why', 'Why?', "${Colour} = 'red'"],
      ['text', 'how', 'How?', "${Colour} = 'red' and ${why} != ''"],
      ['text', 'long', 'Long?', 'string-length(${why}) > 3'],
      ['text', 'mauve', 'Mauve?', "${Colour} = 'mauve'"],
    );
    expect(items.map(conditionOf)).toEqual([
      undefined,
      { key: 'colour', equals: 'red' },
      {
        all: [
          { key: 'colour', equals: 'red' },
          { key: 'why', answered: true },
        ],
      },
      undefined,
      undefined,
    ]);
    expect(warnings).toEqual([
      [2, 'the name is now "colour"'],
      [5, expect.stringContaining('is not supported; it is always met')],
      [6, expect.stringContaining('visible_if is left out, as it must be the value of an option')],
    ]);
  });

  it.each([
    [['calculate', 'sum', ''], 'has no calculation; it is left out'],
    [['text', 'a', 'A', '', '. * 2 > 3'], 'the constraint ". * 2 > 3" is not supported; the question has none'],
    [['text', 'a', 'A', '', '. != "x"'], 'has no constraint_message; people read "This answer is not allowed."'],
    [['text', 'a', 'A', '', 'regex(., "(a)\\1")'], expect.stringContaining('pattern is left out, as it must be a regular expression')],
    [['text', 'a', 'A', '', '', '${b} = 1'], 'the condition in "required" is not supported; the question is optional'],
    [['text', 'a', 'A', '', '', '', 'today()'], 'the default "today()" is not supported; the question has none'],
    [['integer', 'a', 'A', '', '', '', 'many'], expect.stringContaining('default is left out, as it must be a number')],
    [['text', 'a', 'Hello ${b}'], 'a reference to an answer in a text is shown as it is written'],
    [['text', 'A-1', 'A'], 'the name is now "a_1"'],
    [['text', 'a', 'x'.repeat(501)], expect.stringContaining('is cut to 500 characters')],
  ])('like %j is named in the warnings', async (row, message) => {
    expect((await itemsOf(row)).warnings).toEqual([[2, message]]);
  });

  it('cuts no place of an answer in two', async () => {
    const { document } = await read({
      survey: [
        ['type', 'name', 'label'],
        ['text', 'first_name', 'Your name'],
        ['text', 'age', `${'x'.repeat(490)} \${first_name} \${first_name}`],
      ],
    });
    expect(document.fields[1]).toMatchObject({ label: 'x'.repeat(490) });
  });

  it('shows the answers to earlier questions to which labels and hints refer', async () => {
    const { document, warnings } = await read({
      survey: [
        ['type', 'name', 'label::English (en)', 'label::Deutsch (de)', 'hint::English (en)'],
        ['text', 'First-Name', 'Your name', 'Ihr Name'],
        ['note', 'n', 'Hello **${First-Name}**, {{x}}', 'Hallo ${ First-Name }', '${age}'],
        ['integer', 'age', 'Age of ${First-Name}? ${age} '.repeat(11), 'Alter'],
      ],
      settings: [
        ['form_title', 'default_language'],
        ['Form', 'English (en)'],
      ],
    });
    expect(document.fields.slice(1)).toMatchObject([
      {
        label: 'Hello **{{first_name}}**, \\{{x}}',
        help: '${age}',
        translations: { de: { label: 'Hallo {{first_name}}' } },
      },
      { label: expect.stringMatching(/^(?:Age of \{\{first_name\}\}\? \$\{age\} ){10}Age of \$\{First-Name\}/) as unknown },
    ]);
    const asWritten = 'a reference to an answer in a text is shown as it is written';
    expect(warnings.filter(({ message }) => message === asWritten).map(({ row }) => row)).toEqual([3, 4]);
  });

  it('keeps a question whose text refers to one that had to be left out', async () => {
    const long = 'x'.repeat(200);
    const { document, warnings } = await read({
      survey: [
        ['type', 'name', 'label'],
        ['select_one long', 'a', 'A'],
        ['text', 'b', 'Why ${a}?'],
      ],
      choices: [
        ['list_name', 'name', 'label'],
        ['long', `${long}1`, 'One'],
        ['long', `${long}2`, 'Two'],
      ],
    });
    expect(document.fields).toMatchObject([{ key: 'b', label: String.raw`Why \{{a}}?` }]);
    expect(warnings.at(-1)).toMatchObject({ row: 3, message: 'a reference to an answer in a text is shown as it is written' });
  });

  it('has the translations of its texts and options, and the form their languages', async () => {
    const { document, warnings } = await read({
      survey: [
        ['type', 'name', 'label::English (en)', 'label::Deutsch (de)', 'hint::de', 'label::Klingon'],
        ['select_one yn', 'ok', 'Okay?', 'In Ordnung?', 'Ehrlich', 'luq'],
      ],
      choices: [
        ['list name', 'name', 'label::English (en)', 'label::Deutsch (de)'],
        ['yn', 'y', 'Yes', 'Ja'],
      ],
      settings: [
        ['form_title', 'default_language', 'style'],
        ['Visit', 'English (en)', 'pages'],
      ],
    });
    expect(document).toMatchObject({
      title: 'Visit',
      settings: { languages: ['en', 'de'], default_language: 'en' },
      fields: [
        { label: 'Okay?', options: [{ value: 'y', label: 'Yes' }], translations: { de: { label: 'In Ordnung?', options: { y: 'Ja' } } } },
      ],
    });
    expect(warnings.map(({ sheet, message }) => `${sheet}: ${message}`)).toEqual([
      'survey: the language "de" is not taken over: it needs its own tag, such as English (en)',
      'survey: the language "Klingon" is not taken over: it needs its own tag, such as English (en)',
      'settings: the column "style" is not taken over',
    ]);
  });
});

describe('a group', () => {
  const first = ['text', 'first', 'First'];
  const condition = "${first} = 'x'";
  const met = { key: 'first', equals: 'x' };
  const seen = (items: readonly FormItem[]) => items.map((item) => [item.type, conditionOf(item)]);

  it('is a section, with its condition if nothing follows it', async () => {
    const { items, warnings } = await itemsOf(
      first,
      ['begin_group', 'g', 'Group', condition],
      ['note', 'n', 'Note'],
      ['text', 'a', 'A'],
      ['end_group'],
    );
    expect(seen(items)).toEqual([
      ['short_text', undefined],
      ['section', met],
      ['statement', undefined],
      ['short_text', undefined],
    ]);
    expect(warnings).toEqual([]);
  });

  it('gives its condition to its questions if others follow it', async () => {
    const { items, warnings } = await itemsOf(
      first,
      ['begin group', 'g', 'Group', condition],
      ['text', 'a', 'A'],
      ['end group'],
      ['text', 'b', 'B'],
    );
    expect(seen(items)).toEqual([
      ['short_text', undefined],
      ['section', undefined],
      ['short_text', met],
      ['short_text', undefined],
    ]);
    expect(warnings).toEqual([[3, 'the heading of the group is always shown, as the form goes on after the group']]);
  });

  it('in a group has the conditions of both', async () => {
    const { items, warnings } = await itemsOf(
      first,
      ['begin_group', 'outer', 'Outer', condition],
      ['begin_group', 'inner', 'Inner'],
      ['text', 'a', 'A'],
      ['text', 'b', 'B', "${a} = 'y'"],
      ['end_group'],
      ['end_group'],
    );
    expect(seen(items)).toEqual([
      ['short_text', undefined],
      ['section', met],
      ['section', met],
      ['short_text', met],
      ['short_text', { all: [{ key: 'a', equals: 'y' }, met] }],
    ]);
    expect(warnings).toEqual([]);
  });
});

describe('a constraint that no bounds can say', () => {
  const header = ['type', 'name', 'label', 'constraint', 'constraint_message', 'constraint_message::French (fr)'];
  const read = async (...rows: string[][]) => {
    const { document, warnings } = await readXlsForm(await workbook({ survey: [header, ...rows] }));
    return { checks: document.fields.filter((item) => item.type === 'check'), warnings: warnings.map(({ message }) => message) };
  };
  const starts = ['date', 'starts', 'Starts'];

  it('is a check with its message, behind all questions', async () => {
    const { checks } = await read(starts, ['date', 'ends', 'Ends', '. >= ${starts}', 'Too early.', 'Trop tôt.'], ['text', 'name', 'Name']);
    expect(checks).toEqual([
      {
        ...{ type: 'check', message: 'Too early.', at: 'ends', translations: { fr: { message: 'Trop tôt.' } } },
        if: {
          all: [{ key: 'ends', answered: true }, { not: { key: 'ends', gte: { key: 'starts' } } }],
        },
      },
    ]);
  });

  it.each<[string, object]>([
    [". != 'x'", { key: 'a', equals: 'x' }],
    ["(. = 'x') or (. = 'y')", { not: { key: 'a', in: ['x', 'y'] } }],
    [
      "not(${b} = 'y' or . = 'x')",
      {
        any: [
          { key: 'b', equals: 'y' },
          { key: 'a', equals: 'x' },
        ],
      },
    ],
  ])('such as %s refuses what it does not allow', async (constraint, refused) => {
    const { checks } = await read(['text', 'b', 'B'], ['text', 'a', 'A', constraint, 'No.']);
    expect(checks).toMatchObject([{ if: { all: [{ key: 'a', answered: true }, refused] } }]);
  });

  it('is left out and named if a condition cannot say it, or compares with a later question', async () => {
    const later = await read(['date', 'ends', 'Ends', '. >= ${starts}', 'No.'], starts);
    expect([later.checks, later.warnings]).toEqual([
      [],
      expect.arrayContaining([
        'the constraint ". >= ${starts}" is not supported; the question has none',
        'the column "constraint_message" is not taken over',
      ]),
    ]);
    expect((await read(['integer', 'a', 'A', '. mod 2 = 0', 'Even.'])).checks).toEqual([]);
  });

  it('is no check if bounds can say it: the field has the message', async () => {
    const { checks, warnings } = await read(['integer', 'a', 'A', '. > 3', 'More!', 'Plus !']);
    expect(checks).toEqual([]);
    expect(warnings.filter((message) => message.includes('constraint_message'))).toEqual([]);
  });

  it('has the message that its columns with a language have, where there is no other', async () => {
    const { checks } = await read(['text', 'a', 'A', ". != 'x'", '', 'Non.'], ['text', 'b', 'B', ". != 'x'", '', '']);
    expect(checks).toMatchObject([
      { message: 'Non.', translations: { fr: { message: 'Non.' } } },
      { message: 'This answer is not allowed.' },
    ]);
    const { document } = await readXlsForm(await workbook({ survey: [header, ['integer', 'a', 'A', '. > 3', '', 'Plus !']] }));
    expect(document.fields).toMatchObject([{ messages: { min: 'Plus !' } }]);
  });

  it('takes no room from questions', async () => {
    const texts = Array.from({ length: 499 }, (_, at) => ['text', `b${at}`, 'B']);
    const survey = [header.slice(0, 5), ['text', 'a', 'A', ". != 'x'", 'No.'], ...texts];
    const { document, warnings } = await readXlsForm(await workbook({ survey }));
    expect(document.fields.map(({ type }) => type)).toEqual(Array.from({ length: 500 }, () => 'short_text'));
    expect(warnings.map(({ message }) => message)).toEqual(['a form has at most 50 checks among 500 parts; the constraint is left out']);
  });

  it('is a check where the question cannot have the bound', async () => {
    const choices = [['list_name', 'name', 'label'], ...['1', '2', '3'].map((value) => ['levels', value, value])];
    const { document } = await readXlsForm(
      await workbook({ survey: [header, ['select_one levels', 'a', 'A', '. >= 2', 'More.']], choices }),
    );
    expect(document.fields).toMatchObject([{ key: 'a' }, { type: 'check', if: { all: [{}, { not: { key: 'a', in: ['2', '3'] } }] } }]);
  });

  it('is left out and named if the form has as many checks as it may', async () => {
    const rows = Array.from({ length: 51 }, (_, at) => ['text', `a${at}`, 'A', ". != 'x'", 'No.', 'Non.']);
    const { checks, warnings } = await read(...rows);
    expect([checks.length, warnings.filter((message) => message.startsWith('a form has at most 50 checks')).length]).toEqual([50, 1]);
  });
});

describe('a table of choices', () => {
  const columns = ['type', 'name', 'label', 'label::Deutsch (de)', 'hint', 'required', 'relevant', 'appearance', 'calculation', 'disabled'];
  const scale = [
    ['list_name', 'name', 'label', 'label::Deutsch (de)'],
    ['scale', 'bad', 'Bad', 'Schlecht'],
    ['scale', 'good', 'Good', 'Gut'],
  ];
  const row = (type: string, name: string, label: string, more: Record<string, string> = {}) =>
    columns.map((column) => ({ type, name, label, ...more })[column] ?? '');
  const of = async (...rows: string[][]) => {
    const settings = [['default_language'], ['English (en)']];
    const { document, warnings } = await read({ survey: [columns, ...rows], choices: scale, settings });
    expect(fieldFaults(document.fields)).toEqual([]);
    return { items: document.fields, warnings: warnings.map((warning) => [warning.row, warning.message]) };
  };
  const group = (appearance: string, more: Record<string, string> = {}) =>
    row('begin_group', 'looks', 'How is it?', { appearance, ...more });
  const front = row('select_one scale', 'front', 'The front', { 'label::Deutsch (de)': 'Vorne', required: 'yes' });
  const back = row('select_one scale', 'back', 'The back', { required: 'yes' });
  const end = row('end_group', '', '');
  const choices = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }));

  it('is a matrix, with the texts of all languages, under the condition of its group', async () => {
    const { items, warnings } = await of(
      row('integer', 'age', 'Age'),
      group('table-list', { hint: 'In each row', relevant: '${age} > 17' }),
      front,
      back,
      end,
      row('text', 'more', 'More'),
    );
    expect(items).toEqual([
      expect.objectContaining({ key: 'age' }),
      {
        ...{ key: 'looks', type: 'matrix', label: 'How is it?', help: 'In each row', required: true, visible_if: { key: 'age', gt: 17 } },
        ...{ rows: choices({ front: 'The front', back: 'The back' }), columns: choices({ bad: 'Bad', good: 'Good' }) },
        translations: { de: { rows: { front: 'Vorne' }, columns: { bad: 'Schlecht', good: 'Gut' } } },
      },
      expect.objectContaining({ key: 'more' }),
    ]);
    expect(warnings).toContainEqual([5, 'has no label in Deutsch (de)']);
    expect(warnings).not.toContainEqual([4, 'has no label in Deutsch (de)']);
  });

  it('is one too if its rows follow a heading that nobody answers', async () => {
    const { items } = await of(
      row('begin_group', 'looks', '', { appearance: 'field-list' }),
      row('select_multiple scale', 'head', 'How is it?', { appearance: 'label' }),
      row('select_multiple scale', 'front', 'The front', { appearance: 'list-nolabel' }),
      row('select_multiple scale', 'back', 'The back', { appearance: 'list-nolabel' }),
      end,
    );
    expect(items).toMatchObject([
      {
        ...{ key: 'looks', type: 'matrix', label: 'How is it?', multiple: true, required: false },
        rows: choices({ front: 'The front', back: 'The back' }),
      },
    ]);
  });

  it.each<[string, string[][], string]>([
    [
      'has a condition of its own',
      [front, row('select_one scale', 'back', 'Back', { relevant: "${front} = 'bad'" })],
      'one of its rows has a relevant of its own',
    ],
    ['is required alone', [front, row('select_one scale', 'back', 'Back')], 'not all of its rows are required alike'],
    [
      'is of another type',
      [front, row('select_multiple scale', 'back', 'Back', { required: 'yes' })],
      'its rows are not all choices of one list',
    ],
    ['is no choice', [row('text', 'front', 'Front')], 'its first row is no choice of a list'],
    ['is hidden', [front, row('select_one scale', 'back', 'Back', { required: 'yes', appearance: 'hidden' })], 'one of its rows is hidden'],
    ['has a hint', [front, row('select_one scale', 'back', 'Back', { required: 'yes', hint: 'Behind' })], 'one of its rows has a hint'],
  ])('stays row by row, with a warning, if a row %s', async (_, rows, because) => {
    const { items, warnings } = await of(group('table-list'), ...rows, end);
    expect(items.map(({ type }) => type)).toEqual(['section', ...rows.map(() => expect.not.stringContaining('matrix') as string)]);
    expect(warnings).toContainEqual([2, `the table is asked as a question for each row, as ${because}`]);
  });

  it('stays row by row if an expression names one of them', async () => {
    const { items, warnings } = await of(
      group('table-list'),
      front,
      back,
      end,
      row('calculate', 'sum', '', { calculation: "if(${front} = 'bad', 1, 0)" }),
    );
    expect(items.map(({ type }) => type)).toEqual(['section', 'select', 'select', 'calculated']);
    expect(warnings).toContainEqual([2, 'the table is asked as a question for each row, as an expression names its row "front"']);
  });

  it.each(['${größe}', '${ größe }', '../größe', '/data/looks/größe'])(
    'stays row by row if an expression names one of them as %s',
    async (name) => {
      const { items, warnings } = await of(
        group('table-list'),
        front,
        row('select_one scale', 'größe', 'Größe', { required: 'yes' }),
        end,
        row('text', 'more', 'More', { relevant: `${name} = 'bad'` }),
      );
      expect(items.some(({ type }) => type === 'matrix')).toBe(false);
      expect(warnings).toContainEqual([2, 'the table is asked as a question for each row, as an expression names its row "größe"']);
    },
  );

  it('stays row by row if a cell of a row has an error', async () => {
    const faulty = row('select_one scale', 'back', 'The back', { required: 'yes', relevant: '#REF!' });
    const parts = workbookParts({ survey: [columns, group('table-list'), front, faulty, end], choices: scale });
    const name = 'xl/worksheets/sheet0.xml';
    const sheet = (parts[name] ?? '').replace(/<c r="G4".*?<\/c>/, '<c r="G4" t="e"><v>#REF!</v></c>');
    const { document, warnings } = await readXlsForm(await workbookOf({ ...parts, [name]: sheet }));
    expect(document.fields.some(({ type }) => type === 'matrix')).toBe(false);
    expect(warnings.map(({ message }) => message)).toContain(
      'the table is asked as a question for each row, as one of its rows has a cell with an error',
    );
  });

  it('is required under the condition of its rows, whose paths begin there, and loses it once', async () => {
    const asked = (required: string) =>
      of(
        row('integer', 'age', 'Age'),
        group('table-list'),
        row('select_one scale', 'front', 'The front', { required }),
        row('select_one scale', 'back', 'The back', { required }),
        end,
      );
    const { items, warnings } = await asked('../../age > 17');
    expect(items[1]).toMatchObject({ type: 'matrix', required: true, required_if: { key: 'age', gt: 17 } });
    expect(warnings.filter(([, message]) => String(message).includes('required'))).toEqual([]);
    const lost = (await asked('pulldata()')).warnings.filter(([, message]) => String(message).includes('"required"'));
    expect(lost.map(([at]) => at)).toEqual([4]);
  });

  it('stays row by row behind a group with a condition, whose heading would be shown to all', async () => {
    const { items, warnings } = await of(
      row('integer', 'age', 'Age'),
      row('begin_group', 'adults', 'Adults', { relevant: '${age} > 17' }),
      row('text', 'job', 'Job'),
      end,
      group('table-list'),
      front,
      back,
      end,
    );
    expect(items.map(({ type }) => type)).toEqual(['integer', 'section', 'short_text', 'section', 'select', 'select']);
    expect(items[1]).toMatchObject({ visible_if: { key: 'age', gt: 17 } });
    expect(warnings).toContainEqual([6, 'the table is asked as a question for each row, as it follows a group that has a condition']);
  });

  it('tells that its name is another one', async () => {
    const { items, warnings } = await of(row('begin_group', 'My Looks', 'How?', { appearance: 'table-list' }), front, back, end);
    expect(items).toMatchObject([{ type: 'matrix', key: 'my_looks' }]);
    expect(warnings).toContainEqual([2, 'the name is now "my_looks"']);
  });

  it.each<[string, string[][], string]>([
    [
      'its heading is disabled',
      [
        row('begin_group', 'looks', '', { appearance: 'table-list' }),
        row('select_one scale', 'head', 'How?', { appearance: 'label', disabled: 'yes' }),
      ],
      'its group or heading has a disabled of its own',
    ],
    [
      'its heading has a hint beside the label of the group',
      [group('table-list'), row('select_one scale', 'head', '', { appearance: 'label', hint: 'In each row' })],
      'it has a hint without a heading',
    ],
  ])('stays row by row if %s', async (_, above, because) => {
    const { warnings } = await of(...above, front, back, end);
    expect(warnings).toContainEqual([2, `the table is asked as a question for each row, as ${because}`]);
  });
});
