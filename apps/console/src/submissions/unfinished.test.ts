import { pollWhileUnfinished } from './unfinished';

const refusal = (status: number) => Object.assign(new Error('refused'), { status });
const running = { state: 'running' };

it('loads exports again while one of them is waiting or running, and no longer', () => {
  expect(pollWhileUnfinished([{ state: 'ready' }, { state: 'waiting' }])).toBeGreaterThanOrEqual(1_000);
  expect(pollWhileUnfinished([running])).toBeGreaterThanOrEqual(1_000);
  for (const exports of [undefined, [], [{ state: 'ready' }, { state: 'failed' }, { state: 'erased' }, { state: 'of a later server' }]])
    expect(pollWhileUnfinished(exports)).toBe(false);
});

it.each([401, 403, 404])('loads nothing again after an answer with status %d', (status) => {
  expect(pollWhileUnfinished([running], refusal(status))).toBe(false);
});

it('goes on after an outage', () => {
  for (const error of [refusal(503), new Error('the connection broke')]) expect(pollWhileUnfinished([running], error)).not.toBe(false);
});
