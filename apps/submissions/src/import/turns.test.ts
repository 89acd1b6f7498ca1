import { refused } from '@sheaf/testing';
import { Breath } from './breath';
import { Turns } from './turns';

it('reads one file after another, and refuses more than may wait', async () => {
  const turns = new Turns();
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (number: number) => {
    begun.push(number);
    return new Promise<void>((resolve, reject) => ends.push(number === 0 ? () => reject(new Error('broken')) : resolve));
  };
  const send = (number: number, instanceId: string) => turns.keepPlace({ instanceId }, (turn) => turn(() => work(number)));
  const [first, ...others] = Array.from({ length: 8 }, (_, number) => send(number, `instance ${number % 3}`));
  await expect(send(8, 'another')).rejects.toEqual(refused('too_many_requests'));
  await Promise.resolve();
  expect(begun).toEqual([0]);
  ends[0]?.();
  await expect(first).rejects.toThrow('broken');
  for (let number = 1; number < 8; number++) {
    expect(begun).toEqual(Array.from({ length: number + 1 }, (_, index) => index));
    ends[number]?.();
    await others[number - 1];
    await Promise.resolve();
  }
  expect(await turns.keepPlace({ instanceId: 'another' }, (turn) => turn(() => Promise.resolve('again')))).toBe('again');
});

it('leaves places for others than one instance, and no file that is still arriving keeps them waiting', async () => {
  const turns = new Turns();
  let arrive: () => void = () => undefined;
  const arriving = new Promise<void>((resolve) => (arrive = resolve));
  const slow = Array.from({ length: 3 }, () => turns.keepPlace({ instanceId: 'slow' }, () => arriving));
  await expect(turns.keepPlace({ instanceId: 'slow' }, () => arriving)).rejects.toEqual(refused('too_many_requests'));
  expect(await turns.keepPlace({ instanceId: 'other' }, (turn) => turn(() => Promise.resolve('read')))).toBe('read');
  arrive();
  await Promise.all(slow);
});

it('does not read the file of a caller who has gone, nor one that takes too long', async () => {
  const read = jest.fn();
  await expect(new Turns().keepPlace({ instanceId: 'i', signal: AbortSignal.abort() }, (turn) => turn(read))).rejects.toThrow('aborted');
  expect(read).not.toHaveBeenCalled();
  const working = (breath: Breath) => {
    for (const since = performance.now(); performance.now() - since < 21;);
    return breath.take();
  };
  await expect(working(new Breath(undefined, 1))).rejects.toEqual(refused('bad_request', /to read/));
  await expect(working(new Breath(AbortSignal.abort()))).rejects.toThrow('aborted');
  await working(new Breath());
});
