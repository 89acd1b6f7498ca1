import type { Field } from '@sheaf/contracts';
import { publishWarnings } from './publish-warnings';

const field = (key: string, type: Field['type'] = 'short_text', more: Partial<Field> = {}): Field => ({
  key,
  label: key,
  type,
  required: false,
  ...more,
});

it('does not warn about a first version with fields', () => {
  expect(publishWarnings({ fields: [field('name')] }, undefined)).toEqual([]);
});

it('warns that there are no fields', () => {
  expect(publishWarnings({ fields: [] }, undefined)).toEqual(['The form has no fields.']);
});

it('warns that nothing has changed', () => {
  expect(publishWarnings({ fields: [field('name')] }, { version: 3, fields: [field('name')] })).toEqual([
    'Nothing has changed since version 3.',
  ]);
  expect(publishWarnings({ fields: [] }, { version: 1, fields: [] })).toEqual([
    'The form has no fields.',
    'Nothing has changed since version 1.',
  ]);
});

it('warns of fields that were removed or have another type, and says what happens to their answers', () => {
  const previous = { version: 2, fields: [field('name'), field('age'), field('city')] };

  expect(publishWarnings({ fields: [field('age', 'integer'), field('name')] }, previous)).toEqual([
    'The field "age" had type short_text in version 2 and now has type integer. Answers collected up to version 2 remain readable.',
    'The field "city" of version 2 was removed. Answers collected up to version 2 remain readable.',
  ]);
});

it('does not warn about fields that were added, moved or relabelled', () => {
  const previous = { version: 2, fields: [field('name'), field('age')] };

  expect(publishWarnings({ fields: [field('age'), field('name', 'short_text', { label: 'Full name' }), field('city')] }, previous)).toEqual(
    [],
  );
});

describe('about the payment', () => {
  const fields = [field('name')];
  const payment = { amount: 2500, currency: 'eur' };

  it('warns that the form now collects one, and what that requires', () => {
    const warning = 'Respondents now pay 2500 eur (in the smallest unit). If payments are not set up, the form accepts no submissions.';
    expect(publishWarnings({ fields, payment }, undefined)).toEqual([warning]);
    expect(publishWarnings({ fields, payment }, { version: 1, fields })).toEqual([warning]);
  });

  it('warns that it has changed or was removed', () => {
    expect(publishWarnings({ fields, payment: { ...payment, amount: 900 } }, { version: 1, fields, payment })).toEqual([
      'Respondents paid 2500 eur (in the smallest unit) in version 1 and now pay 900 eur (in the smallest unit).',
    ]);
    expect(publishWarnings({ fields }, { version: 1, fields, payment })).toEqual([
      'Respondents paid 2500 eur (in the smallest unit) in version 1 and now pay nothing.',
    ]);
  });

  it('does not warn if it stays the same', () => {
    expect(publishWarnings({ fields, payment }, { version: 1, fields, payment })).toEqual(['Nothing has changed since version 1.']);
  });
});
