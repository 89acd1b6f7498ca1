import type { Field } from '@sheaf/contracts';
import { effort, little } from '@sheaf/testing';
import { publishWarnings as warnings, type FormTexts } from './publish-warnings';

const survey: FormTexts = { title: 'Survey' };
const publishWarnings = (...[content, previous, form = survey]: [...Partial<Parameters<typeof warnings>>]) =>
  warnings(content ?? { fields: [] }, previous, form).map(({ message }) => message);

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

const select = (key: string, values: string[], more: Partial<Field> = {}) =>
  field(key, 'select', { options: values.map((value) => ({ value, label: value })), ...more });

it('warns of a thank-you that shows the answer to a field that the form does not have, or one that is no text', () => {
  const form: FormTexts = {
    title: 'Survey',
    thank_you: { text: 'Bye {{name}} {{gone}} {{guests}}' },
    translations: { de: { thank_you: '{{lost}}' } },
  };
  const found = warnings({ fields: [field('name'), field('guests', 'repeat', { fields: [field('guest')] })] }, undefined, form);
  expect(found.map(({ code, params }) => [code, params])).toEqual([
    ['thank_you_lacks', { key: 'gone' }],
    ['thank_you_lacks', { key: 'guests' }],
    ['thank_you_lacks', { key: 'lost' }],
  ]);
});

it('warns of required fields that may have nothing to choose, but not of cascades', () => {
  const on = (value: string, condition: object) => ({ value, label: value, visible_if: condition });
  const cities = (more: object, ...conditions: object[]) =>
    select('city', [], { required: true, options: conditions.map((condition, at) => on(`c${at}`, condition)), ...more });
  const codes = (city: Field) =>
    warnings({ fields: [select('region', ['a', 'b']), city] }, undefined, survey).map(({ code, params }) => [code, params]);
  const [a, b] = [
    { key: 'region', equals: 'a' },
    { key: 'region', in: ['b'] },
  ];
  expect(codes(cities({}, a, a))).toEqual([['options_conditional', { key: 'city' }]]);
  expect(codes(cities({}, a, b))).toEqual([]);
  expect(codes(cities({}, a, { key: 'region', not_equals: 'a' }))).toEqual([]);
  expect(codes(cities({ required: false }, a))).toEqual([]);
});

it.each<[string, (value: string, at: number) => object]>([
  ['equal it', (value) => ({ key: 'region', equals: value })],
  ['name it among others', (value, at) => ({ key: 'region', in: [value, `x${at}`] })],
  ['have its beginning', (value) => ({ key: 'region', starts_with: value })],
])('looks for cascades at little cost, with a thousand options whose conditions %s', async (_how, conditionOf) => {
  const values = Array.from({ length: 1_000 }, (_, at) => `v${at}`);
  const city = (key: string) =>
    field(key, 'select', {
      required: true,
      options: values.map((value, at) => ({ value, label: value, visible_if: conditionOf(value, at) })),
    });
  const fields = [select('region', [...values, 'w']), ...['a', 'b', 'c', 'd', 'e'].map(city)];
  expect(await effort(() => warnings({ fields }, undefined, survey))).toBeLessThan(little);
});

it('warns of options that were removed, but not of new names, and not where the type has changed as well', () => {
  const previous = { version: 2, fields: [select('colour', ['red', 'blue', 'green']), select('size', ['s', 'm']), select('kind', ['a'])] };
  const later = [
    select('colour', ['green']),
    select('size', ['s', 'm'], { options: ['s', 'm'].map((value) => ({ value, label: value.toUpperCase() })) }),
    field('kind', 'multi_select', { options: [{ value: 'b', label: 'b' }] }),
  ];
  expect(warnings({ fields: later }, previous, survey)).toEqual([
    {
      code: 'options_removed',
      params: { key: 'colour', version: 2, options: 2 },
      message: 'The field "colour" of version 2 has lost 2 options. Answers collected up to version 2 remain readable.',
    },
    {
      code: 'field_retyped',
      params: { key: 'kind', version: 2, from: 'select', to: 'multi_select' },
      message:
        'The field "kind" had type select in version 2 and now has type multi_select. Answers collected up to version 2 remain readable.',
    },
  ]);
});

describe('about the languages of the form', () => {
  const fields = [
    select('colour', ['red', 'blue'], {
      help: 'Your favourite',
      translations: {
        de: { label: 'Farbe', help: 'Ihre liebste', options: { red: 'Rot', blue: 'Blau' } },
        fr: { options: { red: 'Rouge' } },
      },
    }),
  ];
  const form: FormTexts = { title: 'Survey', languages: ['en', 'de', 'fr', 'ar'], translations: { de: { title: 'Umfrage' } } };

  it('names those in which texts are missing, and how many', () => {
    expect(warnings({ fields }, undefined, form).map(({ code, params }) => [code, params])).toEqual([
      ['untranslated', { language: 'fr', texts: 5, missing: 4 }],
      ['untranslated', { language: 'ar', texts: 5, missing: 5 }],
    ]);
    expect(publishWarnings({ fields }, { version: 1, fields }, form)).toEqual([
      '4 of 5 texts are not translated into fr. Respondents see them in another language.',
      '5 of 5 texts are not translated into ar. Respondents see them in another language.',
      'Nothing has changed since version 1.',
    ]);
  });

  it('names neither the language that the form was written in nor one that it does not offer', () => {
    expect(publishWarnings({ fields }, undefined, { ...form, languages: ['de', 'en'], default_language: 'en' })).toEqual([]);
    expect(publishWarnings({ fields }, undefined, { ...form, languages: undefined })).toEqual([]);
  });
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
