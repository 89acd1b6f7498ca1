import { Field } from '@sheaf/contracts';
import { readerOf, type Manner } from './cells';
import { instantOf, orderIn, readMoment } from './moments';

const options = [
  { value: 'r', label: 'Red' },
  { value: 'g', label: 'Green, light' },
  { value: 'green', label: 'Green' },
  { value: 'q', label: 'Say "yes"; no' },
];
const read = (type: string, text: string, manner: Partial<Manner> = {}) => {
  const field = Field.parse({
    key: 'a',
    label: 'A',
    type,
    ...(type.endsWith('select') && { options, translations: { de: { options: { r: 'Rot' } } } }),
  });
  return readerOf(field, { dateOrder: undefined, hasCommas: false, languages: [], ...manner })(text);
};

it.each([
  ['number', '12', 12],
  ['number', ' -1.5 ', -1.5],
  ['number', '1234,5', 1234.5],
  ['number', '1.234,5', 1234.5],
  ['number', '1,234.5', 1234.5],
  ['number', '1,234,567', 1_234_567],
  ['number', '1\u00a0234', 1234],
  ['number', '1’234.5', 1234.5],
  ['number', '−3', -3],
  ['number', '0,125', 0.125],
  ['number', '1.234', 1.234],
  ['number', '.5', 0.5],
  ['number', 'about 3', 'about 3'],
  ['integer', '9007199254740993', '9007199254740993'],
  ['boolean', 'Ja', true],
  ['boolean', 'Sí', true],
  ['boolean', 'FALSE', false],
  ['boolean', '0', false],
  ['boolean', 'perhaps', 'perhaps'],
  ['date', '2.3.2026', '2026-03-02'],
  ['date', '2026/3/2', '2026-03-02'],
  ['date', '2026-03-02T00:00:00', '2026-03-02'],
  ['time', '9:30 PM', '21:30'],
  ['time', '12:05 a.m.', '00:05'],
  ['time', '09:30:15', '09:30:15'],
  ['datetime', '2026/03/02 9:30:00 AM GMT+1', '2026-03-02T09:30:00+01:00'],
  ['datetime', '2026-03-02 09:30', '2026-03-02T09:30'],
  ['datetime', '2026-03-02T09:30Z', '2026-03-02T09:30:00Z'],
  ['datetime', '2026-03-02', '2026-03-02T00:00'],
  ['select', 'red', 'r'],
  ['select', 'ROT', 'r'],
  ['select', ' Green,  light', 'g'],
  ['multi_select', 'Red', ['r']],
  ['multi_select', 'Red; "Say ""yes""; no"', ['r', 'q']],
  ['multi_select', 'Green, light, Green', ['g', 'green']],
  ['multi_select', 'r g', ['r', 'g']],
  ['multi_select', 'Rot | Rot', ['r']],
  ['short_text', ' =1+1 ', ' =1+1 '],
])('a cell of the type %s with %j has the answer %j', (type, text, answer) => {
  expect(read(type, text)).toEqual({ answer });
});

it.each([
  ['number', '1,234', 'decimal or a thousands separator'],
  ['date', '3/2/2026', 'day or the month first'],
  ['select', 'Purple', '"Purple" is none of the options'],
  ['multi_select', 'Red, Purple', '"purple" is none of the options'],
  ['multi_select', 'Red, '.repeat(1_000), 'names more options than there are'],
])('a cell of the type %s with %j has a fault that names what is wrong', (type, text, message) => {
  expect(read(type, text)).toEqual({ fault: expect.stringContaining(message) as string });
});

it('takes a point for a thousands separator where decimals have commas only if nothing else is possible', () => {
  expect(read('number', '1.234', { hasCommas: true })).toEqual({ fault: expect.any(String) as string });
  expect(read('number', '1.5', { hasCommas: true })).toEqual({ answer: 1.5 });
});

it('learns the order of day and month from the column', () => {
  expect(orderIn(['3/2/2026', '25/2/2026'])).toBe('day_first');
  expect(orderIn(['3/2/2026', '2/25/2026'])).toBe('month_first');
  expect(orderIn(['3/2/2026'])).toBeUndefined();
  expect(read('date', '3/2/2026', { dateOrder: 'day_first' })).toEqual({ answer: '2026-02-03' });
  expect(read('date', '3/2/2026', { dateOrder: 'month_first' })).toEqual({ answer: '2026-03-02' });
});

it('reads the time of a submission in the zone of the form unless it has an offset', () => {
  const at = (text: string) => instantOf(readMoment(text) ?? {}, 'Europe/Berlin')?.toISOString();
  expect(at('2026-07-01 12:00:05')).toBe('2026-07-01T10:00:05.000Z');
  expect(at('2026-07-01T12:00:00.123Z')).toBe('2026-07-01T12:00:00.000Z');
  expect(at('2026-02-30 12:00')).toBeUndefined();
  expect(at('12:00')).toBeUndefined();
});

it.each([
  ['DE', 'DE'],
  ['de', 'DE'],
  [' germany ', 'DE'],
  ['Österreich', 'AT'],
  ['Osterreich', 'AT'],
  ['Allemagne', 'DE'],
])('reads a country by its code, or by its name in a language of the console: %j', (text, code) => {
  expect(read('country', text)).toEqual({ answer: code });
});

it('reads a country by its name in a language of the form, and none that the field does not offer', () => {
  const field = Field.parse({ key: 'a', label: 'A', type: 'country', only: ['SE', 'AT'], translations: { sv: { label: 'Land' } } });
  const cell = readerOf(field, { dateOrder: undefined, hasCommas: false, languages: [] });
  expect(cell('Österrike')).toEqual({ answer: 'AT' });
  expect(cell('Germany')).toEqual({ fault: '"Germany" is none of the countries' });
  // In its own language, nothing of the form is translated.
  expect(read('country', 'Tyskland', { languages: ['sv'] })).toEqual({ answer: 'DE' });
});
