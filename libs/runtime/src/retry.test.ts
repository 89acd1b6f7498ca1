import { silentLog } from './log';
import { retryUntilSuccess } from './retry';

it('retries until the attempt succeeds', async () => {
  const attempt = jest.fn<Promise<string>, []>().mockRejectedValueOnce(new Error('not yet')).mockResolvedValueOnce('there');
  await expect(retryUntilSuccess('the broker', attempt, { log: silentLog() })).resolves.toBe('there');
  expect(attempt).toHaveBeenCalledTimes(2);
});

it('throws the last error when its time is up', async () => {
  await expect(
    retryUntilSuccess('the broker', () => Promise.reject(new Error('still down')), { log: silentLog(), forMs: 50 }),
  ).rejects.toThrow('still down');
});
