import { Problem } from '@sheaf/kernel';

/** The operator's limits on stored and unclaimed files. */
export interface UploadLimits {
  /** For all files of a form together; 0 means no limit. */
  formBytes: number;
  /** For all files of an instance together; 0 means no limit. */
  instanceBytes: number;
  /** For files that one network uploads within the window and that belong to no submission yet. */
  waitingFiles: number;
  waitingBytes: number;
}

/** Current usage of each limit. */
export interface Usage {
  form_bytes: number;
  instance_bytes: number;
  waiting_files: number;
  waiting_bytes: number;
  /** When the oldest waiting file arrived. */
  waiting_since: Date | null;
}

const windowMinutes = 10;
const windowMs = windowMinutes * 60_000;

/** Files that arrived before this moment no longer count against their network. */
export const windowStart = (now: Date): Date => new Date(now.getTime() - windowMs);

/** @throws Problem `too_many_requests` if the network may not add another file */
export function requireRoomForFile(used: Usage, { waitingFiles }: UploadLimits, now: Date): void {
  if (used.waiting_files >= waitingFiles) throw tooManyUnclaimed(`${waitingFiles} files`, used, now);
}

/** @throws Problem `payload_too_large` or `too_many_requests` if there is no room for `more` bytes */
export function requireRoomForBytes(used: Usage, { formBytes, instanceBytes, waitingBytes }: UploadLimits, more: number, now: Date): void {
  if (formBytes > 0 && used.form_bytes + more > formBytes) throw quotaExceeded('form', formBytes);
  if (instanceBytes > 0 && used.instance_bytes + more > instanceBytes) throw quotaExceeded('instance', instanceBytes);
  if (used.waiting_bytes + more > waitingBytes) throw tooManyUnclaimed(`${waitingBytes} bytes of files`, used, now);
}

const quotaExceeded = (owner: string, bytes: number) =>
  new Problem('payload_too_large', `file: all files of this ${owner} together must have at most ${bytes} bytes`);

function tooManyUnclaimed(bound: string, { waiting_since }: Usage, now: Date): Problem {
  const waitMs = (waiting_since ?? now).getTime() + windowMs - now.getTime();
  return Problem.tooManyRequests(
    `file: one address may upload at most ${bound} within ${windowMinutes} minutes without submitting them`,
    Math.max(1, Math.ceil(waitMs / 1_000)),
  );
}
