import {
  assignSubmission,
  eraseSubmissions,
  restoreSubmissions,
  setSubmissionsSpam,
  trashSubmissions,
  updateSubmissionStatuses,
  type BulkResult,
  type SubmissionDetail,
  type SubmissionStatus,
} from '@sheaf/client';
import { client } from '../api/client';
import { hasStatus } from '../api/problem-sentence';

/** The most submissions that one request changes. */
const mostAtOnce = 500;
const assignedAtOnce = 4;

/** Tells how many are done. */
export type OnProgress = (done: number) => void;

/** The submissions that a change has changed, each with the moment. The others were as wanted before. */
export type Changed = Map<string, string | undefined>;

/** Submissions to change, in order: `onProgress` tells how many of the first ones are done. */
export interface Work {
  form: string;
  ids: readonly string[];
  onProgress: OnProgress;
  signal?: AbortSignal | undefined;
  /** Takes down what changes. */
  changed?: Changed | undefined;
  /** The change to take back: what somebody has changed since stays. */
  undoes?: Changed | undefined;
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

interface Several {
  submission_ids: string[];
  if_changed_at?: string;
}

const condition = (moment: string | undefined) => (moment === undefined ? {} : { if_changed_at: moment });

const change = (work: Work, send: (body: Several) => Promise<BulkResult>): Promise<void> =>
  inParts(work, mostAtOnce, async (part) => {
    for (const [moment, submission_ids] of groupedBy(part, (id) => work.undoes?.get(id))) {
      const { updated, changed_at } = await send({ submission_ids, ...condition(moment) });
      for (const id of updated) work.changed?.set(id, changed_at);
    }
  });

export const setStatus = (work: Work, status: SubmissionStatus): Promise<void> =>
  change(work, (body) => updateSubmissionStatuses({ client, path: { id: work.form }, body: { ...body, status } }));

export const trash = (work: Work): Promise<void> => change(work, (body) => trashSubmissions({ client, path: { id: work.form }, body }));

export const restore = (work: Work): Promise<void> => change(work, (body) => restoreSubmissions({ client, path: { id: work.form }, body }));

/** Out of the trash, for good. */
export const erase = (work: Work): Promise<void> =>
  inParts(work, mostAtOnce, (part) => eraseSubmissions({ client, path: { id: work.form }, body: { submission_ids: part } }));

export const setSpam = (work: Work, spam: boolean): Promise<void> =>
  change(work, (body) => setSubmissionsSpam({ client, path: { id: work.form }, body: { ...body, spam } }));

/** The API assigns one at a time. @param rows as they were shown: those that the person takes care of already do not change */
export const assign = (work: Work, userId: string | null, rows: readonly SubmissionDetail[] = []): Promise<void> =>
  inParts(work, assignedAtOnce, (part) =>
    Promise.all(
      part.map(async (subId) => {
        const body = { user_id: userId, ...condition(work.undoes?.get(subId)) };
        const assigned = await assignSubmission({ client, path: { id: work.form, subId }, body }).catch((error: unknown) => {
          // As where one request changes several back: what is gone by then stays so, and the others do not.
          if (!work.undoes || !hasStatus(error, 404)) throw error;
        });
        if (!assigned) return;
        const { assignee, updated_at } = assigned;
        const before = rows.find(({ id }) => id === subId);
        if ((assignee ?? null) === userId && updated_at !== before?.updated_at) work.changed?.set(subId, updated_at);
      }),
    ),
  );

/** Things by what they have in common, in their order. */
export function groupedBy<Item, Value>(items: readonly Item[], valueOf: (item: Item) => Value): Map<Value, Item[]> {
  const groups = new Map<Value, Item[]>();
  for (const item of items) groups.set(valueOf(item), [...(groups.get(valueOf(item)) ?? []), item]);
  return groups;
}
