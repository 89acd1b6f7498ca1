import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than a request at the gateway may take, and short enough that those behind it still have time to finish their own work. */
const turnMs = 6_000;

interface Part {
  name: string;
  /** The names of the parts that it needs until it has closed. */
  calls: readonly string[];
  close: () => Promise<void>;
}

/**
 * Closes parts of a process, each once those that call it have closed, so that requests in progress find every service that they need. A part
 * that takes longer than its turn, such as a gateway with a download in progress, no longer holds up the others, but is still waited for.
 */
export async function closeInTurn(parts: readonly Part[], withinMs = turnMs): Promise<void> {
  const closing = new Map<string, Promise<void>>();
  const close = ({ name, close: closeIt }: Part): Promise<void> => {
    const known = closing.get(name);
    if (known) return known;
    const callers = parts.filter(({ calls }) => calls.includes(name));
    const begun = Promise.all(callers.map((caller) => Promise.race([close(caller), sleep(withinMs, undefined, { ref: false })]))).then(
      closeIt,
    );
    closing.set(name, begun);
    return begun;
  };
  await Promise.all(parts.map(close));
}
