import type { FormItem } from '@sheaf/client';
import { arranged, moved, noLayout, readLayout, resized, shown, toggled } from './columns';

const text = (key: string): FormItem => ({ key, label: key, type: 'short_text', required: false });
const items: FormItem[] = [{ type: 'section', label: 'Person' }, text('name'), text('town'), text('status')];
const ids = (columns: readonly { id: string }[]) => columns.map(({ id }) => id);

it('has a column for each field, the first one before what every submission has', () => {
  expect(ids(arranged(items, noLayout))).toEqual([
    'answers.name',
    'received',
    'status',
    'assignee',
    'answers.town',
    'answers.status',
    'fill_seconds',
  ]);
});

it('moves a column, and puts fields that are new at the end', () => {
  const layout = moved(arranged(items, noLayout), noLayout, 'answers.town', 'answers.name');
  const later = [...items, text('age')];
  expect(ids(arranged(later, layout))).toEqual([
    'answers.town',
    'answers.name',
    'received',
    'status',
    'assignee',
    'answers.status',
    'answers.age',
    'fill_seconds',
  ]);
});

it('hides a column and shows it again', () => {
  const all = arranged(items, noLayout);
  const hidden = toggled(all, noLayout, 'assignee');
  expect(ids(shown(arranged(items, hidden), hidden))).not.toContain('assignee');
  expect(toggled(all, hidden, 'assignee')).toEqual(noLayout);
});

it('shows the time to fill in only to those who choose it, at the end and wherever it is moved', () => {
  const all = arranged(items, noLayout);
  expect(ids(shown(all, noLayout))).not.toContain('fill_seconds');
  const elsewhere = moved(all, noLayout, 'status', 'received');
  expect(ids(shown(arranged(items, elsewhere), elsewhere))).not.toContain('fill_seconds');
  const chosen = toggled(all, noLayout, 'fill_seconds');
  expect(ids(shown(arranged(items, chosen), chosen)).at(-1)).toBe('fill_seconds');
  const first = moved(arranged(items, chosen), chosen, 'fill_seconds', 'answers.name');
  expect(ids(shown(arranged(items, first), first))[0]).toBe('fill_seconds');
  expect(ids(shown(all, toggled(all, first, 'fill_seconds')))).not.toContain('fill_seconds');
});

it('keeps widths within bounds', () => {
  expect(resized(noLayout, 'status', 5).widths).toEqual({ status: 72 });
  expect(resized(noLayout, 'status', 5_000).widths).toEqual({ status: 640 });
});

it('reads whatever was stored', () => {
  expect(readLayout(undefined)).toEqual(noLayout);
  expect(readLayout({ order: [1, 'status'], hidden: 'x', widths: { status: '9', received: 80 } })).toEqual({
    order: ['status'],
    hidden: [],
    widths: { received: 80 },
  });
});
