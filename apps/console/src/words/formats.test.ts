import { formatsOf, regionalTag } from './formats';

it('writes how long something took in its two largest units', () => {
  const { duration } = formatsOf('en');
  expect([0, 45, 60, 125, 3_600, 3_725, 90_000].map(duration)).toEqual([
    '0 sec',
    '45 sec',
    '1 min',
    '2 min 5 sec',
    '1 hr',
    '1 hr 2 min',
    '1 day 1 hr',
  ]);
  expect(formatsOf('de').duration(125)).toBe('2 Min. 5 Sek.');
});

it('writes amounts of money and shares as such', () => {
  const { amount } = formatsOf('en');
  expect(amount(1234.5, { style: 'currency', currency: 'eur' })).toBe('€1,234.50');
  expect(amount(0.125, { style: 'percent', maximumFractionDigits: 2 })).toBe('12.5%');
  expect(amount(1234.5, undefined)).toBe('1,234.5');
});

describe('The language in which numbers and times are written', () => {
  it('has the region of the browser', () => {
    expect(regionalTag('en', ['de-AT', 'en-GB', 'en-US'])).toBe('en-GB');
    expect(regionalTag('de', ['en-GB'])).toBe('de');
  });

  it('is one that can be written in where the system has no locale', () => {
    expect(formatsOf(regionalTag('en', ['en-US@posix'])).number(1234.5)).toBe('1,234.5');
  });
});
