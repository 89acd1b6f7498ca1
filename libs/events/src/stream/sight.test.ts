import type { NatsConnection } from '@nats-io/transport-node';
import { leaseMs, Sight } from './sight';

/** A broker that records the questions for the test to answer. */
function setUp() {
  jest.useFakeTimers();
  let at = 1_000;
  const asked: string[] = [];
  let answer: (error: null, message: { subject: string }) => void = () => undefined;
  let gap: () => void = () => undefined;
  const connection = {
    isClosed: () => false,
    subscribe: (_: string, { callback }: { callback: typeof answer }) => (answer = callback),
    publish: (_: string, __: unknown, { reply }: { reply: string }) => asked.push(reply),
  } as unknown as NatsConnection;
  const sight = new Sight(
    {
      newInbox: () => 'inbox',
      onceConnected: (use) => use(connection),
      onReturn: () => undefined,
      onGap: (listener) => (gap = listener),
      onStop: () => undefined,
    },
    'forms',
    () => at,
  );
  return {
    asked,
    gap: () => gap(),
    isClear: () => sight.isClear(at),
    answer: (reply = asked.at(-1) ?? '') => answer(null, { subject: reply }),
    pass: (ms: number) => {
      at += ms;
      jest.advanceTimersByTime(ms);
    },
  };
}

afterEach(() => jest.useRealTimers());

it('is not clear before an answer, and is clear for a while after it', () => {
  const { isClear, answer, pass } = setUp();
  expect(isClear()).toBe(false);
  answer();
  expect(isClear()).toBe(true);
  pass(leaseMs - 1);
  expect(isClear()).toBe(true);
  pass(1);
  expect(isClear()).toBe(false);
});

it('counts from the question, not from a late answer', () => {
  const { isClear, answer, pass, asked } = setUp();
  isClear();
  const [first] = asked;
  pass(leaseMs - 1);
  answer(first);
  expect(isClear()).toBe(true);
  pass(1);
  expect(isClear()).toBe(false);
});

it('stays clear as long as its questions are answered', () => {
  const { isClear, answer, pass, asked } = setUp();
  isClear();
  answer();
  for (let n = 0; n < 20; n += 1) {
    pass(250);
    answer();
    expect(isClear()).toBe(true);
  }
  expect(asked).toHaveLength(21);
});

it('is not clear after a gap until a later question is answered', () => {
  const { isClear, answer, gap, asked, pass } = setUp();
  isClear();
  answer();
  pass(250);
  gap();
  expect(isClear()).toBe(false);
  answer(asked.at(-1));
  expect(isClear()).toBe(false);
  pass(250);
  answer();
  expect(isClear()).toBe(true);
});

it('asks no questions while it is not used', () => {
  const { isClear, asked, pass } = setUp();
  pass(60_000);
  expect(asked).toEqual([]);
  isClear();
  pass(60_000);
  const { length } = asked;
  expect(length).toBeLessThan(130);
  pass(600_000);
  expect(asked).toHaveLength(length);
});
