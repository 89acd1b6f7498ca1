import { effort, little, tedious } from '@sheaf/testing';
import fc from 'fast-check';
import { wordLanguages } from '../words/languages';
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
  ['en', '1500 EUR', 1500],
  ['en', 'EUR 1500', 1500],
  ['en', '-USD 1,500.50', -1500.5],
  ['en', '1500eur', 1500],
  ['de', '1.500,00 EUR', 1500],
  ['de', '-1.500,- €', -1500],
  ['en', '1.500,-', 1500],
  ['de', "CHF 1'500.–", 1500],
  ['fr', 'CHF 1’500.--', 1500],
  ['de', 'CHF 1.500.–', undefined],
  ['en', '1500 XQX', undefined],
  ['en', '12 apples', undefined],
  ['en', '12 EUROS', undefined],
  ['en', '12 EUR 50', undefined],
  ['en', 'EUR', undefined],
  ['en', '12 %', undefined],
  ['en', '5²', undefined],
  ['en', '१२३', 123],
  ['en', '২৫', 25],
  ['en', '\u200e25\u200f', 25],
  ['en', '4000123412341234567', undefined],
  ['en', '0.1234567890123456789', undefined],
  ['en', '1,23,456', undefined],
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
  ['fr', '1.500', undefined],
  ['pl', '-1.500 PLN', undefined],
  ['uk', '12.500', undefined],
  ['fr', '1.500,00', 1500],
  ['fr', '1.500.000', 1_500_000],
  ['fr', '0.500', 0.5],
  ['fr', '1.50', 1.5],
  ['fr', '1500.125', 1500.125],
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

const decimal = fc
  .tuple(fc.integer({ min: -10_000_000, max: 10_000_000 }), fc.integer({ min: 0, max: 4 }))
  .map(([digits, places]) => Number(`${digits}e-${places}`));

describe.each(wordLanguages)('in %s,', (language) => {
  const ways: Intl.NumberFormatOptions[] = [
    { maximumFractionDigits: 4 },
    { minimumFractionDigits: 3, maximumFractionDigits: 4, useGrouping: 'always' },
    { maximumFractionDigits: 4, useGrouping: false },
    ...(['symbol', 'narrowSymbol', 'code'] as const).map(
      (currencyDisplay) => ({ style: 'currency', currency: 'EUR', maximumFractionDigits: 4, currencyDisplay }) as const,
    ),
  ];
  const formats = ways.map((way) => new Intl.NumberFormat(language, way));

  it('a number that the language writes is the same number', () => {
    fc.assert(
      fc.property(decimal, fc.constantFrom(...formats), (number, format) => {
        expect(readNumber(format.format(number), language)).toBe(number);
      }),
    );
  });

  it('a text that could mean two numbers is none, unless the language writes one of them so', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 999 }), fc.constantFrom('.', ','), (left, right, mark) => {
        const thousandths = String(right).padStart(3, '0');
        const text = `${left}${mark}${thousandths}`;
        const [asDecimal, asGroups] = [Number(`${left}.${thousandths}`), left * 1_000 + right];
        const isWritten = (number: number, digits: number) =>
          new Intl.NumberFormat(language, { minimumFractionDigits: digits, useGrouping: 'always' }).format(number) === text;
        const meant = isWritten(asDecimal, 3) ? asDecimal : isWritten(asGroups, 0) ? asGroups : undefined;
        expect(readNumber(text, language)).toBe(meant);
      }),
    );
  });
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

it.each(['number', 'whole'] as const)('a number that would change goes on as it was meant, as an answer of the kind %s', (kind) => {
  expect(numberLiteral('4.000.123.412.341.234.567', 'de')).toBe('4000123412341234567');
  expect(answerOf({ kind }, ['4.000.123.412.341.234.567'], 'de')).toBe('4000123412341234567');
  expect(answerOf({ kind }, ['many'], 'de')).toBe('many');
});

it.each([1_000, 2_000_000])('a page full of texts of %d characters in place of numbers costs little to read', async (length) => {
  const controls = length > 1_000 ? 1 : 500;
  for (const text of tedious(length)) {
    const reading = () => {
      for (let control = 0; control < controls; control++) answerOf({ kind: 'number' }, [text], 'de');
    };
    expect(await effort(reading)).toBeLessThan(little);
  }
});
