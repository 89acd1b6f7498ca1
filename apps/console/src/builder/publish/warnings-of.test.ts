import type { PublishCheck } from '@sheaf/client';
import { publishWarning } from '@sheaf/contracts';
import { warningsOf } from './warnings-of';

const removed = publishWarning('field_removed', { key: 'town', version: 1 });
const lost = publishWarning('options_removed', { key: 'colour', version: 1, options: 1 });
const untranslated = publishWarning('untranslated', { language: 'de', texts: 2, missing: 1 });
const check: PublishCheck = {
  changes: [],
  warnings: [removed, lost, untranslated].map(({ message }) => message),
  warning_details: [removed, lost, untranslated],
  affected: [{ key: 'town', submissions: 3 }],
  affected_options: [{ key: 'colour', options: ['red'], submissions_at_least: 9 }],
};

it('tells those about answers from the others, with the submissions that were counted', () => {
  expect(warningsOf(check)).toEqual({
    ofAnswers: [
      { warning: removed, count: 3, isLeast: false, options: [] },
      { warning: lost, count: 9, isLeast: true, options: ['red'] },
    ],
    others: [untranslated],
    texts: [],
  });
});

it('has no number for options where an earlier version of a service has not counted them', () => {
  const { ofAnswers } = warningsOf({ ...check, affected_options: [{ key: 'colour', options: ['red'] }] });
  expect(ofAnswers[1]).toMatchObject({ count: undefined, options: ['red'] });
});

it.each([
  ['without details', []],
  ['that knows none', undefined],
])('has the texts of an earlier version of the services %s', (_what, details) => {
  const earlier = { ...check, warning_details: details } as unknown as PublishCheck;
  expect(warningsOf(earlier)).toEqual({ ofAnswers: [], others: [], texts: check.warnings });
});
