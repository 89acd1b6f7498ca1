import { NextLook } from './next-look';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A round of looks has ended, and something still waits in the slow lane. */
function afterRound() {
  const nextLook = new NextLook();
  const look = jest.fn();
  nextLook.begin(look)(['slow']);
  return { nextLook, look };
}

describe('the next look', () => {
  it('comes once, shortly after slots are freed in a lane where something waits', () => {
    const { nextLook, look } = afterRound();
    nextLook.onFreed('slow');
    nextLook.onFreed('slow');
    expect(look).not.toHaveBeenCalled();
    jest.runAllTimers();
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('does not come for a slot in a lane where nothing waits', () => {
    const { nextLook, look } = afterRound();
    nextLook.onFreed('quick');
    jest.runAllTimers();
    expect(look).not.toHaveBeenCalled();
  });

  it('comes for a slot in a lane where something was planned since the last look', () => {
    const { nextLook, look } = afterRound();
    nextLook.onPlanned('quick');
    nextLook.onFreed('quick');
    jest.runAllTimers();
    expect(look).toHaveBeenCalledTimes(1);

    nextLook.onLook();
    nextLook.onFreed('quick');
    jest.runAllTimers();
    expect(look).toHaveBeenCalledTimes(1);
  });

  it('comes for a slot that was freed during the round', () => {
    const { nextLook, look } = afterRound();
    const end = nextLook.begin(look);
    nextLook.onFreed('quick');
    end(['quick']);
    jest.runAllTimers();
    expect(look).toHaveBeenCalledTimes(1);
  });
});
