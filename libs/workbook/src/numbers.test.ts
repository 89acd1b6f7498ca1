import { shownNumber, stylesOf, type Style } from './numbers';
import type { Token } from './xml';

it.each([
  ['1.1000000000000001', '1.1'],
  ['2.2999999999999998', '2.3'],
  ['1.00000000001E+16', '10000000000100000'],
  ['1E-3', '0.001'],
  ['-0.5', '-0.5'],
  ['42', '42'],
  ['', ''],
  ['n/a', 'n/a'],
])('the number %j is shown as %j', (stored, shown) => {
  expect(shownNumber(stored)).toBe(shown);
});

it.each<[string, Style, string]>([
  ['45353', 'date', '2024-03-02'],
  ['45353.7', 'date', '2024-03-02'],
  ['0.39583333333333331', 'time', '09:30'],
  ['45353.395833333336', 'time', '09:30'],
  ['0.39583333333333331', 'date', '09:30'],
  ['0.5000115740740741', 'time', '12:00:01'],
  ['45353.395833333336', 'datetime', '2024-03-02T09:30'],
  ['45353', 'datetime', '2024-03-02'],
  ['-1', 'date', '-1'],
  ['99999999', 'date', '99999999'],
])('the number %j is shown as a %s by %j', (stored, style, shown) => {
  expect(shownNumber(stored, style)).toBe(shown);
});

it('days are counted from 1904 where the workbook says so', () => {
  expect(shownNumber('43891', 'date', true)).toBe('2024-03-02');
});

it.each<[string, Style]>([
  ['yyyy-mm-dd', 'date'],
  ['[$-407]d. mmmm yyyy;@', 'date'],
  ['mmm', 'date'],
  ['hh:mm', 'time'],
  ['[h]:mm:ss', 'time'],
  ['dd.mm.yyyy hh:mm', 'datetime'],
  ['0.00', 'number'],
  ['0 "days"', 'number'],
  ['[Red]0', 'number'],
  ['General', 'number'],
  ['#,##0\\ "h"', 'number'],
])('the format %j shows a %s', async (formatCode, style) => {
  const open = (name: string, attributes: Record<string, string> = {}): Token => ({ kind: 'open', name, attributes });
  async function* part(): AsyncGenerator<Token[]> {
    yield await Promise.resolve([
      open('numFmt', { numFmtId: '164', formatCode }),
      open('cellStyleXfs'),
      open('xf', { numFmtId: '14' }),
      { kind: 'close', name: 'cellStyleXfs' },
      open('cellXfs'),
      open('xf', { numFmtId: '0' }),
      open('xf', { numFmtId: '164' }),
      open('xf', { numFmtId: '14' }),
      { kind: 'close', name: 'cellXfs' },
    ]);
  }
  expect(await stylesOf(part())).toEqual(['number', style, 'date']);
});
