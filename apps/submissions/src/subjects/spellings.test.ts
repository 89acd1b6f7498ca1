import { wordsOf } from '@sheaf/contracts';
import { meaningsOf, spellingsOf } from './spellings';

const isSame = (one: string, other: string) => meaningsOf(one).some((meaning) => meaningsOf(other).includes(meaning));

/** Whether a submission with this answer has the words that are looked for. */
const isSought = (value: string, answer: string) => {
  const words = new Set(wordsOf(answer));
  return spellingsOf(value).some((parts) => parts.every((any) => any.some(({ word }) => words.has(word))));
};

const same: readonly (readonly string[])[] = [
  ['anna@bücher.example', 'anna@xn--bcher-kva.example', 'ANNA@BÜCHER.example', ' anna@bu\u0308cher.example ', 'mailto:anna@bücher.example'],
  ['ada@example.org', 'Ada@Example.ORG', 'ａｄａ＠example.org', '\u200bada@example.org'],
  [
    '+49 170 1234567',
    '+491701234567',
    '0049 170 1234567',
    '00491701234567',
    '+49 (0)170 123 45 67',
    '+49-170-1234567',
    '\u202a+49\u00a0170\u00a01234567\u202c',
    'tel:+491701234567',
  ],
  ['0170 1234567', '0170/1234567', '01701234567', '(0170) 1234567'],
  ['+1 555 010 0199', '+15550100199', '001 555 010 0199'],
  ['Zoë  Ångström', 'ZOE ANGSTROM'],
];

it.each(same.flatMap((spellings) => spellings.flatMap((one) => spellings.map((other) => [one, other] as const))))(
  '%j is found as %j',
  (one, other) => {
    expect([isSame(one, other), isSought(one, other)]).toEqual([true, true]);
  },
);

it.each([
  ['+49 170 1234567', '+49 170 1234568'],
  ['+49 170 1234567', '491701234567'],
  ['2026-05-31', '20260531'],
  ['12 34 56', '123456'],
  ['ada@example.org', 'ada@example.com'],
])('%j is not the same as %j', (one, other) => {
  expect(isSame(one, other)).toBe(false);
});

it('finds a phone number that is typed in digits of another script', () => {
  const typed = '٠٠٤٩١٧٠١٢٣٤٥٦٧';
  expect([isSame(typed, '+49 170 1234567'), isSought(typed, '+49 170 1234567')]).toEqual([true, true]);
});
