import { trimmed } from './shapes';

it('trims a text before its length is checked', () => {
  expect(trimmed(1, 6).safeParse('  Visits ')).toEqual({ success: true, data: 'Visits' });
  expect(trimmed(1, 6).safeParse('   ').success).toBe(false);
});
