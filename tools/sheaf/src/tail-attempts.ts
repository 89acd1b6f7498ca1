import { setTimeout as sleep } from 'node:timers/promises';
import { attemptLine, AttemptTail, isAnsweredWith, type AttemptList } from '@sheaf/client';
import { statusesOfAnswer } from '@sheaf/contracts';
import type { ToolContext } from './context';
import { Failure } from './failure';

export interface TailOptions {
  form?: string;
  webhook?: string;
  status?: string;
  json?: boolean;
}

/** Each look starts a process, which takes a third of a second. */
const intervalMs = 2_000;

/** Prints attempts to deliver as they end, each once, until Ctrl-C. A database that is away for a while is asked again. */
export async function tailAttempts(
  context: ToolContext,
  { form, webhook, status, json }: TailOptions,
  pauseMs = intervalMs,
): Promise<void> {
  if (status !== undefined && statusesOfAnswer(status) === undefined)
    throw new Failure('bad_request', '--status: must be a status such as 503, a class such as 5xx, or none', 2);
  const signal = context.interruption();
  const wanted = Object.entries({ form, webhook }).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  const tail = new AttemptTail(async (place) => {
    const args = Object.entries(place).map(([name, value]) => `--${name}=${value}`);
    return (await context.runCommand('delivery', ['list-attempts', ...wanted, ...args])) as unknown as AttemptList;
  });
  try {
    await tail.skip();
    context.printError('Waiting for attempts to deliver; Ctrl-C ends.');
    for (let failures = 0; ;) {
      await sleep(pauseMs * 2 ** Math.min(failures, 4), undefined, { signal });
      try {
        for await (const attempt of tail.look())
          if (status === undefined || isAnsweredWith(attempt, status))
            context.print(json === true ? JSON.stringify(attempt) : attemptLine(attempt, context));
        failures = 0;
      } catch (error) {
        if (!(error instanceof Failure) || signal.aborted) throw error;
        if (failures === 0) context.printError(`${error.message} Trying again.`);
        failures += 1;
      }
    }
  } catch (error) {
    // Ctrl-C ends the process of a look too.
    if (!signal.aborted) throw error;
  }
}
