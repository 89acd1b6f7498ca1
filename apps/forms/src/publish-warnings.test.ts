import type { Field } from '@sheaf/contracts';
import { publishWarnings } from './publish-warnings';

const field = (key: string, type: Field['type'] = 'short_text', more: Partial<Field> = {}): Field => ({ key, label: key, type, required: false, ...more });

it('says nothing about a first version that has fields', () => {
  expect(publishWarnings({ fields: [field('name')] }, undefined)).toEqual([]);
});

it('says that there are no fields', () => {
  expect(publishWarnings({ fields: [] }, undefined)).toEqual(['The form has no fields.']);
});

it('says that nothing has changed', () => {
  expect(publishWarnings({ fields: [field('name')] }, { version: 3, fields: [field('name')] })).toEqual(['Nothing has changed since version 3.']);
  expect(publishWarnings({ fields: [] }, { version: 1, fields: [] })).toEqual(['The form has no fields.', 'Nothing has changed since version 1.']);
});

it('says which fields were removed or have another type, and what that means for the answers', () => {
  const previous = { version: 2, fields: [field('name'), field('age'), field('city')] };

  expect(publishWarnings({ fields: [field('age', 'integer'), field('name')] }, previous)).toEqual([
    'The field "age" was of type short_text in version 2 and is of type integer now. Answers collected up to version 2 stay readable as they were.',
    'The field "city" of version 2 was removed. Answers collected up to version 2 stay readable as they were.',
  ]);
});

it('says nothing about what was added, moved or worded anew', () => {
  const previous = { version: 2, fields: [field('name'), field('age')] };

  expect(publishWarnings({ fields: [field('age'), field('name', 'short_text', { label: 'Full name' }), field('city')] }, previous)).toEqual([]);
});

describe('about the payment', () => {
  const fields = [field('name')];
  const payment = { amount: 2500, currency: 'eur' };

  it('says that there is one from now on, and what that needs', () => {
    const warning = 'Respondents pay 2500 eur (in the smallest unit) from now on. Where payments are not set up, the form takes no submissions.';
    expect(publishWarnings({ fields, payment }, undefined)).toEqual([warning]);
    expect(publishWarnings({ fields, payment }, { version: 1, fields })).toEqual([warning]);
  });

  it('says that it is another one, or none any more', () => {
    expect(publishWarnings({ fields, payment: { ...payment, amount: 900 } }, { version: 1, fields, payment })).toEqual([
      'Respondents paid 2500 eur (in the smallest unit) in version 1 and pay 900 eur (in the smallest unit) from now on.',
    ]);
    expect(publishWarnings({ fields }, { version: 1, fields, payment })).toEqual([
      'Respondents paid 2500 eur (in the smallest unit) in version 1 and pay nothing from now on.',
    ]);
  });

  it('says nothing where it stays', () => {
    expect(publishWarnings({ fields, payment }, { version: 1, fields, payment })).toEqual(['Nothing has changed since version 1.']);
  });
});
