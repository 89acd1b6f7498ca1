import type { Problem } from '@sheaf/kernel';
import { WebhookRequest } from '../operations/webhooks';
import { parseInput } from '../parse-input';
import { unknownMembers } from '../unknown-members';
import { choiceFault, withholdingPart, type StoredFilter } from './webhook-filter';

const refusalOf = (given: object): string => {
  try {
    parseInput(WebhookRequest, { target_url: 'https://hooks.example.org/a', event: 'submission.created', ...given });
    return 'accepted';
  } catch (error) {
    return (error as Problem).message;
  }
};
const condition = { key: 'country', equals: 'DE' };
const filter = (parts: object) => refusalOf({ filter: parts });

it.each([
  ['nothing', {}, 'filter: must have statuses or answers'],
  ['no condition', { answers: [] }, 'filter.answers: must have at least one condition'],
  ['eleven conditions', { answers: Array(11).fill(condition) }, 'filter.answers: must have at most 10 conditions'],
  [
    'two comparisons',
    { answers: [{ ...condition, answered: true }] },
    'filter.answers.0: must have exactly one of equals, not_equals, in, answered',
  ],
  ['a status that does not exist', { statuses: ['lost'] }, /^filter\.statuses\.0: must be one of new, in_review/],
  ['long values', { answers: [{ key: 'a', in: Array(100).fill('x'.repeat(100)) }] }, 'filter: must have at most 8192 characters as JSON'],
])('a filter with %s is refused', (_, parts, message) => {
  expect(filter(parts)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
});

it('a filter, a choice of fields and none of either are accepted', () => {
  for (const given of [{ filter: { answers: [condition] } }, { fields: [] }, { fields: ['a', 'b'] }, { filter: null, fields: null }])
    expect(refusalOf(given)).toBe('accepted');
  expect(refusalOf({ fields: ['a', 'a'] })).toBe('fields: must not name a field twice');
  expect(refusalOf({ fields: ['A b'] })).toMatch(/^fields\.0: must be a lower-case letter/);
});

it('a member that a filter does not have is named', () => {
  expect(unknownMembers(WebhookRequest, { filter: { answers: [{ ...condition, like: 'D%' }], assignee: 'ada' } })).toEqual([
    'filter.answers.0.like',
    'filter.assignee',
  ]);
});

const part = (of: StoredFilter, body: object | '') =>
  withholdingPart(of, { type: 'submission.created', body: body === '' ? '' : JSON.stringify(body) });

it.each<[StoredFilter, object | '', string | undefined]>([
  [{ answers: [condition] }, { data: { country: 'DE' } }, undefined],
  [{ answers: [condition] }, { data: { country: ['FR', 'DE'] } }, undefined],
  [{ answers: [condition] }, { data: { country: 'FR' } }, 'answers.country'],
  [{ answers: [condition] }, { data: {} }, 'answers.country'],
  [{ answers: [{ key: 'country', not_equals: 'DE' }] }, { data: {} }, undefined],
  [{ answers: [{ key: 'constructor', answered: true }] }, { data: {} }, 'answers.constructor'],
  [{ answers: [condition, { key: 'age', answered: true }] }, { data: { country: 'DE' } }, 'answers.age'],
  [{ answers: [{ key: 'country', answered: false }] }, {}, 'answers.country'],
  [{ answers: [{ key: 'country', answered: false }] }, '', 'answers.country'],
  [{ statuses: ['approved'] }, { new_status: 'approved' }, undefined],
  [{ statuses: ['approved'] }, { new_status: 'new' }, 'statuses'],
  [{ statuses: ['approved'] }, { data: {} }, 'statuses'],
])('the filter %j decides about %j', (of, body, withheld) => {
  expect(part(of, body)).toBe(withheld);
});

it('a choice that its webhook cannot have is refused', () => {
  const ofForm = { events: ['submission.created'], isOfForm: true };
  expect(choiceFault({ filter: { answers: [condition] }, fields: ['a'] }, ofForm)).toBeUndefined();
  expect(choiceFault({ fields: [] }, { ...ofForm, isOfForm: false })).toBeUndefined();
  expect(choiceFault({ filter: { statuses: ['new'] } }, { events: ['submission.status_changed'], isOfForm: false })).toBeUndefined();
  expect(choiceFault({ filter: { answers: [condition] } }, { ...ofForm, events: ['submission.created', 'submission.updated'] })).toMatch(
    /^filter\.answers: /,
  );
});
