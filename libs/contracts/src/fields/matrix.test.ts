import { cellsIn, chosenRows, matrixAnswer } from './matrix';

const named = (...values: string[]) => values.map((value) => ({ value, label: `Label of ${value}` }));
const field = { rows: named('10', 'back', '2'), columns: named('bad', 'good'), multiple: true };

it('the rows of an answer are in the order of the form, with its labels, and those that it no longer has come last, without any', () => {
  const answer = { '2': 'good', gone: 'bad', '10': ['bad', 'lost'], back: [] };
  expect(chosenRows(field.rows, field.columns, answer)).toEqual([
    { ...field.rows[0], columns: [field.columns[0], { value: 'lost', label: undefined }] },
    { ...field.rows[2], columns: [field.columns[1]] },
    { value: 'gone', label: undefined, columns: [field.columns[0]] },
  ]);
});

it.each([null, undefined, 'good', ['good'], 3, {}, { back: [] }, { back: [1] }])('%j has no rows', (answer) => {
  expect([chosenRows(field.rows, field.columns, answer), cellsIn(field, answer)]).toEqual([[], []]);
});

it('an answer is the same after it was in the cells of a page', () => {
  const answer = { '2': ['good'], '10': ['bad', 'good'], constructor: ['bad'], ['a","b']: ['c.d'] };
  expect(matrixAnswer({ several: true }, cellsIn(field, answer))).toEqual(answer);
});
