import { formatDateTime, formatDay, formatInstant, formatList, formatNumber, formatPrice, formatSize, formatTime } from './formats';

/** Spaces and invisible marks differ between versions of Node. */
const plain = (text: string) => text.replace(/[\u00a0\u202f\u2009]/g, ' ').replace(/[\u200e\u200f\u061c]/g, '');

test.each([
  ['en', '12,345.678'],
  ['en-US', '12,345.678'],
  ['de', '12.345,678'],
  ['fr', '12 345,678'],
  ['pl', '12 345,678'],
  ['ja', '12,345.678'],
  // Our words are in English where we have none, and numbers are written as they are.
  ['sv', '12,345.678'],
  ['no language', '12,345.678'],
])('a number in %s is %s', (language, written) => {
  expect(plain(formatNumber(language, 12_345.678))).toBe(written);
});

test('a small number is not rounded', () => {
  expect(formatNumber('en', 0.000_000_1)).toBe('0.0000001');
});

test.each([
  ['en', '31 May 2026'],
  ['en-US', 'May 31, 2026'],
  ['de', '31. Mai 2026'],
  ['pt', '31 de maio de 2026'],
  ['uk', '31 травня 2026 р.'],
  ['ar', '31 مايو 2026'],
  ['zh', '2026年5月31日'],
  ['zh-Hant', '2026年5月31日'],
])('a day in %s is %s', (language, written) => {
  expect(plain(formatDay(language, '2026-05-31'))).toBe(written);
});

test('a day is in the calendar of date inputs, also where another one is usual', () => {
  expect(formatDay('ar-SA', '2026-05-31')).toMatch(/2026|٢٠٢٦/);
});

test('a text that is no day stays as it is', () => {
  expect(formatDay('de', 'tomorrow')).toBe('tomorrow');
  expect(formatDay('de', '2026-13-01')).toBe('2026-13-01');
});

test('an instant is written in the time zone, which is named', () => {
  const instant = new Date('2026-05-31T22:30:00Z');
  expect(plain(formatInstant('de', instant, 'Europe/Berlin'))).toMatch(/^1\. Juni 2026 um 00:30 (?:MESZ|GMT\+2)$/);
  expect(plain(formatInstant('ja', instant, 'Asia/Tokyo'))).toMatch(/^2026年6月1日 7:30 (?:JST|GMT\+9)$/);
  expect(plain(formatInstant('en', instant))).toBe('31 May 2026 at 22:30 UTC');
});

test('a time that the respondent chose is in no time zone, unless it has an offset', () => {
  expect(plain(formatTime('de', '14:30'))).toBe('14:30');
  expect(plain(formatTime('en-US', '14:30:15'))).toBe('2:30 PM');
  expect(plain(formatDateTime('de', '2026-05-31T23:30'))).toBe('31. Mai 2026 um 23:30');
  expect(plain(formatDateTime('de', '2026-05-31T23:30:00+02:00'))).toBe('31. Mai 2026 um 21:30 UTC');
});

test('a text that is no time stays as it is', () => {
  expect(formatTime('de', 'noon')).toBe('noon');
  expect(formatTime('de', '99:99')).toBe('99:99');
  expect(formatDateTime('de', 'tomorrow')).toBe('tomorrow');
});

test.each([
  ['en', 0, '0 bytes'],
  ['en', 1, '1 byte'],
  ['de', 1023, '1.023 Byte'],
  ['en', 1024, '1 kB'],
  ['en', 26_214_400, '25 MB'],
  ['fr', 26_214_400, '25 Mo'],
  ['uk', 1_572_864, '1,5 МБ'],
  ['en', 2_147_483_647, '1.9 GB'],
])('a size in %s of %i bytes is %s', (language, bytes, written) => {
  expect(plain(formatSize(language, bytes))).toBe(written);
});

test('a limit is rounded down, so that it promises no more than it allows', () => {
  expect(formatSize('en', 10_000_000)).toBe('9.5 MB');
  expect(formatSize('en', 1024 ** 2 * 1.99)).toBe('1.9 MB');
});

test.each([
  ['en', 2500, 'eur', '€25.00'],
  ['de', 123_456, 'eur', '1.234,56 €'],
  ['en', 2500, 'jpy', 'JP¥2,500'],
  ['de', 2500, 'krw', '2.500 ₩'],
  ['en', 2500, 'kwd', 'KWD 2.500'],
  // Intl would show no decimals, and so a hundred times the price.
  ['en', 250_000, 'tzs', 'TZS 2,500.00'],
  ['en', 2500, 'rsd', 'RSD 25.00'],
  ['en', 2500, 'ugx', 'UGX 25.00'],
])('a price in %s of %i in the smallest unit of %s is %s', (language, amount, currency, written) => {
  expect(plain(formatPrice(language, amount, currency))).toBe(written);
});

test('a list ends with the word of the language', () => {
  expect(formatList('en', ['PDF', 'PNG', 'JPEG'])).toBe('PDF, PNG and JPEG');
  expect(formatList('de', ['PDF', 'PNG', 'JPEG'], 'disjunction')).toBe('PDF, PNG oder JPEG');
});

test('many languages, time zones and currencies do not fill the memory', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  for (const zone of zones) expect(formatInstant('en', new Date(0), zone)).toContain('19');
  expect(formatNumber('de', 1.5)).toBe('1,5');
});
