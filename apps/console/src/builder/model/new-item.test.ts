import { contentsOf } from './contents';
import { faultsIn } from './faults';
import { begunCheck, newItem } from './new-item';

it('begins a check without a message, so that it is not saved before the author has written one', () => {
  const field = { key: 'age', label: 'Age', type: 'integer', required: false };
  const { entries } = contentsOf({ fields: [field] });
  const check = newItem('check', 'Check', { options: String, rows: String, columns: String }, begunCheck(entries));
  const faults = faultsIn(contentsOf({ fields: [field, check] }));
  expect([...faults.values()]).toEqual([[{ part: 'message', code: 'blank' }]]);
});

it('begins a country with what the browser knows of its user, which the author may take away', () => {
  expect(newItem('country', 'Country', { options: String, rows: String, columns: String }, undefined)).toMatchObject({
    type: 'country',
    autocomplete: 'country',
  });
});
