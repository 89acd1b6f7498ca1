import { effort, little, workbook, workbookOf, workbookParts, type Sheets } from '@sheaf/testing';
import { readXlsForm } from './read-xlsform';

const header = ['type', 'name', 'label', 'relevant', 'constraint', 'required', 'default'];
const colours = [
  ['list_name', 'name', 'label'],
  ['colours', 'red', 'Red'],
  ['colours', 'blue', 'Blue'],
];
const read = async (sheets: Sheets) => readXlsForm(await workbook(sheets));

describe('a broken file', () => {
  const survey = (...rows: string[][]): Sheets => ({ survey: [header, ...rows], choices: colours });

  it.each<[string, Sheets, string]>([
    ['no survey', { questions: [['a']] }, 'file: must have a sheet named survey'],
    ['no names', { survey: [['type'], ['text']] }, 'survey row 1: must have a column named name'],
    ['a group without an end', survey(['begin_group', 'g', 'G']), 'survey row 2: begins a group that does not end'],
    ['an end without a group', survey(['end_group']), 'survey row 2: ends a group that was not begun'],
    ['a repeat without an end', survey(['begin_repeat', 'r', 'R'], ['text', 'a', 'A']), 'survey row 2: begins a repeat that does not end'],
    ['an end of no repeat', survey(['end_repeat']), 'survey row 2: ends a repeat that was not begun'],
  ])('with %s is refused, with the sheet and the row', async (_, sheets, message) => {
    await expect(read(sheets)).rejects.toMatchObject({ code: 'bad_request', message });
  });

  it('that would be a huge form is read as far as a form goes, and what is left out is named', async () => {
    const options = Array.from({ length: 1_000 }, (_, n) => ['long', `o${n}`, 'x'.repeat(150)]);
    const questions = Array.from({ length: 20 }, (_, n) => ['select_one long', `q${n}`, 'Q']);
    const large = await read({ survey: [header, ...questions], choices: [['list_name', 'name', 'label'], ...options] });
    expect(large.document.fields).toHaveLength(5);
    expect(large.warnings).toHaveLength(15);
    expect(large.warnings[0]).toMatchObject({ row: 7, message: expect.stringMatching(/^the form would be too large with it/) as string });

    const many = await read(survey(...Array.from({ length: 502 }, (_, n) => ['text', `q${n}`, 'Q'])));
    expect(many.document.fields).toHaveLength(500);
    expect(many.warnings.map(({ row, message }) => [row, message])).toEqual([
      [502, 'a form has at most 500 questions, notes and groups; this one is left out'],
      [503, 'a form has at most 500 questions, notes and groups; this one is left out'],
    ]);
  });

  it('that is no workbook is refused, however it is damaged', async () => {
    const parts = workbookParts(survey(['text', 'a', 'A']));
    const file = await workbookOf(parts);
    const broken = { code: 'bad_request', message: 'file: must be an XLSX workbook, not encrypted' };
    const damaged = [Buffer.from('a'), Buffer.alloc(100), Buffer.from('PK\x03\x04'), file.subarray(0, -30), await workbookOf({})];
    for (const sheet of [
      '<worksheet',
      '<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>',
      '<c t="s"><v>99</v></c>',
      '<row r="1"><c t="inlineStr"><t>&lol;</t></c></row>',
    ])
      damaged.push(await workbookOf({ ...parts, 'xl/worksheets/sheet0.xml': sheet }));
    for (const bytes of damaged) await expect(readXlsForm(bytes)).rejects.toMatchObject(broken);
  });

  it('never fails in another way, whichever byte is damaged', async () => {
    const file = await workbook(survey(['text', 'a', 'A']));
    for (let at = 0; at < file.length; at += 7) {
      const damaged = Buffer.from(file);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      await readXlsForm(damaged).catch((error: unknown) => expect(error).toMatchObject({ code: 'bad_request' }));
    }
  });
});

describe('a zip bomb', () => {
  it('is refused before it is unpacked, whatever it says about its size', async () => {
    const parts = workbookParts({ survey: [header] });
    const bomb = await workbookOf({ ...parts, 'xl/sharedStrings.xml': `<sst>${' '.repeat(100_000_000)}</sst>` });
    expect(bomb.length).toBeLessThan(200_000);
    await expect(readXlsForm(bomb)).rejects.toMatchObject({
      code: 'bad_request',
      message: 'file: unpacks to more than such a file may have',
    });
  });

  it('that says that it is small is refused', async () => {
    const file = await workbookOf({
      ...workbookParts({ survey: [header] }),
      'xl/workbook.xml': `<workbook>${' '.repeat(100_000_000)}</workbook>`,
    });
    const entry = file.indexOf('PK\x01\x02', 0, 'latin1');
    expect(file.toString('latin1', entry + 46, entry + 61)).toBe('xl/workbook.xml');
    file.writeUInt32LE(1_000, entry + 24);
    await expect(readXlsForm(file)).rejects.toMatchObject({ message: 'file: must be an XLSX workbook, not encrypted' });
  });

  it('of many files is refused', async () => {
    const files = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`${n}.xml`, '']));
    await expect(readXlsForm(await workbookOf(files))).rejects.toMatchObject({
      message: 'file: unpacks to more than such a file may have',
    });
  });

  it('of many rows or columns is refused', async () => {
    const parts = workbookParts({ survey: [header] });
    const rows = `<sheetData>${'<row><c t="b"><v>1</v></c></row>'.repeat(20_001)}</sheetData>`;
    await expect(readXlsForm(await workbookOf({ ...parts, 'xl/worksheets/sheet0.xml': rows }))).rejects.toMatchObject({
      message: 'survey: must have at most 20000 rows',
    });
    const wide = `<row r="1">${'<c t="b"><v>1</v></c>'.repeat(257)}</row>`;
    await expect(readXlsForm(await workbookOf({ ...parts, 'xl/worksheets/sheet0.xml': wide }))).rejects.toMatchObject({
      message: 'survey row 1: must have at most 256 columns',
    });
  });

  it.each([
    ['a tag that does not end', `<worksheet ${' '.repeat(1_000_000)}`],
    ['deep elements', '<a>'.repeat(5_000_000)],
    ['attributes without end', `<worksheet ${'a="b" '.repeat(100_000)}`],
    ['long expressions', ''],
  ])('with %s costs little time', async (_, sheet) => {
    const long = `(${'a'.repeat(30_000)}`;
    const parts = workbookParts({
      survey: [header, ...Array.from({ length: 50 }, (__, n) => ['text', `q${n}`, 'Q', long, long, long, long])],
    });
    const file = await workbookOf(sheet === '' ? parts : { ...parts, 'xl/worksheets/sheet0.xml': sheet });
    expect(await effort(() => readXlsForm(file).catch(() => undefined))).toBeLessThan(little);
  });
});

describe('a cell', () => {
  const longest = 32_767;
  const columns = [
    ...['type', 'name', 'label', 'label::Deutsch (de)', 'hint', 'relevant', 'constraint', 'required', 'default', 'appearance'],
    ...['choice_filter', 'calculation', 'disabled', 'constraint_message', 'note'],
  ];
  /** Texts that once made a pattern try again at every character, and some that are merely long. */
  const fillings = [
    ' ',
    '\t',
    '(',
    ')',
    "'",
    '"',
    ' or ',
    ' and ',
    '${',
    '${a} = 1 or ',
    'selected(${a}, ',
    '1',
    'a',
    '_',
    '|',
    '::',
    'regex(.,',
  ];

  it.each(fillings)('as long as a cell can be, filled with %j, costs little in any column', async (filling) => {
    const long = `${filling.repeat(longest).slice(0, longest - 2)}!`;
    const plain = ['text', 'q', 'Q'];
    const choices = [
      ['list_name', 'name', 'label'],
      ['colours', `x${long}`, `y${long}`],
      [`x${long}`, 'red', 'Red'],
    ];
    const files: Sheets[] = [
      {
        survey: [
          columns,
          ['select_one colours', 'a', 'A'],
          ...plain.map((_, at) => columns.map((__, other) => (other <= at ? (plain[other] ?? '') : long))),
        ],
      },
      { survey: [[...columns, ...columns.map((column) => `${column}${long}`.slice(0, longest))], plain] },
      {
        survey: [
          ['type', 'name'],
          ['select_one colours', 'a'],
        ],
        choices,
      },
    ];
    for (const sheets of files) {
      const file = await workbook(sheets);
      const reading = () => readXlsForm(file).catch((error: unknown) => expect(error).toMatchObject({ code: 'bad_request' }));
      expect(await effort(reading, 10)).toBeLessThan(10);
    }
  });

  it('that is longer than a cell can be is refused, wherever its text is stored', async () => {
    const long = 'x'.repeat(longest + 1);
    for (const row of [
      [long, 'b'],
      ['b', long],
    ])
      await expect(read({ survey: [header, row] })).rejects.toMatchObject({
        message: 'survey row 2: a cell must have at most 32767 characters',
      });
  });

  it('that shares its text with many others is refused once all of them would be too much', async () => {
    const parts = workbookParts({ survey: [header] });
    const file = await workbookOf({
      ...parts,
      'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(longest)}</t></si></sst>`,
      'xl/worksheets/sheet0.xml': `<sheetData>${'<row><c t="s"><v>0</v></c></row>'.repeat(19_000)}</sheetData>`,
    });
    await expect(readXlsForm(file)).rejects.toMatchObject({
      message: 'survey row 513: up to here, the file has more than 16777216 characters',
    });
  });
});
