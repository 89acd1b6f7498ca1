import { Slots } from './slots';

describe('the slots of a process', () => {
  const free = (slots: Slots) => Object.fromEntries(slots.free().map(({ lane, free }) => [lane, free]));
  const slotsOf = (all: number) => new Slots({ DELIVERY_CONCURRENCY: all, DELIVERY_PER_SUBSCRIPTION: 10 });

  it('are a quarter slow and an eighth unproven, and the rest are quick', () => {
    expect(free(slotsOf(400))).toEqual({ quick: 250, unproven: 50, slow: 100 });
    expect(free(slotsOf(1))).toEqual({ quick: 1, unproven: 1, slow: 1 });
  });

  it('are freed by attempts that hang, which then count as slow', () => {
    const slots = slotsOf(40);
    const hanging = Array.from({ length: 25 }, (_, n) => slots.begin(`s${n}`, 'quick'));
    expect(free(slots)).toMatchObject({ quick: 0, slow: 10 });

    hanging.forEach((slot) => slot.hangs());
    expect(free(slots)).toMatchObject({ quick: 25, slow: 0 });
    hanging.forEach((slot) => slot.end('slow'));
    expect(free(slots)).toMatchObject({ quick: 25, slow: 10 });
  });

  it('never exceed twice the configured number', () => {
    const slots = slotsOf(40);
    for (let n = 0; n < 70; n++) slots.begin(`s${n}`, 'quick').hangs();
    expect(free(slots)).toEqual({ quick: 10, unproven: 5, slow: 0 });
  });

  it('are limited to ten per subscription while it is quick, and to one otherwise', () => {
    const slots = slotsOf(400);
    const first = slots.begin('one', 'quick');
    expect(slots.full()).toEqual([]);
    first.hangs();
    expect(slots.full()).toEqual(['one']);
    first.end('slow');
    expect([slots.full(), slots.size]).toEqual([[], 0]);
  });

  it('are reserved for a look until it ends, as many as are free in its lanes', () => {
    const slots = slotsOf(40);
    for (let n = 0; n < 4; n++) slots.begin('one', 'quick');
    slots.begin('dead', 'slow');
    const look = slots.look();
    expect(look).toMatchObject({
      lanes: [
        { lane: 'quick', free: 21, most: 10 },
        { lane: 'unproven', free: 5, most: 1 },
        { lane: 'slow', free: 9, most: 1 },
      ],
      full: ['dead'],
      busy: [{ id: 'one', taken: 4 }],
    });
    expect(slots.take('one', 'quick')).toBeUndefined();
    expect(slots.take('three', 'unproven')).toBeUndefined();
    look.end();
    look.end();
    expect(free(slots)).toEqual({ quick: 21, unproven: 5, slow: 9 });
    expect(slots.take('one', 'quick')).toBeDefined();
  });

  it('go to a caller that waited for a look before the next look begins', async () => {
    const slots = slotsOf(40);
    const look = slots.look();
    const taken = (async () => {
      await slots.afterLook(['quick']);
      return slots.take('one', 'quick');
    })();
    await (async () => {
      await Promise.resolve();
      look.found([]);
    })();
    slots.look();
    await expect(taken).resolves.toBeDefined();
    expect(slots.take('two', 'quick')).toBeUndefined();
  });

  it('are not worth waiting for in a lane where the look is expected to leave none', () => {
    const slots = slotsOf(4);
    expect(slots.afterLook(['quick'])).toBeUndefined();
    const [one, two] = [slots.take('one', 'quick'), slots.take('two', 'quick')];
    one?.end('quick');
    const look = slots.look();
    expect(slots.afterLook(['quick'])).toBeUndefined();
    expect(slots.afterLook(['slow'])).toBeDefined();
    look.end();
    two?.end('quick');
  });

  it('are refused to a subscription with queued deliveries until a look finds no more of them', () => {
    const slots = slotsOf(40);
    slots.noteQueued('one');
    expect(slots.take('one', 'quick')).toBeUndefined();
    expect(slots.take('two', 'quick')).toBeDefined();
    slots.look().found([{ id: 'one', lane: 'quick', behind: true }]);
    expect(slots.take('one', 'quick')).toBeUndefined();
    slots.look().found([{ id: 'one', lane: 'quick', behind: false }]);
    expect(slots.take('one', 'quick')).toBeDefined();
  });

  it('are left to waiting subscriptions once a lane has been full, until a look leaves some free', () => {
    const slots = slotsOf(4);
    const [one, two] = [slots.take('one', 'quick'), slots.take('two', 'quick')];
    expect(slots.take('three', 'quick')).toBeUndefined();
    one?.end('quick');
    expect(slots.take('three', 'quick')).toBeUndefined();

    two?.end('quick');
    slots.look().found([{ id: 'waiting', lane: 'quick', behind: false }]);
    expect(slots.take('three', 'quick')).toBeDefined();
  });
});
