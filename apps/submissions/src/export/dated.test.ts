import { dateTimeIn, dayOf, momentIn, timeOfDay, Zone } from './dated';

const vienna = new Zone('Europe/Vienna');

it('a moment is the time on the wall of the form’s zone, in summer and in winter', () => {
  const at = (text: string) => (momentIn(vienna, new Date(text)) as { text: string }).text;
  expect(at('2026-07-01T22:30:00.999Z')).toBe('2026-07-02 00:30:00');
  expect(at('2026-01-01T22:30:00Z')).toBe('2026-01-01 23:30:00');
  // Both sides of each change of the clocks.
  expect([at('2026-03-29T00:59:59Z'), at('2026-03-29T01:00:00Z')]).toEqual(['2026-03-29 01:59:59', '2026-03-29 03:00:00']);
  expect([at('2026-10-25T00:59:59Z'), at('2026-10-25T01:00:00Z')]).toEqual(['2026-10-25 02:59:59', '2026-10-25 02:00:00']);
});

it('a form without a zone, or with one that is unknown here, has UTC', () => {
  for (const zone of [new Zone(undefined), new Zone('Mars/Olympus')]) expect(zone.name).toBe('UTC');
});

it.each([
  ['1900-03-01', 61],
  ['2024-02-29', 45_351],
  ['9999-12-31', 2_958_465],
])('the day %s is day %i of spreadsheets', (day, serial) => {
  expect(dayOf(day)).toMatchObject({ text: day, serial });
});

it.each(['1900-02-28', '1887-05-01', '2026-02-30', '0000-01-01', '1.2.2026', '2026-06-01T12:00', ''])('%j stays a text', (answer) => {
  expect(dayOf(answer)).toBeUndefined();
});

it('a time of day is a part of a day', () => {
  expect(timeOfDay('18:00')).toMatchObject({ text: '18:00', serial: 0.75, look: 'minutes' });
  expect(timeOfDay('00:00:30')).toMatchObject({ text: '00:00:30', serial: 30 / 86_400, look: 'seconds' });
  for (const answer of ['24:00', '7:30', '12:60', 'noon']) expect(timeOfDay(answer)).toBeUndefined();
});

it('a date and time with an offset is a moment; without one it is the time on the wall already', () => {
  expect(dateTimeIn(vienna, '2026-07-01T12:00')?.text).toBe('2026-07-01 12:00');
  expect(dateTimeIn(vienna, '2026-07-01T12:00:05')?.text).toBe('2026-07-01 12:00:05');
  expect(dateTimeIn(vienna, '2026-07-01T12:00:00Z')?.text).toBe('2026-07-01 14:00');
  expect(dateTimeIn(vienna, '2026-07-01T12:00:00-05:00')?.text).toBe('2026-07-01 19:00');
});

it('a part of a second, which no cell shows, stays a text', () => {
  expect(dateTimeIn(vienna, '2026-07-01T12:00:00.5Z')).toBeUndefined();
});
