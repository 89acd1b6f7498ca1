import fc from 'fast-check';
import { Field } from '../app/draft';
import { fieldTypes, type FieldType } from '../fields/field-kinds';
import { answerFormOf } from '../fields/traits';
import { answerRules } from './answer-rules';
import { plainCharacters } from './characters';
import { exactNumber } from './exact-number';
import { fileIdsIn } from './file-ids';
import { keptAnswer } from './kept-answer';
import { normalAnswer } from './normal-answer';

const fieldOf = (type: FieldType, more: object = {}) =>
  Field.parse({ key: 'a', label: 'A', type, ...(type.endsWith('select') ? { options: ['a'] } : {}), ...more });

describe('an answer is kept', () => {
  it.each<[FieldType, string, string]>([
    ['phone', '\u202a+49 170 1234567\u202c', '+49 170 1234567'],
    ['phone', '\u2068+1-555-0100\u2069', '+1-555-0100'],
    ['phone', '+49\u00a0170\u00a01234567', '+49 170 1234567'],
    ['phone', '+49 170 123\u20114567', '+49 170 123-4567'],
    ['phone', '٠٥٠١٢٣٤٥٦٧', '0501234567'],
    ['phone', '+49–30–1234567', '+49-30-1234567'],
    ['phone', 'tel:+49301234567', '+49301234567'],
    ['phone', 'TEL: +49 30 1234567', '+49 30 1234567'],
    ['phone', '０９０ー１２３４ー５６７８', '090-1234-5678'],
    ['phone', '９१৭ 12', '917 12'],
    ['country', ' de\u200e', 'DE'],
    ['country', 'ｆr', 'FR'],
    ['email', 'ａｄａ＠example.com', 'ada@example.com'],
    ['email', 'mailto:ada@example.com', 'ada@example.com'],
    ['email', 'MAILTO:ada@example.com?subject=Hello', 'ada@example.com'],
    ['email', '<ada@example.com>', 'ada@example.com'],
    ['email', '<mailto:ada@example.com>', 'ada@example.com'],
    ['email', 'mailto:<ada@example.com>', 'ada@example.com'],
    ['email', 'ada@example.com;', 'ada@example.com'],
    ['email', ' <ada@example.com>, ', 'ada@example.com'],
    ['email', "o'hara+news/#!$%&*=?^_`{|}~-@bücher.example", "o'hara+news/#!$%&*=?^_`{|}~-@bücher.example"],
    ['email', '\u200bada@example.com\u2060 ', 'ada@example.com'],
    ['url', 'example.org', 'https://example.org'],
    ['url', 'www.example.org', 'https://www.example.org'],
    ['url', ' example.org:8080/a?b=1#c ', 'https://example.org:8080/a?b=1#c'],
    ['url', '//example.org/a', 'https://example.org/a'],
    ['url', 'bücher.example', 'https://bücher.example'],
    ['url', 'http://example.org', 'http://example.org'],
    ['url', 'ｈｔｔｐｓ：／／ｅｘａｍｐｌｅ．ｏｒｇ／ａ', 'https://example.org/ａ'],
    ['url', 'https://example.org/Ａ\u200e', 'https://example.org/Ａ'],
    ['short_text', 'AB-1234 ', 'AB-1234'],
    ['short_text', 'Hauptstraße 1\t', 'Hauptstraße 1'],
    ['short_text', 'Zoe\u0308', 'Zoë'],
    ['long_text', '\n one\n two \n', 'one\n two'],
    ['hidden', ' x ', 'x'],
    ['date', '٢٠٢٦-٠٥-٣١', '2026-05-31'],
    ['date', '２０２６－０５－３１', '2026-05-31'],
    ['time', ' １４:３０ ', '14:30'],
    ['datetime', '2026-05-31T14:30\u200e', '2026-05-31T14:30'],
  ])('of type %s: %j as %j, which its type accepts', (type, answer, kept) => {
    expect(normalAnswer(answerFormOf({ type }), answer)).toBe(kept);
    expect(answerRules(fieldOf(type))(kept)).toBeUndefined();
  });

  it('with its white space where the field says so, but in one spelling of each character', () => {
    expect(normalAnswer({ kind: 'text', trim: false }, ' Zoe\u0308\t')).toBe(' Zoë\t');
  });
});

describe('an answer that could be another one stays as it is, and is refused', () => {
  it.each<[FieldType, string]>([
    ['phone', '+49 170 12²'],
    ['phone', 'call me'],
    // In upper case it would be the code of South Sudan.
    ['country', 'ß'],
    ['country', 'Germany'],
    ['country', 'DEU'],
    ['country', 'EU'],
    ['email', 'Ada'],
    ['email', 'ada@'],
    ['email', 'ada@example.com>'],
    ['email', '<ada@example.com'],
    ['email', '(ada@example.com)'],
    ['email', 'Ada <ada@example.com>'],
    ['email', 'ada@example.com;grace@example.com'],
    ['email', 'ada@example.com,'.repeat(2)],
    ['email', 'ada:x@example.com'],
    ['email', '"ada"@example.com'],
    ['email', 'ada\\@example.com'],
    ['email', 'ada@[127.0.0.1]'],
    ['url', 'ada@example.org'],
    ['url', 'javascript:alert(1)'],
    ['url', 'localhost'],
    ['url', '1.5'],
    ['url', 'example.org:port'],
    ['url', 'example.org and more'],
    ['date', '31.05.2026'],
    ['time', '25:00'],
  ])('%s %j', (type, answer) => {
    expect(normalAnswer(answerFormOf({ type }), answer)).toBe(answer);
    expect(answerRules(fieldOf(type))(answer)).toBeDefined();
  });
});

/** Characters that the rules are about, besides any others. */
const typed = fc.string({
  unit: fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(...Array.from('0123456789+-.,;:/@?#<>ae '), 'tel:', 'mailto:', 'https://', 'example.org', '://', '//'),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...Array.from('\u200b\u200d\u202a\u00a0\u0308\u0323\u0345\ufeff\u2011–−ー，．＠：／？٠٥९৩𝟗²'), '\t', '\n'),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
  ),
  maxLength: 30,
});

it('is in its normal form once and for all', () => {
  fc.assert(
    fc.property(fc.constantFrom(...fieldTypes), fc.constantFrom(undefined, false, true), typed, (type, trim, answer) => {
      const kept = normalAnswer(answerFormOf({ type, trim }), answer);
      expect(normalAnswer(answerFormOf({ type, trim }), kept)).toBe(kept);
    }),
    { numRuns: 5_000 },
  );
});

it('keeps all digits of an answer in their order, whatever their script', () => {
  const digitsOf = (text: string) => plainCharacters(text).replace(/\D/g, '');
  fc.assert(
    fc.property(fc.constantFrom<FieldType>('phone', 'date', 'time'), typed, (type, answer) => {
      expect(digitsOf(String(normalAnswer(answerFormOf({ type }), answer)))).toBe(digitsOf(answer));
    }),
    { numRuns: 5_000 },
  );
});

it('leaves what is no text as it is', () => {
  fc.assert(
    fc.property(fc.constantFrom(...fieldTypes), fc.jsonValue(), (type, answer) => {
      if (typeof answer !== 'string') expect(normalAnswer(answerFormOf({ type }), answer)).toBe(answer);
    }),
  );
});

it('reads the digits of every script that Intl writes', () => {
  for (const numberingSystem of Intl.supportedValuesOf('numberingSystem')) {
    const written = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(9_876_543_210);
    // Some systems have no digits, or no decimal ones.
    if (/^\p{Nd}+$/u.test(written)) expect([numberingSystem, plainCharacters(written)]).toEqual([numberingSystem, '9876543210']);
  }
});

it('takes time in proportion to the length of a text, also for marks without end', () => {
  const marks = '\u0301\u0323'.repeat(500_000);
  const normalize = jest.spyOn(String.prototype, 'normalize');
  for (const type of fieldTypes) expect(normalAnswer(answerFormOf({ type }), `a${marks}`)).toBe(`a${marks}`);
  expect(normalize).not.toHaveBeenCalled();
  normalize.mockRestore();
});

describe('a number', () => {
  it.each<[string, number | undefined]>([
    ['4000123412341234567', undefined],
    ['9007199254740993', undefined],
    ['0.1000000000000000055', undefined],
    ['1e400', undefined],
    ['1e-400', undefined],
    [`1${'0'.repeat(2_000)}`, undefined],
    ['9007199254740992', 9_007_199_254_740_992],
    ['1.10', 1.1],
    ['-0.0', -0],
    ['1e22', 1e22],
    ['0.30000000000000004', 0.1 + 0.2],
  ])('%s is kept exactly or not at all', (text, number) => {
    expect(exactNumber(text)).toBe(number);
  });

  it('that JavaScript prints is kept exactly', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(exactNumber(JSON.stringify(number))).toBe(Object.is(number, -0) ? 0 : number);
      }),
    );
  });
});

it('has its parts in the order of its kind, and names that no part has behind them', () => {
  const form = answerFormOf(fieldOf('date_range'));
  expect(JSON.stringify(keptAnswer(form, { other: 1, to: '2026-05-31', from: '2026-05-29' }))).toBe(
    '{"from":"2026-05-29","to":"2026-05-31","other":1}',
  );
});

describe('a signature', () => {
  const form = answerFormOf(fieldOf('signature'));
  const check = answerRules(fieldOf('signature'));
  const id = '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c02';

  it.each([
    ['a name without the space around it', { name: ' Ada ', kind: 'typed' }, '{"kind":"typed","name":"Ada"}'],
    ['a picture', { file_id: id, kind: 'drawn', name: '' }, `{"kind":"drawn","file_id":"${id}"}`],
  ])('is kept as %s', (_, answer, kept) => {
    const normal = keptAnswer(form, answer);
    expect(JSON.stringify(normal)).toBe(kept);
    expect(check(normal)).toBeUndefined();
  });

  it.each<[string, unknown, string, string]>([
    ['a name alone', 'Ada', 'not_signature', ''],
    ['nothing of its kind', { kind: 'typed' }, 'not_signature', ''],
    ['no kind', { name: 'Ada' }, 'not_signature', ''],
    ['another kind', { kind: 'sworn', name: 'Ada' }, 'not_signature', ''],
    ['a name and a picture', { kind: 'drawn', name: 'Ada', file_id: id }, 'not_signature', ''],
    ['a picture beside a typed name', { kind: 'typed', name: 'Ada', file_id: id }, 'not_signature', ''],
    ['another part', { kind: 'typed', name: 'Ada', date: '2026-05-31' }, 'unknown_part', 'date'],
    ['a name that nobody can see', { kind: 'typed', name: '\u200b' }, 'required', 'name'],
    ['a name that is too long', { kind: 'typed', name: 'a'.repeat(201) }, 'too_long', 'name'],
    ['a picture by no id', { kind: 'drawn', file_id: 'a.png' }, 'not_file', 'file_id'],
    ['several pictures', { kind: 'drawn', file_id: [id] }, 'not_file', 'file_id'],
  ])('is refused with %s', (_, answer, code, part) => {
    expect(check(answer)).toMatchObject({ code, params: part === '' ? {} : { part } });
  });

  it('names its picture as a file, as other answers name theirs', () => {
    expect([
      fileIdsIn({ kind: 'drawn', file_id: id }),
      fileIdsIn({ kind: 'typed', name: id }),
      fileIdsIn(id),
      fileIdsIn([id, '']),
      fileIdsIn(null),
    ]).toEqual([[id], [], [id], [id], []]);
  });
});
