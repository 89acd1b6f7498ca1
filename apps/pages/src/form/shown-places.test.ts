import type { Field } from '@sheaf/contracts';
import { readAnswers, type Placed } from '@sheaf/form-view';
import { placesShown, withoutEmptyPlaces } from './shown-places';

const field = (key: string, more: object = {}) => ({ key, type: 'short_text', label: key, required: false, ...more }) as Field;
const asksMeal = { visible_if: { key: 'comes', equals: 'yes' } };
const items: Field[] = [
  field('comes'),
  field('guests', { type: 'repeat', fields: [field('name'), field('meal', asksMeal)] as Field['fields'] }),
];
const placed: Placed[] = items.map((item, index) => ({ item, index }));

const readOf = (values: Record<string, string>) =>
  readAnswers(items, new Map(Object.entries(values).map(([key, value]) => [key, [value]])), new Map(), 'en', () => '2026-01-01');

const guests = { guests: '3', 'guests[0].name': 'Ann', 'guests[2].name': 'Bob' };

it('questions in items have places of their own, so that one which another answer brings up is seen to be new', () => {
  const placesOf = (values: Record<string, string>) => placesShown(placed, readOf(values)).map(({ place }) => place);
  expect(placesOf(guests)).toEqual(['0', '1', '1.0.0', '1.1.0', '1.2.0']);
  expect(placesOf({ ...guests, guests: '1', comes: 'yes' })).toEqual(['0', '1', '1.0.0', '1.0.1']);
});

it('places follow their items to the numbers that these have without the empty ones', () => {
  expect(withoutEmptyPlaces(items, '0 1 1.0.0 1.1.0 1.2.0', readOf(guests))).toBe('0 1 1.0.0 1.1.0');
});
