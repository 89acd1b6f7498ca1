import { isField, type FormItem } from '@sheaf/contracts';
import { workbook } from '@sheaf/testing';
import { fieldFaults } from '../content/draft-rules';
import { readXlsForm } from './read-xlsform';

const header = ['type', 'name', 'label', 'calculation', 'relevant', 'required', 'constraint', 'read_only', 'trigger'];
const choices = [
  ['list_name', 'name', 'label'],
  ['levels', '1', 'Low'],
  ['levels', '2', 'High'],
];

async function formOf(...rows: string[][]) {
  const { document, warnings } = await readXlsForm(await workbook({ survey: [header, ...rows], choices }));
  expect(fieldFaults(document.fields)).toEqual([]);
  return { items: document.fields, warnings: warnings.map(({ row, message, loses }) => [row, message, loses]) };
}

const keysOf = (items: readonly FormItem[]) => items.filter(isField).map(({ key }) => key);
const age = ['integer', 'age', 'Age'];
const optional = 'the question is optional now, as it is shown to people from whom it was to be hidden';
const isLost = (condition: string) => `the condition "${condition}" is not supported; it is always met`;

describe('a calculation', () => {
  it('is a field that nobody sees, with a format by what it gives, and conditions and texts may refer to it', async () => {
    const { items, warnings } = await formOf(
      age,
      ['calculate', 'Next', '', '${age} + 1'],
      ['calculate', 'class', '', "if(${Next} > 18, 'adult', 'child')", '${age} > 1'],
      ['calculate', 'is_old', '', '${Next} >= 60'],
      ['calculate', 'on', '', 'today()'],
      ['text', 'a', 'A', '', '${Next} > 18'],
      ['text', 'b', 'B', '', "${class} = 'adult'", 'yes'],
      ['text', 'c', 'C', '', "${is_old} = 'true'"],
      ['integer', 'd', 'D', '', '', '', '. < ${Next}'],
      ['note', 'n', 'You will be ${Next}.'],
    );
    expect(items.slice(1)).toEqual([
      { key: 'next', label: 'next', type: 'calculated', required: false, formula: 'age + 1', format: 'number', shown: false },
      expect.objectContaining({ formula: "if(next > 18, 'adult', 'child')", format: 'text', visible_if: { key: 'age', gt: 1 } }),
      expect.objectContaining({ formula: 'next >= 60', format: 'boolean' }),
      expect.objectContaining({ formula: 'today()', format: 'date' }),
      expect.objectContaining({ key: 'a', visible_if: { key: 'next', gt: 18 } }),
      expect.objectContaining({ key: 'b', required: true, visible_if: { key: 'class', equals: 'adult' } }),
      expect.objectContaining({ key: 'c', visible_if: { key: 'is_old', equals: true } }),
      expect.objectContaining({ key: 'd' }),
      expect.objectContaining({ type: 'statement', label: 'You will be {{next}}.' }),
      expect.objectContaining({ type: 'check', at: 'd' }),
    ]);
    expect(warnings).toEqual([
      [3, 'the name is now "next"', undefined],
      [10, 'has no constraint_message; people read "This answer is not allowed."', undefined],
    ]);
  });

  it('that no formula computes is named, and nobody has to answer what depended on it', async () => {
    const { items, warnings } = await formOf(
      age,
      ['calculate', 'id', '', 'once(uuid())'],
      ['calculate', 'both', '', 'concat(${id}, ${age})'],
      ['text', 'a', 'A', '', "${both} != ''", 'yes'],
      ['integer', 'b', 'B', '', '', '', '. > ${both}'],
      ['note', 'n', 'Your number is ${id}.'],
    );
    expect(items).toMatchObject([{ key: 'age' }, { key: 'a', required: false }, { key: 'b' }, { label: 'Your number is ${id}.' }]);
    expect(warnings).toEqual([
      [3, 'the calculation "once(uuid())" is not taken over, as formulas have no once(); it is left out', 'calculation'],
      [
        4,
        'the calculation "concat(${id}, ${age})" is not taken over, as "id" is no earlier question whose answers formulas can use; it is left out',
        'calculation',
      ],
      [5, isLost("${both} != ''"), 'condition'],
      [6, 'the constraint ". > ${both}" is not supported; the question has none', 'constraint'],
      [7, 'a reference to an answer in a text is shown as it is written', undefined],
      [5, optional, 'requirement'],
    ]);
  });

  it('under a condition that is lost is lost, too, as it would have a value at other times', async () => {
    const { items, warnings } = await formOf(
      age,
      ['calculate', 'a', '', '${age} + 1', 'regex(${age}, "1")'],
      ['begin_group', 'g', 'G', '', 'regex(${age}, "1")'],
      ['calculate', 'b', '', '${age} + 1'],
      ['end_group'],
      ['text', 'c', 'C', '', '${b} > 1', 'yes'],
      ['calculate', 'd', '', '${age} + 1', 'false()'],
    );
    expect(keysOf(items)).toEqual(['age', 'c']);
    expect(items.at(-1)).toMatchObject({ required: false });
    const atOtherTimes = 'the calculation is left out, as it would have a value at other times, too';
    expect(warnings.filter(([, , loses]) => loses === 'calculation')).toEqual([
      [3, atOtherTimes, 'calculation'],
      [5, atOtherTimes, 'calculation'],
      [8, 'the calculation is left out, as its condition is never met', 'calculation'],
    ]);
  });

  it('whose condition forms refuse is left out, and so is one in such a group', async () => {
    const { items, warnings } = await formOf(
      ['select_one levels', 'level', 'Level'],
      ['calculate', 'a', '', '1 + 1', "${level} = '3'"],
      ['text', 'b', 'B', '', '${a} > 1', 'yes'],
      ['begin_group', 'g', 'G', '', "${level} = '3'"],
      ['calculate', 'c', '', '1 + 1'],
      ['text', 'd', 'D', '', '${c} > 1', 'yes'],
      ['end_group'],
    );
    expect(items).toMatchObject([{ key: 'level' }, { key: 'b', required: false }, { type: 'section' }, { key: 'd', required: false }]);
    expect(warnings.filter(([, , loses]) => loses === 'calculation').map(([row]) => row)).toEqual([3, 6]);
  });

  it('of later questions stands behind them, with what depends on it; one of itself is left out', async () => {
    const { items, warnings } = await formOf(
      ['calculate', 'twice', '', '${next} * 2', '${age} > 3'],
      ['calculate', 'next', '', '${age} + 1'],
      ['calculate', 'chicken', '', '${egg} + 1'],
      ['calculate', 'egg', '', '${chicken} + 1'],
      age,
      ['text', 'a', 'A', '', '${twice} > 1'],
    );
    expect(keysOf(items)).toEqual(['age', 'next', 'twice', 'a']);
    expect(items[2]).toMatchObject({ visible_if: { key: 'age', gt: 3 } });
    expect(warnings.map(([row, message]) => [row, message])).toEqual([
      [5, expect.stringContaining('"chicken" is no earlier question')],
      [4, expect.stringContaining('"egg" is no earlier question')],
    ]);
  });

  it('that may divide by zero is kept, but no condition that depends on it', async () => {
    const { items, warnings } = await formOf(
      age,
      ['calculate', 'half', '', '${age} div 2'],
      ['calculate', 'share', '', '6 div ${age}'],
      ['calculate', 'level', '', "if(${share} > 5, 'high', 'low')"],
      ['text', 'a', 'A', '', '${half} > 1', 'yes'],
      ['text', 'b', 'B', '', '${share} > 1', 'yes'],
      ['text', 'c', 'C', '', "${level} = 'high'", 'yes'],
      ['text', 'd', 'D', '', '', '${share} > 1'],
      ['integer', 'e', 'E', '', '', '', '. < ${share}'],
      ['calculate', 'f', '', '1 + 1', '${share} > 1'],
      ['note', 'n', 'It is ${share}.'],
    );
    expect(items.slice(1)).toMatchObject([
      ...[{ key: 'half' }, { key: 'share', formula: '6 / age' }, { key: 'level' }],
      ...[{ key: 'a', required: true, visible_if: { key: 'half', gt: 1 } }],
      ...['b', 'c', 'd'].map((key) => ({ key, required: false })),
      ...[{ key: 'e' }, { label: 'It is {{share}}.' }],
    ]);
    for (const item of items.slice(5)) expect(item).not.toHaveProperty('visible_if');
    expect(warnings.flatMap(([row, , loses]) => (loses === undefined ? [] : [[row, loses]]))).toEqual([
      ...[
        [7, 'condition'],
        [8, 'condition'],
        [9, 'requirement'],
        [10, 'constraint'],
      ],
      ...[
        [11, 'condition'],
        [11, 'calculation'],
        [7, 'requirement'],
        [8, 'requirement'],
      ],
    ]);
  });

  describe('that follows a group', () => {
    const group = (...rows: string[][]) => [['begin_group', 'g', 'G', '', '${age} > 3'], ['integer', 'b', 'B', '', '', 'yes'], ...rows];
    const inGroup = { key: 'age', gt: 3 };

    it('leaves the group its condition, and stands before it if it uses nothing of it', async () => {
      const { items, warnings } = await formOf(
        age,
        ...group(['end_group']),
        ['calculate', 'c', '', '${age} + 1'],
        ['calculate', 'd', '', '${c} + 1', '${age} > 1'],
      );
      expect(items).toMatchObject([
        ...[{ key: 'age' }, { key: 'c' }, { key: 'd', visible_if: { key: 'age', gt: 1 } }],
        ...[
          { type: 'section', visible_if: inGroup },
          { key: 'b', required: true },
        ],
      ]);
      expect(items[1]).not.toHaveProperty('visible_if');
      expect(warnings).toEqual([]);
    });

    it('stands in the next section that does not hide it if it uses an answer of the group', async () => {
      const { items, warnings } = await formOf(
        age,
        ...group(['end_group']),
        ['calculate', 'c', '', '${b} + 1'],
        ['calculate', 'd', '', '${c} + 1'],
        ['begin_group', 'h', 'H', '', '${age} > 5'],
        ['text', 'e', 'E'],
        ['end_group'],
        ['begin_group', 'i', 'I'],
        ['text', 'f', 'F', '', '${d} > 1'],
        ['end_group'],
      );
      expect(items.map((item) => (isField(item) ? item.key : item.type))).toEqual([
        'age',
        'section',
        'b',
        'section',
        'e',
        'section',
        'c',
        'd',
        'f',
      ]);
      expect(items.flatMap((item) => ('visible_if' in item ? [item.visible_if] : []))).toEqual([
        inGroup,
        { key: 'age', gt: 5 },
        { key: 'd', gt: 1 },
      ]);
      expect(warnings).toEqual([]);
    });

    it.each([
      ['no section follows', []],
      ['the next section needs it', [['begin_group', 'h', 'H', '', '${c} > 5'], ['text', 'e', 'E'], ['end_group']]],
      ['a question needs it before', [['text', 'e', 'E', '', '${c} > 5'], ['begin_group', 'h', 'H'], ['end_group']]],
    ])('shows the heading to all if it uses an answer of the group and %s', async (_, rest) => {
      const { items, warnings } = await formOf(age, ...group(['end_group']), ['calculate', 'c', '', '${b} + 1'], ...rest);
      expect(items.slice(1, 4)).toMatchObject([{ type: 'section' }, { key: 'b', visible_if: inGroup }, { key: 'c' }]);
      expect(items[3]).not.toHaveProperty('visible_if');
      expect(warnings).toContainEqual([3, 'the heading of the group is always shown, as the form goes on after the group', 'condition']);
    });

    it('has the conditions of its own groups, wherever it stands', async () => {
      const { items } = await formOf(
        age,
        ['begin_group', 'o', 'O', '', '${age} > 1'],
        ['text', 'a', 'A'],
        ...group(['end_group']),
        ['calculate', 'c', '', '${age} + 1'],
        ['end_group'],
      );
      expect(items).toMatchObject([
        ...[{ key: 'age' }, { type: 'section', visible_if: { key: 'age', gt: 1 } }, { key: 'a' }, { key: 'c' }],
        ...[{ type: 'section', visible_if: { all: [inGroup, { key: 'age', gt: 1 }] } }, { key: 'b' }],
      ]);
    });
  });

  it('that waits in a repeat for a question outside of it is left out', async () => {
    const { items, warnings } = await formOf(
      ['begin_repeat', 'r', 'R'],
      ['integer', 'a', 'A'],
      ['calculate', 'b', '', '${a} + ${age}'],
      ['calculate', 'c', '', '${a} + 1'],
      ['end_repeat'],
      age,
      ['calculate', 'd', '', '${c} + 1'],
    );
    expect(items).toMatchObject([{ key: 'r', fields: [{ key: 'a' }, { key: 'c' }] }, { key: 'age' }]);
    expect(warnings.map(([row, , loses]) => [row, loses])).toEqual([
      [2, undefined],
      [4, 'calculation'],
      [8, 'calculation'],
    ]);
  });

  it('leaves room for all questions', async () => {
    const calculations = Array.from({ length: 499 }, (_, at) => ['calculate', `c${at}`, '', '1 + 1']);
    const { items, warnings } = await formOf(...calculations, ['text', 'a', 'A'], ['text', 'b', 'B']);
    expect(items).toHaveLength(500);
    expect(keysOf(items).slice(-2)).toEqual(['a', 'b']);
    expect(warnings).toEqual([[500, 'the calculation is left out, as a form has at most 500 questions, notes and groups', 'calculation']]);
  });

  it('has a value that people read if its question is shown and not to be changed', async () => {
    const { items, warnings } = await formOf(
      age,
      ['text', 'a', 'Next ${age}', '${age} + 1', '', 'yes', '. < 9', 'yes'],
      ['note', 'b', 'Next', '${age} + 1'],
      ['hidden', 'c', '', '${age} + 1'],
      ['integer', 'd', 'D', '${age} + 1', '', 'yes'],
      ['integer', 'e', 'E', 'random()', '', 'yes', '', 'yes'],
      ['note', 'f', 'F', 'random()'],
      ['hidden', 'g', '', 'random()'],
      ['calculate', 'h', '', '${age} + 1', '', '', '', '', '${age}'],
    );
    expect(items.slice(1)).toMatchObject([
      { key: 'a', label: 'Next {{age}}', type: 'calculated', required: false, format: 'number' },
      { key: 'b', label: 'Next', type: 'calculated' },
      { key: 'c', type: 'calculated', shown: false },
      { key: 'd', type: 'integer', required: true },
      { key: 'e', type: 'integer', required: false },
      { type: 'statement', label: 'F' },
      { key: 'g', type: 'hidden' },
    ]);
    expect(items.slice(1, 3)).toEqual([
      expect.not.objectContaining({ shown: expect.anything() as unknown }),
      expect.not.objectContaining({ shown: expect.anything() as unknown }),
    ]);
    expect(warnings).toEqual(
      [
        [1, 'the column "read_only" is not taken over', undefined],
        [1, 'the column "trigger" is not taken over', undefined],
        [3, 'the constraint is left out, as nobody gives the answer', 'constraint'],
        [3, 'it is not required, as nobody gives the answer', undefined],
        [6, 'the calculation is not taken over; the question is answered by people', undefined],
        [
          7,
          'the calculation "random()" is not taken over, as formulas have no random(); the question is answered by people',
          'calculation',
        ],
        [7, 'the question is optional now, as people may not know its answer', 'requirement'],
        [8, 'the calculation "random()" is not taken over, as formulas have no random(); the note shows no value', 'calculation'],
        [
          9,
          'the calculation "random()" is not taken over, as formulas have no random(); the question is answered by links and programs',
          'calculation',
        ],
        [
          10,
          'the calculation "${age} + 1" is not taken over, as it is computed only when another answer changes; it is left out',
          'calculation',
        ],
      ].toSorted(([a], [b]) => Number(a === 1) - Number(b === 1)),
    );
  });
});
