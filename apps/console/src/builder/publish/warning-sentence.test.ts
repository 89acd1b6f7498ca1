import type { PublishWarning } from '@sheaf/client';
import { publishWarning, publishWarningCodes } from '@sheaf/contracts';
import { warningSentence, type WarningFacts } from './warning-sentence';
import * as de from '../../words/languages/de';
import * as en from '../../words/languages/en';

const facts: WarningFacts = {
  label: (key) => `label of ${key}`,
  kind: (type) => `kind ${type}`,
  language: (tag) => `language ${tag}`,
  price: ({ amount, currency }) => `${currency} ${amount}`,
  number: (value) => `n${value}`,
  submissions: '12 submissions',
  options: '“Red” or “Blue”',
};
const before = { version: 2, amount_before: 2500, currency_before: 'eur' };
const all: PublishWarning[] = [
  publishWarning('no_fields'),
  publishWarning('payment_added', { amount: 900, currency: 'usd' }),
  publishWarning('payment_changed', { ...before, amount: 900, currency: 'usd' }),
  publishWarning('payment_removed', before),
  publishWarning('untranslated', { language: 'fr', texts: 7, missing: 3 }),
  publishWarning('options_conditional', { key: 'city' }),
  publishWarning('pictures_unseen', { key: 'city' }),
  publishWarning('thank_you_lacks', { key: 'name' }),
  publishWarning('nothing_changed', { version: 2 }),
  publishWarning('field_removed', { key: 'town', version: 2 }),
  publishWarning('field_retyped', { key: 'stars', version: 2, from: 'rating', to: 'short_text' }),
  publishWarning('options_removed', { key: 'colour', version: 2, options: 2 }),
];
const inEnglish = (warning: PublishWarning) => warningSentence(warning, en.builder.warnings, facts);

it('is written for every code in German too, and never in the words of the server', () => {
  expect(all.map(({ code }) => code)).toEqual(publishWarningCodes);
  const inWordsOfServer = all.filter((warning) => warningSentence(warning, de.builder.warnings, facts) === warning.message);
  expect(inWordsOfServer).toEqual([]);
});

it('says of a rating that becomes a text that both kinds of answers are there, and only of a removed field that there are none', () => {
  const sentences = all.map(inEnglish);
  expect(sentences).toContain(
    '12 submissions with an answer to “label of stars” as “kind rating”. The answers stay as they are. New submissions answer it as “kind short_text”.',
  );
  expect(sentences.filter((sentence) => sentence.includes('no such answer'))).toEqual([expect.stringContaining('label of town')]);
});

it('is the message of the server for a code that is newer than the page', () => {
  const newer = { code: 'newer' as PublishWarning['code'], params: {}, message: 'Something new.' };
  expect(inEnglish(newer)).toBe('Something new.');
});
