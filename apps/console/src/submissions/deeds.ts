import {
  assignSubmission,
  eraseSubmissions,
  restoreSubmissions,
  setSubmissionsSpam,
  trashSubmissions,
  updateSubmissionStatuses,
  type SubmissionDetail,
  type SubmissionStatus,
} from '@sheaf/client';
import { client } from '../api/client';

/** The most submissions that one request changes. */
const mostAtOnce = 500;
const assignedAtOnce = 4;

/** Tells how many are done. */
export type OnProgress = (done: number) => void;

/** Submissions to change, in order: `onProgress` tells how many of the first ones are done. */
export interface Work {
  form: string;
  ids: readonly string[];
  onProgress: OnProgress;
  signal?: AbortSignal | undefined;
}

/** Calls for as many ids at a time as a request takes. */
async function inParts({ ids, onProgress, signal }: Work, size: number, send: (part: string[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < ids.length; at += size) {
    signal?.throwIfAborted();
    const part = ids.slice(at, at + size);
    await send(part);
    onProgress(at + part.length);
  }
}

const named = (form: string, submission_ids: string[]) => ({ client, path: { id: form }, body: { submission_ids } });

export const setStatus = (work: Work, status: SubmissionStatus): Promise<void> =>
  inParts(work, mostAtOnce, (part) =>
    updateSubmissionStatuses({ client, path: { id: work.form }, body: { submission_ids: part, status } }),
  );

export const trash = (work: Work): Promise<void> => inParts(work, mostAtOnce, (part) => trashSubmissions(named(work.form, part)));

export const restore = (work: Work): Promise<void> => inParts(work, mostAtOnce, (part) => restoreSubmissions(named(work.form, part)));

/** Out of the trash, for good. */
export const erase = (work: Work): Promise<void> => inParts(work, mostAtOnce, (part) => eraseSubmissions(named(work.form, part)));

export const setSpam = (work: Work, spam: boolean): Promise<void> =>
  inParts(work, mostAtOnce, (part) => setSubmissionsSpam({ client, path: { id: work.form }, body: { submission_ids: part, spam } }));

/** The API assigns one at a time. */
export const assign = (work: Work, userId: string | null): Promise<void> =>
  inParts(work, assignedAtOnce, (part) =>
    Promise.all(part.map((subId) => assignSubmission({ client, path: { id: work.form, subId }, body: { user_id: userId } }))),
  );

/** The submissions by a value that they had, to give it back to them. */
export function groupedBy<Value>(rows: readonly SubmissionDetail[], valueOf: (row: SubmissionDetail) => Value): Map<Value, string[]> {
  const groups = new Map<Value, string[]>();
  for (const row of rows) groups.set(valueOf(row), [...(groups.get(valueOf(row)) ?? []), row.id]);
  return groups;
}
