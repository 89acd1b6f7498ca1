import type { RetrySchedule } from '@sheaf/contracts';
import { laneAfter, release, settlementOf } from './judge';

const at = new Date('2026-06-01T12:00:00.000Z');
const after = (ms: number) => new Date(at.getTime() + ms);
const delays = [4_000, 16_000];
const lease = after(15_000);
const claim = (number: number, changes = {}) => ({
  id: 'd',
  subscription_id: 's',
  number,
  attempts_before: 0,
  busy_until: lease,
  own_failures: 0,
  retry: null,
  ...changes,
});

it.each([200, 201, 204, 299])('treats %i as a success at every attempt', (status) => {
  expect(settlementOf(claim(1), { status, durationMs: 5 }, delays, at)).toMatchObject({ state: 'succeeded', status });
  expect(settlementOf(claim(3), { status, durationMs: 5 }, delays, at)).toMatchObject({ state: 'succeeded', status });
});

it.each([300, 301, 302, 304, 307, 308, 400, 401, 404, 429, 500, 503])('retries after %i', (status) => {
  expect(settlementOf(claim(1), { status, durationMs: 5 }, delays, at)).toEqual({
    id: 'd',
    subscriptionId: 's',
    number: 1,
    lease,
    durationMs: 5,
    at,
    state: 'pending',
    status,
    error: 'status',
    pauseMs: 4_000,
  });
});

it('waits 4 s after the first failure, 16 s after the second, and gives up after the third', () => {
  const outcome = { error: 'timeout', durationMs: 10_000 } as const;

  expect(settlementOf(claim(1), outcome, delays, at)).toMatchObject({ state: 'pending', error: 'timeout', pauseMs: 4_000 });
  expect(settlementOf(claim(2), outcome, delays, at)).toMatchObject({ state: 'pending', error: 'timeout', pauseMs: 16_000 });
  expect(settlementOf(claim(3), outcome, delays, at)).toMatchObject({ state: 'failed', error: 'timeout' });
});

it('does not retry after 410', () => {
  expect(settlementOf(claim(1), { status: 410, durationMs: 5 }, delays, at)).toMatchObject({ state: 'failed', status: 410 });
});

const outcomeOf = (retryAfterMs?: number) => ({ status: 429, durationMs: 5, retryAfterMs });
const pauseAfter = (retry: RetrySchedule | null, number: number, retryAfterMs?: number) => {
  const settlement = settlementOf(claim(number, { retry }), outcomeOf(retryAfterMs), delays, at);
  return 'pauseMs' in settlement ? settlement.pauseMs : settlement.state;
};

it('waits as long as the answer asks for, but never less than the schedule and never more than an hour', () => {
  expect(pauseAfter('standard', 1, 120_000)).toBe(120_000);
  expect(pauseAfter('standard', 1, 1_000)).toBe(4_000);
  expect(pauseAfter('standard', 1, 86_400_000)).toBe(3_600_000);
  expect(pauseAfter('day', 10, 86_400_000)).toBe('failed');
  expect(pauseAfter('day', 9, 86_400_000)).toBe(12 * 3_600_000);
});

it('tries the subscription of a platform as the contract says, whatever its answers ask for', () => {
  expect([1, 2, 3].map((number) => pauseAfter(null, number, 120_000))).toEqual([4_000, 16_000, 'failed']);
});

it.each([
  ['standard', 3, '0 h 0 min 20 s'],
  ['day', 10, '24 h 36 min 20 s'],
  ['three_days', 14, '72 h 36 min 20 s'],
] as const)('makes all attempts of the schedule %s: %i, over %s', (retry, attempts, time) => {
  const pauses = Array.from({ length: attempts - 1 }, (_, index) => Number(pauseAfter(retry, index + 1)));
  const seconds = pauses.reduce((sum, pause) => sum + pause, 0) / 1_000;
  expect(`${Math.floor(seconds / 3_600)} h ${Math.floor(seconds / 60) % 60} min ${seconds % 60} s`).toBe(time);
  expect(pauseAfter(retry, attempts)).toBe('failed');
});

it('counts attempts from one again after a redelivery', () => {
  const outcome = { error: 'timeout', durationMs: 10_000 } as const;

  expect(settlementOf(claim(4, { attempts_before: 3 }), outcome, delays, at)).toMatchObject({ state: 'pending', pauseMs: 4_000 });
  expect(settlementOf(claim(6, { attempts_before: 3 }), outcome, delays, at)).toMatchObject({ state: 'failed' });
});

it('retries after failures on our side indefinitely, with growing pauses', () => {
  const pauses = [0, 1, 2, 6, 1_000].map((own_failures) => release(claim(1, { own_failures }), at));

  expect(pauses.map((settlement) => 'pauseMs' in settlement && settlement.pauseMs)).toEqual([1_000, 2_000, 4_000, 60_000, 60_000]);
  expect(pauses[0]).toMatchObject({ state: 'released', number: 1 });
});

const slowMs = 2_000;
const answered = (status: number, durationMs: number) => ({ status, durationMs });

describe('the lane of a subscription', () => {
  it('is quick as soon as it has answered fast, whatever the status', () => {
    expect(laneAfter('unproven', answered(204, 50), slowMs)).toBe('quick');
    expect(laneAfter('unproven', answered(500, 50), slowMs)).toBe('quick');
  });

  it('is slow after a late answer or none', () => {
    expect(laneAfter('quick', answered(200, 2_000), slowMs)).toBe('slow');
    expect(laneAfter('unproven', { error: 'timeout', durationMs: 10_000 }, slowMs)).toBe('slow');
    expect(laneAfter('quick', { error: 'timeout', durationMs: 300 }, slowMs)).toBe('slow');
  });

  it('changes from slow to quick only after a fast success', () => {
    expect(laneAfter('slow', answered(500, 50), slowMs)).toBe('slow');
    expect(laneAfter('slow', { error: 'connection_refused', durationMs: 1 }, slowMs)).toBe('slow');
    expect(laneAfter('slow', answered(200, 50), slowMs)).toBe('quick');
  });

  it('stays the same when a connection fails at once, since that delays no other delivery', () => {
    expect(laneAfter('quick', { error: 'connection_refused', durationMs: 1 }, slowMs)).toBe('quick');
    expect(laneAfter('unproven', { error: 'dns', durationMs: 1 }, slowMs)).toBe('unproven');
  });
});
