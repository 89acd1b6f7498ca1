import { AttemptTail, isAnsweredWith, type ReadAttempts } from './attempt-tail';
import type { LoggedAttempt } from './generated/types.gen';

const second = (s: number) => new Date(Date.UTC(2026, 2, 4) + s * 1_000).toISOString();
const attempt = (id: string, startedAt: number, rest: Partial<LoggedAttempt> = {}): LoggedAttempt => ({
  delivery_id: id,
  number: 1,
  event: 'submission.created',
  form_id: 'f',
  subscription_id: 's',
  url: 'https://hooks.example.org/',
  started_at: second(startedAt),
  in_progress: false,
  status: 200,
  duration_ms: 1,
  ...rest,
});

/** A log that is read in pages of two. */
function aLog() {
  const log = { attempts: [] as LoggedAttempt[], now: 0, asked: [] as string[], fail: false };
  const read: ReadAttempts = ({ from = second(log.now - 60), cursor = '0' }) => {
    if (log.fail && cursor !== '0') return Promise.reject(new Error('cut'));
    log.asked.push(from);
    const found = log.attempts.filter(({ started_at: at }) => at >= from).toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1));
    const end = Number(cursor) + 2;
    return Promise.resolve({
      data: found.slice(Number(cursor), end),
      next_cursor: end < found.length ? String(end) : null,
      as_of: second(log.now),
    });
  };
  return { log, tail: new AttemptTail(read) };
}
const idsOf = async (tail: AttemptTail) => {
  const ids: string[] = [];
  for await (const { delivery_id: id } of tail.look()) ids.push(id);
  return ids;
};

it('each attempt is returned once, when it has ended, in whatever order they end and appear', async () => {
  const { log, tail } = aLog();
  log.attempts = [attempt('before', -1), attempt('slow', 0, { in_progress: true })];
  await tail.skip();
  log.now = 100;
  log.attempts.push(attempt('quick', 99), attempt('late', 110));
  expect(await idsOf(tail)).toEqual(['quick', 'late']);
  log.now = 111;
  log.attempts[1] = attempt('slow', 0, { status: 503, error: 'status' });
  // Committed after one that began later had been read.
  log.attempts.push(attempt('later still', 82));
  expect(await idsOf(tail)).toEqual(['slow', 'later still']);
  expect(await idsOf(tail)).toEqual([]);
  log.now = 400;
  await idsOf(tail);
  await idsOf(tail);
  // Only the last half minute is read again once nothing is in progress.
  expect(log.asked.at(-1)).toBe(second(370));
});

it('a look that was cut off misses and repeats nothing, however long the cut was', async () => {
  const { log, tail } = aLog();
  await tail.skip();
  log.attempts = ['a', 'b', 'c', 'd'].map((id, at) => attempt(id, at + 1));
  log.now = 10;
  log.fail = true;
  await expect(idsOf(tail)).rejects.toThrow('cut');
  log.fail = false;
  log.now = 3_600;
  log.attempts.push(attempt('e', 3_000));
  expect(await idsOf(tail)).toEqual(['c', 'd', 'e']);
});

it.each([
  ['503', 503, true],
  ['5xx', 503, true],
  ['4xx', 503, false],
  ['none', 503, false],
  ['none', undefined, true],
  ['5xx', undefined, false],
])('the answer %s of an attempt with status %s: %s', (answer, status, expected) => {
  const { status: _, ...rest } = attempt('a', 0);
  expect(isAnsweredWith({ ...rest, ...(status === undefined ? {} : { status }) }, answer)).toBe(expected);
});
