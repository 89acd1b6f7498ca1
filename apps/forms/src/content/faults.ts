import { Problem, maxReportedErrors, type AnswerFault } from '@sheaf/kernel';

/** Refuses an input for its faults: all of them up to a limit, in `details`, and in one sentence. */
export function refusal(faults: readonly AnswerFault[]): Problem {
  const listed = faults.slice(0, maxReportedErrors);
  const rest = faults.length > listed.length ? [`and ${faults.length - listed.length} more`] : [];
  return Problem.badRequest([...listed.map(({ key, message }) => `${key}: ${message}`), ...rest].join('; '), listed);
}

/** A part of a field, and a message that follows its name. */
export type Fault = [part: string, message: string];
