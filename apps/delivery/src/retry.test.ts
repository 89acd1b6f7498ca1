import { judge } from './retry';

const at = new Date('2026-06-01T12:00:00.000Z');
const after = (ms: number) => new Date(at.getTime() + ms);
const delays = [4_000, 16_000];
const claim = (number: number) => ({ id: 'd', number });

it.each([200, 201, 204, 299])('takes %i for a success, at whichever attempt', (status) => {
  expect(judge(claim(1), { status, durationMs: 5 }, delays, at)).toMatchObject({ state: 'succeeded', status });
  expect(judge(claim(3), { status, durationMs: 5 }, delays, at)).toMatchObject({ state: 'succeeded', status });
});

it.each([300, 301, 302, 304, 307, 308, 400, 401, 404, 429, 500, 503])('repeats after %i', (status) => {
  expect(judge(claim(1), { status, durationMs: 5 }, delays, at)).toEqual({
    id: 'd', number: 1, durationMs: 5, at, state: 'pending', status, error: 'status', next: after(4_000),
  });
});

it('waits 4 s after the first failure, 16 s after the second, and gives up after the third', () => {
  const outcome = { error: 'timeout', durationMs: 10_000 } as const;

  expect(judge(claim(1), outcome, delays, at)).toMatchObject({ state: 'pending', error: 'timeout', next: after(4_000) });
  expect(judge(claim(2), outcome, delays, at)).toMatchObject({ state: 'pending', error: 'timeout', next: after(16_000) });
  expect(judge(claim(3), outcome, delays, at)).toMatchObject({ state: 'failed', error: 'timeout' });
});

it('does not repeat after 410', () => {
  expect(judge(claim(1), { status: 410, durationMs: 5 }, delays, at)).toMatchObject({ state: 'failed', status: 410 });
});
