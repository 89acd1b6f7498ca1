import { matrixCounts } from './matrix-counts';

const choices = (...values: string[]) => values.map((value) => ({ value, label: `The ${value}` }));
const question = {
  ...({ key: 'looks', type: 'matrix', label: 'Looks', required: false } as const),
  rows: choices('front', 'back'),
  columns: choices('bad', 'good'),
};
const counted = [
  {
    value: 'back',
    label: 'Old back',
    answered: 4,
    columns: [
      { value: 'good', label: 'Fine', submissions: 3 },
      { value: 'fair', label: 'Fair', submissions: 1 },
    ],
  },
  { value: 'side', answered: 1, columns: [{ value: 'bad', submissions: 1 }] },
];

it('rows and columns are those of the question, also without answers, and then those that it no longer has', () => {
  const { columns, rows } = matrixCounts({ question, rows: counted });
  expect(columns).toEqual([
    { value: 'bad', label: 'The bad', isGone: false },
    { value: 'good', label: 'The good', isGone: false },
    { value: 'fair', label: 'Fair', isGone: true },
  ]);
  expect(
    rows.map(({ label, isGone, answered, counts }) => [label, isGone, answered, counts.map(({ count, share }) => [count, share])]),
  ).toEqual([
    [
      'The front',
      false,
      0,
      [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    ],
    [
      'The back',
      false,
      4,
      [
        [0, 0],
        [3, 0.75],
        [1, 0.25],
      ],
    ],
    [
      'side',
      true,
      1,
      [
        [1, 1],
        [0, 0],
        [0, 0],
      ],
    ],
  ]);
});

it('rows and columns of a question that is no longer asked have their last labels, without a mark for each', () => {
  const { columns, rows } = matrixCounts({ question: undefined, rows: counted });
  expect([...rows, ...columns].map(({ label, isGone }) => [label, isGone])).toEqual([
    ['Old back', false],
    ['side', false],
    ['Fine', false],
    ['Fair', false],
    ['bad', false],
  ]);
});
