import type { Field } from '@sheaf/contracts';
import { publishWarnings } from './publish-warnings';

const field = (key: string, type: Field['type'] = 'short_text', more: Partial<Field> = {}): Field => ({ key, label: key, type, required: false, ...more });

it('says nothing about a first version that has fields', () => {
  expect(publishWarnings([field('name')], undefined)).toEqual([]);
});

it('says that there are no fields', () => {
  expect(publishWarnings([], undefined)).toEqual(['The form has no fields.']);
});

it('says that nothing has changed', () => {
  expect(publishWarnings([field('name')], { version: 3, fields: [field('name')] })).toEqual(['Nothing has changed since version 3.']);
  expect(publishWarnings([], { version: 1, fields: [] })).toEqual(['The form has no fields.', 'Nothing has changed since version 1.']);
});

it('says which fields were removed or have another type, and what that means for the answers', () => {
  const previous = { version: 2, fields: [field('name'), field('age'), field('city')] };

  expect(publishWarnings([field('age', 'integer'), field('name')], previous)).toEqual([
    'The field "age" was of type short_text in version 2 and is of type integer now. Answers collected up to version 2 stay readable as they were.',
    'The field "city" of version 2 was removed. Answers collected up to version 2 stay readable as they were.',
  ]);
});

it('says nothing about what was added, moved or worded anew', () => {
  const previous = { version: 2, fields: [field('name'), field('age')] };

  expect(publishWarnings([field('age'), field('name', 'short_text', { label: 'Full name' }), field('city')], previous)).toEqual([]);
});
