import type { Redelivered } from '@sheaf/client';
import { addressOf, resendFrom, resendOf, sendSteps, type Resend } from './resend';

const resend: Resend = {
  webhook: 'w',
  from: '2026-03-04T16:05:12.000Z',
  to: '2026-03-05T00:00:00.000Z',
  state: 'failed',
  cursor: undefined,
};

it('the address keeps what is sent again, and where it goes on', () => {
  for (const one of [resend, { ...resend, state: undefined }, { ...resend, cursor: 'AbC-_' }])
    expect(resendOf(addressOf(one))).toEqual(one);
  for (const wrong of ['', 'w', 'w~~', `${addressOf(resend)}~more`]) expect(resendOf(wrong)).toBeUndefined();
});

it('it begins at the delivery that was open, and ends now', () => {
  const id = '019cb998-9ac0-7abc-8000-000000000001';
  const now = new Date('2026-03-05T00:00:00.000Z');
  expect(resendFrom({ id, subscription_id: 'w' }, now)).toEqual({ ...resend, from: '2026-03-04T16:05:12.000Z' });
});

/** Sends against these answers. */
async function sent(answers: readonly Partial<Redelivered>[], stopAfter = Number.POSITIVE_INFINITY) {
  const asked: (string | undefined)[] = [];
  const steps: [string | undefined, number][] = [];
  let pauses = 0;
  const over = await sendSteps(resend, {
    send: ({ cursor }) => {
      asked.push(cursor);
      const answer = answers[asked.length - 1];
      return answer ? Promise.resolve({ redelivered: 0, ...answer }) : Promise.reject(new Error('lost'));
    },
    onStep: ({ cursor }, redelivered) => steps.push([cursor, redelivered]),
    pause: () => Promise.resolve(void (pauses += 1)),
    isStopped: () => asked.length >= stopAfter,
  }).catch(String);
  return { asked, steps, pauses, over };
}

it('it is sent step by step to the end, and waits while too many are waiting', async () => {
  const answers = [{ redelivered: 1_000, next_cursor: 'a' }, { next_cursor: 'a' }, { redelivered: 5, next_cursor: null }];
  expect(await sent(answers)).toEqual({
    asked: [undefined, 'a', 'a'],
    steps: [
      ['a', 1_000],
      ['a', 0],
      ['a', 5],
    ],
    pauses: 1,
    over: true,
  });
});

it('it can be stopped after a step, and an error keeps the place', async () => {
  expect(await sent([{ redelivered: 1_000, next_cursor: 'a' }], 1)).toMatchObject({ steps: [['a', 1_000]], over: false });
  expect(await sent([{ redelivered: 1_000, next_cursor: 'a' }])).toMatchObject({ steps: [['a', 1_000]], over: 'Error: lost' });
});
