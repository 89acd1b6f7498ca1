import { dayWords, readRelativeDays } from './relative-days';

it.each([
  ['today', '2028-03-01', '2028-03-02'],
  ['yesterday', '2028-02-29', '2028-03-01'],
  ['tomorrow', '2028-03-02', '2028-03-03'],
  ['last_1_days', '2028-03-01', '2028-03-02'],
  ['last_7_days', '2028-02-24', '2028-03-02'],
  ['next_7_days', '2028-03-01', '2028-03-08'],
  ['this_week', '2028-02-28', '2028-03-06'],
  ['last_week', '2028-02-21', '2028-02-28'],
  ['this_month', '2028-03-01', '2028-04-01'],
  ['last_month', '2028-02-01', '2028-03-01'],
  ['next_month', '2028-04-01', '2028-05-01'],
  ['this_quarter', '2028-01-01', '2028-04-01'],
  ['last_quarter', '2027-10-01', '2028-01-01'],
  ['last_year', '2027-01-01', '2028-01-01'],
  ['next_year', '2029-01-01', '2030-01-01'],
])('on Wednesday, 1 March 2028, %s begins on %s and ends before %s', (word, first, end) => {
  expect(readRelativeDays(word, '2028-03-01')).toEqual({ first, end });
});

it('a week ends with its Sunday', () => {
  expect(readRelativeDays('this_week', '2028-03-05')).toEqual({ first: '2028-02-28', end: '2028-03-06' });
});

it('reads every word that it names, and no other text', () => {
  for (const word of dayWords) expect(readRelativeDays(word, '2028-03-01')).toBeDefined();
  for (const word of ['', 'Today', 'last_0_days', 'last_3661_days', 'last_07_days', 'this_7_days', 'this_day', '2028-03-01', 'constructor'])
    expect(readRelativeDays(word, '2028-03-01')).toBeUndefined();
});
