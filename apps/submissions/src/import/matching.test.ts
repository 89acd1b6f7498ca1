import { Field } from '@sheaf/contracts';
import { matchingOf, nameOf } from './matching';

const options = ['red', 'green'].map((value) => ({ value, label: value === 'red' ? 'Crimson' : 'Lime' }));
const fields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true, translations: { de: { label: 'Ihr Name' } } },
  { key: 'start', label: 'When do you start?', type: 'date' },
  { key: 'colours', label: 'Which colours?', type: 'multi_select', options },
  { key: 'cv', label: 'Your CV', type: 'file' },
  { key: 'stay', label: 'Your stay', type: 'date_range' },
  {
    ...{ key: 'looks', label: 'The looks', type: 'matrix', rows: [{ value: 'f', label: 'Front' }, 'b.c'], columns: ['Good', 'Bad'] },
    translations: { de: { label: 'Aussehen', rows: { f: 'Vorne' } } },
  },
].map((field) => Field.parse(field));

const proposed = async (...headings: string[]) => {
  const { known, proposed: targets } = await matchingOf({ headings }, fields, []);
  return [known.source, ...targets.map(nameOf)];
};

// The columns are those of real exports.
it.each<[string, string[], string[]]>([
  [
    'sheaf',
    ['submission_id', 'schema_version', 'status', 'created_at', 'name', 'colours', 'colours – red'],
    ['nothing', 'nothing', 'nothing', 'created_at', 'answers.name', 'answers.colours', 'answers.colours.red'],
  ],
  [
    'sheaf',
    ['Einsendung', 'Version', 'Status', 'Eingegangen', 'Ihr Name', 'Which colours? – Lime'],
    ['nothing', 'nothing', 'nothing', 'created_at', 'answers.name', 'answers.colours.green'],
  ],
  ['google_forms', ['Zeitstempel', 'Ihr Name', 'Which colours?'], ['created_at', 'answers.name', 'answers.colours']],
  [
    'typeform',
    ['#', 'Your name', 'Crimson', 'Lime', 'Other', 'Response Type', 'Start Date (UTC)', 'Submit Date (UTC)', 'Network ID', 'Tags'],
    [
      'nothing',
      'answers.name',
      'answers.colours.red',
      'answers.colours.green',
      ...Array.from({ length: 3 }, () => 'nothing'),
      'created_at',
      'nothing',
      'nothing',
    ],
  ],
  [
    'kobo',
    ['start', 'end', 'person/name', 'colours', 'colours/red', '_id', '_uuid', '_submission_time', '_index'],
    ['answers.start', 'nothing', 'answers.name', 'answers.colours', 'answers.colours.red', 'nothing', 'nothing', 'created_at', 'nothing'],
  ],
  [
    'formbricks',
    ['No.', 'Response ID', 'Timestamp', 'Finished', 'Survey ID', 'Tags', '1. Your name', '2. Which colours?'],
    ['nothing', 'nothing', 'created_at', 'nothing', 'nothing', 'nothing', 'answers.name', 'answers.colours'],
  ],
  [
    'other',
    ['YOUR  NAME *', 'name', 'colours [Lime]', 'Submitted at', 'Your CV', 'shoe size'],
    ['answers.name', 'nothing', 'answers.colours.green', 'created_at', 'nothing', 'nothing'],
  ],
])('recognizes the columns of an export of %s: %j', async (source, headings, targets) => {
  expect(await proposed(...headings)).toEqual([source, ...targets]);
});

it('finds the first and the last day of a date range in two columns, as exports head them', async () => {
  expect(await proposed('stay – from', 'stay – to')).toEqual(['other', 'answers.stay.from', 'answers.stay.to']);
  expect(await proposed('Your stay – von', 'Your stay – bis')).toEqual(['other', 'answers.stay.from', 'answers.stay.to']);
  expect(await proposed('Your stay')).toEqual(['other', 'nothing']);
});

it.each(['answers.stay', 'answers.stay.until'])('refuses %s, which names no part of a date range', async (target) => {
  await expect(matchingOf({ headings: ['a'] }, fields, [`1:${target}`])).rejects.toThrow('stay must be followed by one of .from, .to');
});

it('matches each row of a matrix by its value or its label, in any language of the form', async () => {
  expect(await proposed('looks – f', 'The looks – b.c', 'looks')).toEqual([
    expect.anything(),
    'answers.looks.f',
    'answers.looks.b.c',
    'nothing',
  ]);
  expect((await proposed('Aussehen – Vorne')).slice(1)).toEqual(['answers.looks.f']);
  const decided = await matchingOf({ headings: ['1'] }, fields, ['1:answers.looks.b.c']);
  expect(decided.targets.map(nameOf)).toEqual(['answers.looks.b.c']);
  await expect(matchingOf({ headings: ['1'] }, fields, ['1:answers.looks.z'])).rejects.toThrow('looks must be followed by one of .f, .b.c');
});
