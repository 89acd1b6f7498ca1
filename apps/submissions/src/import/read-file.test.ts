import { importLimits } from '@sheaf/contracts';
import { refused, workbook, workbookOf, workbookParts } from '@sheaf/testing';
import { readFile } from './read-file';

const read = async (file: string | Buffer) => {
  const { headings, rows, ...rest } = await readFile(Buffer.from(file));
  return { ...rest, headings, rows: rows.map(({ number, cells }) => [number, ...cells]) };
};

describe('a CSV file', () => {
  it.each<[string, string | Buffer, object]>([
    ['a byte order mark', '\uFEFFname,age\r\nZoë,7\r\n', { encoding: 'utf-8', delimiter: ',' }],
    ['semicolons', 'name;age\nZoë;7', { encoding: 'utf-8', delimiter: ';' }],
    ['tabs and quotes', '"name"\t"age"\n"Zoë"\t"7"\n', { encoding: 'utf-8', delimiter: '\t' }],
    ['one byte for each character', Buffer.from('name,age\nZoë,7\n', 'latin1'), { encoding: 'windows-1252', delimiter: ',' }],
    ['two bytes for each character', Buffer.from('\uFEFFname,age\nZoë,7\n', 'utf16le'), { encoding: 'utf-16le', delimiter: ',' }],
  ])('is read with %s', async (_, file, expected) => {
    expect(await read(file)).toEqual({ format: 'csv', ...expected, headings: ['name', 'age'], rows: [[2, 'Zoë', '7']] });
  });

  it('numbers rows as spreadsheets do, whatever is in their cells', async () => {
    expect(await read('a,b\n\n"one, ""two""\nthree",x\n,\nlast\n')).toMatchObject({
      rows: [
        [3, 'one, "two"\nthree', 'x'],
        [5, 'last'],
      ],
    });
  });

  it.each<[string, string | Buffer, RegExp]>([
    ['is empty', '', /must not be empty/],
    ['has no headings', '\n\n', /must have a row with headings/],
    ['has a quotation mark too few', 'a,b\n1,2\n"3,4\n', /is not valid CSV after row 2/],
    ['is no text', Buffer.from([0, 1, 2, 0, 255]), /must be an XLSX workbook, or CSV/],
    ['is a workbook of an old format', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /save it as .xlsx/],
    ['has too many rows', `a\n${'x\n'.repeat(importLimits.rows + 1)}`, /must have at most 10000 rows/],
    ['has too many columns', `a\n${','.repeat(importLimits.columns)}x\n`, /row 2 must have at most 1000 columns/],
    ['has a cell that is too long', `a\n${'x'.repeat(100_001)}\n`, /row 2 has a cell of more than 100000 characters/],
  ])('is refused if it %s', async (_, file, message) => {
    await expect(readFile(Buffer.from(file))).rejects.toEqual(refused('bad_request', message));
  });
});

describe('a workbook', () => {
  it('is read from its first sheet, with its dates and times as such', async () => {
    const parts = {
      ...workbookParts({ Answers: [], Other: [['x']] }),
      'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs></styleSheet>',
      'xl/worksheets/sheet0.xml':
        '<worksheet><sheetData><row r="2"><c r="A2" t="inlineStr"><is><t>day</t></is></c><c r="C2" t="inlineStr"><is><t>at</t></is></c></row>' +
        '<row r="7"><c r="A7" s="1"><v>46083</v></c><c r="C7" s="2"><v>46083.395833333336</v></c></row></sheetData></worksheet>',
    };
    expect(await read(await workbookOf(parts))).toEqual({
      format: 'xlsx',
      sheet: 'answers',
      headings: ['day', '', 'at'],
      rows: [[7, '2026-03-02', '', '2026-03-02T09:30']],
    });
  });

  it('is refused if a small file has too much in it', async () => {
    const row = `<row>${'<c><v>1</v></c>'.repeat(10)}</row>`;
    const parts = { ...workbookParts({ Answers: [] }), 'xl/worksheets/sheet0.xml': `<worksheet>${row.repeat(11)}</worksheet>` };
    const file = await workbookOf(parts);
    await expect(readFile(file, { ...importLimits, cells: 100 })).rejects.toEqual(refused('bad_request', /more than 100 cells/));
    await expect(readFile(file, { ...importLimits, rows: 9 })).rejects.toEqual(refused('bad_request', /must have at most 10 rows/));
    await expect(readFile(file, { ...importLimits, characters: 99 })).rejects.toEqual(refused('bad_request', /more than 99 characters/));
    await expect(readFile(Buffer.from('PK\u0003\u0004nothing'))).rejects.toEqual(refused('bad_request', /must be an XLSX workbook/));
    const errors = { ...parts, 'xl/worksheets/sheet0.xml': `<worksheet><row>${'<c t="e"/>'.repeat(11)}</row></worksheet>` };
    await expect(readFile(await workbookOf(errors), { ...importLimits, cells: 10 })).rejects.toEqual(refused('bad_request', /10 cells/));
    await expect(readFile(await workbookOf(errors), { ...importLimits, columns: 10 })).rejects.toEqual(
      refused('bad_request', /10 columns/),
    );
    expect(await read(await workbook({ Answers: [['name'], ['Ada']] }))).toMatchObject({ rows: [[2, 'Ada']] });
  });
});
