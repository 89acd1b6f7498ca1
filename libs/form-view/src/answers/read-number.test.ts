import { answerOf } from './answer-of';
import { numberLiteral, readNumber, readPlainNumber, rewriteNumber, writeNumber } from './read-number';

it.each([
  ['en', '1234.5', 1234.5],
  ['en', '1,234.5', 1234.5],
  ['en', '-1,234,567', -1_234_567],
  ['en', '+3', 3],
  ['en', '1e3', 1000],
  ['en', '.5', 0.5],
  ['en', '5.', 5],
  ['en', '1,5', 1.5],
  ['en', '12000,50', 12000.5],
  ['en', '0,125', 0.125],
  ['en', '1.234,5', 1234.5],
  ['en', '1.234.567', 1_234_567],
  ['en', '1,234,5', undefined],
  ['en', '1.234.5', undefined],
  ['en', '1,234.', undefined],
  ['en', '.', undefined],
  ['en', '', undefined],
  ['en', '€1500', 1500],
  ['en', '1500 €', 1500],
  ['en', '-€1,500.50', -1500.5],
  ['en', '€ -3', -3],
  ['en', '￥１，５００', 1500],
  ['en', '€1500€', 1500],
  ['en', '€', undefined],
  ['en', '12 %', undefined],
  ['en', '5²', undefined],
  ['en', '१२३', 123],
  ['en', '২৫', 25],
  ['en', '\u200e25\u200f', 25],
  ['en', '4000123412341234567', undefined],
  ['en', '0.1234567890123456789', undefined],
  ['en', '1,23,456', undefined],
  ['en', '12 apples', undefined],
  ['en', '0x10', undefined],
  ['en', 'Infinity', undefined],
  ['de', '1234,5', 1234.5],
  ['de', '1.234,5', 1234.5],
  ['de', '1.234', 1234],
  ['de', '1.5', 1.5],
  ['de', '1234.5', 1234.5],
  ['de', '0.125', 0.125],
  ['de', '1,234.5', 1234.5],
  ['de', '1.500 €', 1500],
  ['de', '１．５００', 1500],
  ['de', '1٫500', 1.5],
  ['fr', '1 234,5', 1234.5],
  ['fr', '1\u202f234,5', 1234.5],
  ['pl', '12\u00a0345,75', 12345.75],
  ['en', "1'234", 1234],
  ['ar', '١٢٣٤٫٥', 1234.5],
  ['ar', '١٬٢٣٤', 1234],
  ['ar', '1,234', 1234],
  ['ja', '１２３', 123],
  ['en', '−5', -5],
  ['en', '1e400', undefined],
  ['en', '-1e400', undefined],
  ['en', '9'.repeat(310), undefined],
  ['de', '9'.repeat(310) + ',5', undefined],
])('reads in %s %j as %s', (language, text, number) => {
  expect(readNumber(text, language)).toBe(number);
});

it.each(['en', 'de', 'fr', 'pl', 'ar', 'he', 'ja', 'zh-Hant'])('reads what it writes in %s', (language) => {
  for (const number of [0, 0.5, -12.25, 1_234, 1_234.5, 1.125, 1e21, 1.5e21, 1e-7, 1.5e-7])
    expect(readNumber(writeNumber(number, language), language)).toBe(number);
});

it.each([
  ['1.125', 1.125],
  ['-12', -12],
  ['1e3', 1000],
  ['1,5', undefined],
  ['1.234.567', undefined],
  ['1e400', undefined],
  ['4000123412341234567', undefined],
  ['', undefined],
])('reads %j as the plain number %s, whatever the language', (text, number) => {
  expect(readPlainNumber(text)).toBe(number);
});

it.each([
  ['1.500', 'de', 'en', '1500'],
  ['1,5', 'de', 'en', '1.5'],
  ['1.5', 'en', 'de', '1,5'],
  ['1,500', 'en', 'de', '1500'],
  [' 1.500 ', 'de', 'en', '1500'],
  ['1.500', 'de', 'de', '1.500'],
  ['many', 'de', 'en', 'many'],
  ['', 'de', 'en', ''],
])('writes %j, typed in %s, in %s as %j', (text, from, to, written) => {
  expect(rewriteNumber(text, from, to)).toBe(written);
});

it.each(['integer', 'number', 'rating'] as const)('a number that would change goes on as it was meant, as an answer of type %s', (type) => {
  expect(numberLiteral('4.000.123.412.341.234.567', 'de')).toBe('4000123412341234567');
  expect(answerOf({ type }, ['4.000.123.412.341.234.567'], 'de')).toBe('4000123412341234567');
  expect(answerOf({ type }, ['many'], 'de')).toBe('many');
});
