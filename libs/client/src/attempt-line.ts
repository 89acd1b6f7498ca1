import type { LoggedAttempt } from './generated/types.gen';

/** Control characters and turned directions, with which a subscriber's words could control a terminal or hide in it. */
const unsafe = /[\p{Cc}\p{Bidi_Control}\u200b\u2060\ufeff]/gu;

const cell = (value: string | undefined): string => (value ?? '').replace(unsafe, '\ufffd');

/**
 * An attempt to deliver as a line for people: when it began, the answer, how long it took, the event, the submission's reference, its number, its
 * batch if it has one, the webhook, the address, and why it failed. Nothing in it can control a terminal.
 * @param options.hasColours whether the answer is green or red
 */
export function attemptLine(attempt: LoggedAttempt, { hasColours }: { hasColours: boolean }): string {
  const { started_at: at, number, event, reference, subscription_id: webhook, url, duration_ms: ms, status, error, code } = attempt;
  const { batch_id: batch } = attempt;
  const outcome = cell(status === undefined ? error : String(status)).padEnd(7);
  const colour = error === undefined ? 32 : 31;
  // The answer itself says what a status or an error without one is.
  const reason = [error === 'status' || status === undefined ? undefined : error, code];
  return [
    at,
    hasColours ? `\u001b[${colour}m${outcome}\u001b[0m` : outcome,
    `${ms ?? '–'} ms`.padStart(8),
    cell(event),
    cell(reference ?? '–'),
    `attempt ${number}`,
    ...(batch === undefined ? [] : [`batch ${cell(batch)}`]),
    cell(webhook),
    cell(url),
    reason.map(cell).join(' ').trim(),
  ]
    .join('  ')
    .trimEnd();
}
