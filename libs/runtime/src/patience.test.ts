import { silentLog } from './log';
import { withPatience } from './patience';

it('tries until it works', async () => {
  const attempt = jest.fn<Promise<string>, []>().mockRejectedValueOnce(new Error('not yet')).mockResolvedValueOnce('there');
  await expect(withPatience('the broker', attempt, { log: silentLog() })).resolves.toBe('there');
  expect(attempt).toHaveBeenCalledTimes(2);
});

it('gives up with the last error when its time is over', async () => {
  await expect(withPatience('the broker', () => Promise.reject(new Error('still away')), { log: silentLog(), forMs: 50 })).rejects.toThrow('still away');
});
