import { attemptLine, AttemptTail, isAnsweredWith, listDeliveryAttempts } from '@sheaf/client';
import type { Context, Session } from './context';
import { follow } from './follow';
import { print, printJson } from './show';

export interface AttemptFilter {
  webhook?: string;
  status?: string;
}

/** Prints attempts to deliver as they end, each once, until Ctrl-C. */
export async function tailAttempts(
  session: Session,
  form: string,
  { webhook, status, intervalMs }: AttemptFilter & { intervalMs: number },
): Promise<void> {
  const { client, signal } = session;
  const tail = new AttemptTail((query) =>
    listDeliveryAttempts({
      client,
      path: { id: form },
      query: { ...query, limit: 100, ...(webhook === undefined ? {} : { subscription_id: webhook }) },
      signal,
    }),
  );
  await tail.skip();
  session.say('Waiting for attempts to deliver; Ctrl-C ends.');
  await follow(session, intervalMs, async () => {
    for await (const attempt of tail.look())
      if (status === undefined || isAnsweredWith(attempt, status)) {
        if (session.json) printJson(session, attempt);
        else print(session, attemptLine(attempt, session));
      }
  });
}

/** Green for what went well and red for what did not, on a terminal alone. */
export const painted = ({ hasColours }: Pick<Context, 'hasColours'>, text: string, isGood: boolean): string =>
  hasColours ? `\u001b[${isGood ? 32 : 31}m${text}\u001b[0m` : text;
