import type { Notice } from '@sheaf/events';
import { ChangeFeed } from './change-feed';

const notice = (n: number): Notice => ({ type: 'submission.created', instanceId: 'i', formId: 'f', subject: `s${n}` });
const aFeed = (max?: number) => {
  const feed = new ChangeFeed(
    () => undefined,
    () => undefined,
    max,
  );
  feed.onStream('2026-06-01T12:00:00.123456789Z');
  return feed;
};
const ids = (feed: ChangeFeed, position: number, max = 100) => feed.after(position, max)?.map(({ change }) => change?.submissionId);

it('continues after any position that it still has', () => {
  const feed = aFeed();
  for (const n of [7, 8, 9]) feed.onMessage(n, [notice(n)]);
  feed.onCaughtUp(9);
  expect([ids(feed, 6), ids(feed, 8), ids(feed, 9), ids(feed, 12)]).toEqual([['s7', 's8', 's9'], ['s9'], [], []]);
  expect(feed.after(5, 100)).toBeUndefined();
});

it('never divides the changes of a message', () => {
  const feed = aFeed();
  feed.onMessage(1, [notice(1), notice(2), notice(3)]);
  feed.onMessage(2, [notice(4)]);
  expect(ids(feed, 0, 1)).toEqual(['s1', 's2', 's3']);
});

it('forgets the oldest, and says so to a reader who comes too late', () => {
  const feed = aFeed(4);
  for (let n = 1; n <= 6; n++) feed.onMessage(n, [notice(n)]);
  expect(feed.after(0, 100)).toBeUndefined();
  expect(ids(feed, 2)).toEqual(['s3', 's4', 's5', 's6']);
});

it('has nothing from before a gap', () => {
  const feed = aFeed();
  feed.onMessage(1, [notice(1)]);
  feed.onLost();
  expect(feed.isReady).toBe(false);
  feed.onMessage(9, [notice(9)]);
  expect(feed.after(1, 100)).toBeUndefined();
  expect(ids(feed, 8)).toEqual(['s9']);
});

it('has what people do and new submissions, but neither reading nor what no screen shows', () => {
  const feed = aFeed();
  const about = { instanceId: 'i', formId: 'f', subject: 's' };
  feed.onMessage(1, [
    { type: 'audit.recorded', action: 'submission.corrected', ...about },
    { type: 'submission.status_changed', ...about },
    { type: 'audit.recorded', action: 'submissions.exported', ...about },
    { type: 'audit.recorded', action: 'hook.subscribed', ...about },
    { type: 'audit.recorded', action: 'submissions.erased', ...about },
    { type: 'audit.recorded', action: 'session.created', instanceId: 'i', subject: 's' },
  ]);
  expect(feed.after(0, 100)?.map(({ change }) => [change?.kind, change?.action, change?.submissionId])).toEqual([
    ['submission', 'corrected', 's'],
    ['webhook', 'subscribed', undefined],
    // Several at once.
    ['submission', 'erased', undefined],
  ]);
});
