import type { Field, FormItem } from '@sheaf/contracts';
import { fieldFaults } from './draft-rules';

const field = (key: string, more: Partial<Field> = {}): Field => ({ key, label: key, type: 'integer', required: false, ...more });
const total = (more: Partial<Field> = {}) => field('total', { type: 'calculated', formula: 'places * 2', ...more });
const faults = (...items: FormItem[]) => fieldFaults(items).map(({ key, message }) => `${key}: ${message}`);

it.each<Partial<Field>>([
  {},
  { format: 'number', shown: false },
  { format: 'currency', currency: 'eur' },
  { format: 'percent', formula: 'places / 100' },
  { format: 'text', formula: "concat(places, '!')" },
  { format: 'date', formula: 'today()' },
  { format: 'boolean', formula: 'places > 3' },
])('a calculated field may be %j', (more) => {
  expect(faults(field('places'), total(more))).toEqual([]);
});

it('conditions, checks and later formulas may ask for what is calculated', () => {
  const condition = { key: 'total', gt: 10 };
  expect(
    faults(
      field('places'),
      total(),
      field('tax', { type: 'calculated', formula: 'total * 0.2', visible_if: condition }),
      field('day', { type: 'calculated', formula: 'today()', format: 'date' }),
      field('name', { type: 'short_text', visible_if: { key: 'day', lt: '2026-05-31' } }),
      { type: 'check', if: condition, message: 'Too many', at: 'places' },
    ),
  ).toEqual([]);
});

it.each<[Partial<Field>, string]>([
  [{ formula: undefined }, 'fields.1.formula: is required for the type calculated'],
  [{ formula: 'later + 1' }, 'fields.1.formula: is wrong at character 1: later is the key of no earlier field'],
  [{ formula: 'total' }, 'fields.1.formula: is wrong at character 1: total is the key of no earlier field'],
  [{ format: 'text' }, 'fields.1.format: is wrong at character 1: the format needs a text, but the formula gives a number'],
  [{ format: 'currency' }, 'fields.1.currency: is required for the format currency'],
  [{ currency: 'eur' }, 'fields.1.currency: is allowed only for the format currency'],
  [{ required: true }, 'fields.1.required: must be false for the type calculated'],
  [{ default: 1 }, 'fields.1.default: is not allowed for the type calculated'],
  [{ prefill: true }, 'fields.1.prefill: is not allowed for the type calculated'],
  [{ min: 1 }, 'fields.1.min: is not allowed for the type calculated'],
  [{ messages: { min: 'No' } }, 'fields.1.messages: is not allowed for the type calculated'],
])('%j of a calculated field is refused', (more, message) => {
  expect(faults(field('places'), total(more), field('later'))).toEqual([message]);
});

it('no other type has a formula', () => {
  expect(faults(field('places', { formula: '1', format: 'number', currency: 'eur', shown: true }))).toEqual(
    ['formula', 'format', 'currency', 'shown'].map((part) => `fields.0.${part}: is not allowed for the type integer`),
  );
});

it('a condition compares the result by what it is', () => {
  const name = field('name', { visible_if: { key: 'total', equals: 'many' } });
  expect(faults(field('places'), total(), name)).toEqual([
    'fields.2.visible_if.equals: must be a number, as "total" is of type calculated',
  ]);
});

describe('all formulas of a form together', () => {
  const note = field('note', { type: 'short_text' });
  const options = [{ value: 'a', label: 'Apple' }];
  const texts = (count: number, formula: string) =>
    Array.from({ length: count }, (_, at) => field(`text_${at}`, { type: 'calculated', format: 'text', formula }));
  const tooLong = 'must leave the texts that the formulas of all fields can give together at most 64000 characters';

  it('give texts of at most 64,000 characters, as far as these can be long', () => {
    expect(faults(note, ...texts(64, 'concat(note, note)'))).toEqual([]);
    expect(faults(note, ...texts(64, 'concat(note, note)'), total({ formula: "if(note = 'a', 1, 2)" }))).toEqual([]);
    expect(faults(note, ...texts(65, 'concat(note, note)'))).toEqual([`fields.65.formula: ${tooLong}`]);
    expect(faults(note, ...texts(65, "if(note = 'a', coalesce('b', note))"))).toEqual([`fields.65.formula: ${tooLong}`]);
    const size = field('size', { type: 'select', options });
    expect(faults(note, size, ...texts(200, "concat(if(note = 'a', 'little', 'much'), label(size), size, count(note))"))).toEqual([]);
    const sizes = field('sizes', { type: 'multi_select', options });
    expect(faults(sizes, ...texts(65, 'label(sizes)'))).toEqual([`fields.65.formula: ${tooLong}`]);
  });

  it('have at most 5,000 parts', () => {
    const sums = (count: number) =>
      Array.from({ length: count }, (_, at) => field(`sum_${at}`, { type: 'calculated', formula: `1${'+1'.repeat(99)}` }));
    expect(faults(...sums(25))).toEqual([]);
    expect(faults(...sums(26))).toEqual(['fields.25.formula: must leave the formulas of all fields together at most 5000 parts']);
  });
});
