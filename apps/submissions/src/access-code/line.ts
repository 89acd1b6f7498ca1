import { Problem } from '@sheaf/kernel';

export type Line = <T>(run: () => Promise<T>) => Promise<T>;

/**
 * Runs at most `atATime` side by side, each in its turn; at most `waiting` more stand in line.
 * @throws Problem `unavailable` if the line is full
 */
export function line({ atATime, waiting }: { atATime: number; waiting: number }): Line {
  const next: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running < atATime) running += 1;
    else if (next.length < waiting) await new Promise<void>((resolve) => next.push(resolve));
    else throw Problem.unavailable();
    try {
      return await run();
    } finally {
      // The first in line takes over the place.
      const take = next.shift();
      if (take) take();
      else running -= 1;
    }
  };
}
