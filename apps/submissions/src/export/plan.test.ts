import { newId } from '@sheaf/kernel';
import { needsOfPlan } from './plan';

it('a file with a column that earlier releases do not have needs a later one', () => {
  const wanted = { formId: newId(), filters: [], statuses: [], format: 'csv', labels: false } as const;
  const needsOf = (...ids: string[]) =>
    needsOfPlan({ wanted: { ...wanted, columns: ids.map((id) => ({ id })) }, filter: undefined, form: undefined });
  expect(needsOf()).toBe(1);
  expect(needsOf('reference', 'answers.entry_source', 'answers.constructor')).toBe(1);
  expect(needsOf('reference', 'entry_source')).toBe(2);
  expect(needsOf('entry_source', 'fill_seconds')).toBe(3);
});
