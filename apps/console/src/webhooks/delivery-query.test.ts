import { isFiltered, queryOf } from './delivery-query';

const ever = '1970-01-01T00:00:00Z';

it('the filters of the address are those of the request, which is for pages by cursor', () => {
  expect(queryOf({})).toEqual({ from: ever });
  expect(
    queryOf({ webhook: 'w', state: 'failed', event: 'submission.created', answer: '5xx', submission: 's', from: 'a', to: 'b' }),
  ).toEqual({
    subscription_id: 'w',
    state: 'failed',
    event: 'submission.created',
    answer: '5xx',
    submission_id: 's',
    from: 'a',
    to: 'b',
  });
});

it('deliveries that are held back are those that a restore has left', () => {
  expect(queryOf({ state: 'held_back' })).toEqual({ from: ever, reason: 'restored' });
});

it('an open delivery is no filter', () => {
  expect(isFiltered({})).toBe(false);
  expect(isFiltered({ answer: 'none' })).toBe(true);
});
