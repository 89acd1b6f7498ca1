import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls /readyz at every address until all are ready.
 * @returns the names of those that were not ready in time; empty means success
 */
export async function untilReady(healthUrls: Record<string, string>, timeoutMs: number, signal: AbortSignal): Promise<string[]> {
  const until = performance.now() + timeoutMs;
  let waiting = Object.entries(healthUrls);
  for (;;) {
    const answers = await Promise.all(waiting.map(([, url]) => isReady(url)));
    waiting = waiting.filter((_, index) => answers[index] !== true);
    if (waiting.length === 0 || performance.now() > until) return waiting.map(([name]) => name);
    await sleep(50, undefined, { signal });
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(3_000), headers: { connection: 'close' } });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}
