import { mainTextOf } from '@sheaf/contracts';
import { contentsOf, type Contents } from './contents';
import type { Edit } from './edits';
import { historyAfter, historyOf, rebased, type History } from './history';

const name = { key: 'name', label: 'Name', type: 'short_text' as const, required: false };
const age = { key: 'age', label: 'Age', type: 'integer' as const, required: false };

const begun = () => historyOf(contentsOf({ fields: [name, age] }));
const label = (text: string): Edit => ({ do: 'change', id: 'name', to: { label: text } });
const after = (history: History, ...edits: readonly [Edit, number][]) =>
  edits.reduce((state, [edit, at]) => historyAfter(state, { do: 'edit', edit, at }), history);
const labels = ({ entries }: Contents) => entries.map(({ item }) => mainTextOf(item));

it('goes back and forth', () => {
  const edit = after(begun(), [label('Your name'), 0], [{ do: 'remove', id: 'age' }, 10]);
  const once = historyAfter(edit, { do: 'undo' });
  const twice = historyAfter(once, { do: 'undo' });
  expect([edit, once, twice].map(({ present }) => labels(present))).toEqual([['Your name'], ['Your name', 'Age'], ['Name', 'Age']]);
  expect(historyAfter(historyAfter(twice, { do: 'redo' }), { do: 'redo' }).present).toEqual(edit.present);
});

it('undoes together what was typed without a pause, and apart what was typed after one', () => {
  const typed = after(begun(), [label('Y'), 0], [label('Yo'), 500], [label('You'), 1_000], [label('Your'), 5_000]);
  const undone = historyAfter(typed, { do: 'undo' });
  expect(labels(undone.present)[0]).toBe('You');
  expect(labels(historyAfter(undone, { do: 'undo' }).present)[0]).toBe('Name');
});

it('undoes the value of an option together with the text that it follows, however long ago that was typed', () => {
  const one = { value: 'Red', label: 'Red' };
  const history = historyOf(contentsOf({ fields: [{ ...name, type: 'select', options: [one] }] }));
  const options = (value: string, text: string, endsTyping: boolean): Edit => ({
    do: 'options',
    id: 'name',
    options: [{ value, label: text }],
    endsTyping,
  });
  const typed = after(history, [options('Red', 'Pink', false), 0], [options('Pink', 'Pink', true), 60_000]);
  expect(typed.present.entries[0]?.item).toMatchObject({ options: [{ value: 'Pink', label: 'Pink' }] });
  expect(historyAfter(typed, { do: 'undo' }).present).toEqual(history.present);
});

it('forgets what was undone once something else is done', () => {
  const undone = historyAfter(after(begun(), [label('A'), 0]), { do: 'undo' });
  const other = after(undone, [label('B'), 10]);
  expect(historyAfter(other, { do: 'redo' })).toBe(other);
});

it('does nothing where there is nothing to undo', () => {
  const history = begun();
  expect(historyAfter(history, { do: 'undo' })).toBe(history);
});

it('keeps what somebody else has done when it goes back', () => {
  const history = after(begun(), [label('Your name'), 0]);
  const withEmail = rebased(history, (contents) => ({
    ...contents,
    entries: [...contents.entries, { id: 'email', item: { ...name, key: 'email', label: 'Email' }, isKeyDerived: false }],
  }));
  expect(labels(historyAfter(withEmail, { do: 'undo' }).present)).toEqual(['Name', 'Age', 'Email']);
});
