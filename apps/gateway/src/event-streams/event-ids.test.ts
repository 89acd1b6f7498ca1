import { eventIds } from './event-ids';

const place = { stream: 'mb1x2y3z', position: 4_711 };

it('an id of an event leads back to its place, at every process with the same secret', () => {
  expect(eventIds('secret').placeOf(eventIds('secret').idOf(place))).toEqual(place);
});

it('an id of an event tells nothing about how many events there are: neither by its text nor by its length', () => {
  const ids = eventIds('secret');
  const few = ids.idOf({ stream: 'mb1x2y3z', position: 1 });
  const many = ids.idOf({ stream: 'mb1x2y3z', position: 123_456_789_012 });
  expect(few).toHaveLength(many.length);
  expect(few.length).toBeLessThanOrEqual(100);
  expect(Buffer.from(few, 'base64url').toString('latin1')).not.toContain('mb1x2y3z');
  expect(ids.idOf(place)).not.toBe(ids.idOf(place));
});

it.each(['', 'mb1x2y3z-4711', '0-0', 'A'.repeat(28), 'A'.repeat(100), 'no base64 at all …'])('%j is an id of nothing', (id) => {
  expect(eventIds('secret').placeOf(id)).toBeUndefined();
});

it('an id that was changed, or made with another secret, is an id of nothing', () => {
  const id = Buffer.from(eventIds('secret').idOf(place), 'base64url');
  id.writeUInt8(id.readUInt8(14) ^ 1, 14);
  expect(eventIds('secret').placeOf(id.toString('base64url'))).toBeUndefined();
  expect(eventIds('another').placeOf(eventIds('secret').idOf(place))).toBeUndefined();
});
