import type { SubmissionDetail, SubmissionStatus } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { problemSentence } from '../api/problem-sentence';
import { toast } from '../parts/toasts';
import { useLanguage, useWords } from '../words/use-words';
import { assign, groupedBy, restore, setSpam, setStatus, trash, type Changed, type Work } from './deeds';
import { patchRows, reloadList, submissionsKey } from './list-data';
import { noteOwnChanges } from './live';

type Rows = readonly SubmissionDetail[];

export interface Deeds {
  setStatus: (rows: Rows, status: SubmissionStatus) => void;
  assign: (rows: Rows, userId: string | null) => void;
  trash: (rows: Rows) => void;
  spam: (rows: Rows) => void;
  /** The change that is under way with more submissions than one request takes. */
  progress: { done: number; total: number } | undefined;
  cancel: () => void;
}

interface Gone {
  hide: (ids: readonly string[]) => void;
  unhide: (ids: readonly string[]) => void;
}

type Ids = readonly string[];
type Send = (work: Work) => Promise<unknown>;

interface Replacing<Value> {
  valueOf: (row: SubmissionDetail) => Value;
  shownAs: (value: Value) => Partial<SubmissionDetail>;
  send: (work: Work, value: Value, rows: Rows) => Promise<void>;
  textOf: (count: number) => string;
}

/**
 * Changes submissions. A change shows at once, and is taken back if it fails; each change offers *Undo*, of what it has changed and nobody has changed
 * since.
 */
export function useDeeds(form: string, { hide, unhide }: Gone): Deeds {
  const say = useWords('submissions');
  const queryClient = useQueryClient();
  const { run, progress, cancel } = useRun(form);
  const show = (rows: Rows, change: (row: SubmissionDetail) => Partial<SubmissionDetail>) =>
    patchRows(queryClient, form, new Map(rows.map((row) => [row.id, change(row)])));
  const idsOf = (rows: Rows) => rows.map(({ id }) => id);

  /** The list may have been loaded without them meanwhile, and what somebody has changed since is shown as it is. */
  const reload = () => void reloadList(queryClient, form);

  /** Submissions leave the list, and come back. */
  const remove = (rows: Rows, textOf: (count: number) => string, away: Send, back: Send) => {
    hide(idsOf(rows));
    const undo = (undoes: Changed) => () => {
      const ids = [...undoes.keys()];
      unhide(ids);
      run(ids, back, { undoes, onDone: reload, onFailed: hide });
    };
    run(idsOf(rows), away, { onDone: (ids, changed) => toast(toastOf(textOf, ids, changed, undo)), onFailed: unhide });
  };

  /** Submissions get a value, and with *Undo* the one that each of them had before. */
  const replace = <Value>(rows: Rows, value: Value, { valueOf, shownAs, send, textOf }: Replacing<Value>) => {
    const some = (ids: Ids) => rows.filter(({ id }) => ids.includes(id));
    const showNew = (ids: Ids) => show(some(ids), () => shownAs(value));
    const showOld = (ids: Ids) => show(some(ids), (row) => shownAs(valueOf(row)));
    const sendOld: Send = async ({ ids: all, onProgress, ...work }) => {
      let sent = 0;
      for (const [earlier, those] of groupedBy(some(all), valueOf)) {
        const before = sent;
        const ids = those.map(({ id }) => id);
        await send({ ...work, ids, onProgress: (done) => onProgress(before + done) }, earlier, []);
        sent += ids.length;
      }
    };
    const undo = (undoes: Changed) => () => {
      const ids = [...undoes.keys()];
      showOld(ids);
      run(ids, sendOld, { undoes, onDone: (all, changed) => changed.size < all.length && reload(), onFailed: showNew });
    };
    showNew(idsOf(rows));
    run(idsOf(rows), (work) => send(work, value, rows), {
      onDone: (ids, changed) => toast(toastOf(textOf, ids, changed, undo)),
      onFailed: showOld,
    });
  };

  /** A selection may also have spam and the trash in it, which a change of the list leaves alone, and so does its *Undo*. */
  const only = (rows: Rows, fits: (row: SubmissionDetail) => boolean, change: (those: Rows) => void) => {
    const those = rows.filter(fits);
    if (those.length > 0) change(those);
    else toast({ text: say.noneInList });
  };
  const isInTrash = ({ deleted_at }: SubmissionDetail) => (deleted_at ?? null) !== null;
  const isListed = (row: SubmissionDetail) => !isInTrash(row) && (row.spam_at ?? null) === null;

  return {
    progress,
    cancel,
    setStatus: (all, status) =>
      only(all, isListed, (rows) =>
        replace<SubmissionStatus>(rows, status, {
          valueOf: (row) => row.status as SubmissionStatus,
          shownAs: (value) => ({ status: value }),
          send: setStatus,
          textOf: (count) => say.statusSet(count, say[`status_${status}`]),
        }),
      ),
    assign: (all, userId) =>
      only(all, isListed, (rows) =>
        replace<string | null>(rows, userId, {
          valueOf: ({ assignee }) => assignee ?? null,
          shownAs: (value) => ({ assignee: value ?? undefined }),
          send: assign,
          textOf: say.assigned,
        }),
      ),
    trash: (all) =>
      only(
        all,
        (row) => !isInTrash(row),
        (rows) => remove(rows, say.trashed, trash, restore),
      ),
    spam: (all) =>
      only(all, isListed, (rows) =>
        remove(
          rows,
          say.markedAsSpam,
          (work) => setSpam(work, true),
          (work) => setSpam(work, false),
        ),
      ),
  };
}

interface Ends {
  /** The change that it takes back. */
  undoes?: Changed;
  /** Those that are as wanted: all, or some before it was stopped or failed; and those of them that it has changed. */
  onDone?: (done: Ids, changed: Changed) => void;
  /** Those that were not, if it was stopped or failed. */
  onFailed?: (left: Ids) => void;
}

/** The news of a change, with *Undo* if it has changed anything. */
const toastOf = (textOf: (count: number) => string, done: Ids, changed: Changed, undo: (changed: Changed) => () => void) => ({
  text: textOf(done.length),
  ...(changed.size > 0 && { onUndo: undo(changed) }),
});

/** Sends changes, and tells how far they are. A failure is told, and what the page shows is taken back. */
export function useRun(form: string) {
  const say = useWords('submissions');
  const language = useLanguage();
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const ending = useRef<AbortController>(undefined);
  const run = (ids: Ids, send: Send, { undoes, onDone, onFailed }: Ends = {}) => {
    const changed: Changed = new Map();
    const controller = new AbortController();
    const total = ids.length;
    // A single change beside a long one neither shows progress nor takes over *Stop*.
    const isLong = total > 1;
    let done = 0;
    noteOwnChanges(ids);
    if (isLong) {
      ending.current = controller;
      setProgress({ done, total });
    }
    const onProgress = (count: number) => {
      done = count;
      if (isLong) setProgress({ done, total });
    };
    send({ form, ids, onProgress, signal: controller.signal, changed, undoes })
      .then(
        () => {
          onDone?.(ids, changed);
          const left = ids.filter((id) => !changed.has(id)).length;
          if (undoes && left > 0) toast({ text: say.notTakenBack(left) });
        },
        (error: unknown) => {
          onFailed?.(ids.slice(done));
          if (done > 0) onDone?.(ids.slice(0, done), changed);
          if (!controller.signal.aborted) toast({ text: problemSentence(error, language).title });
          // Some more of them may have changed before it failed.
          if (isLong) void queryClient.invalidateQueries({ queryKey: submissionsKey(form) });
        },
      )
      .finally(() => {
        if (ending.current === controller) setProgress(undefined);
        for (const id of ids.slice(0, 20)) void queryClient.invalidateQueries({ queryKey: [...submissionsKey(form), 'detail', id] });
      });
  };
  return { run, progress, cancel: () => ending.current?.abort() };
}

/** Changes what stands in a place apart, with *Undo* of what has changed. */
export function useActs(form: string, reload: () => void) {
  const { run } = useRun(form);
  return (ids: Ids, textOf: (count: number) => string, { deed, back }: { deed: Send; back: Send }) => {
    const undo = (undoes: Changed) => () => run([...undoes.keys()], back, { undoes, onDone: reload });
    run(ids, deed, {
      onDone: (done, changed) => {
        reload();
        toast(toastOf(textOf, done, changed, undo));
      },
    });
  };
}
