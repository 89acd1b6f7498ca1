import type { SubmissionDetail, SubmissionStatus } from '@sheaf/client';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { problemSentence } from '../api/problem-sentence';
import { toast } from '../parts/toasts';
import { useLanguage, useWords } from '../words/use-words';
import { assign, groupedBy, restore, setSpam, setStatus, trash, type OnProgress } from './deeds';
import { patchRows, submissionsKey } from './list-data';
import { noteOwnChanges } from './live';
import { words } from './words';

type Rows = readonly SubmissionDetail[];

export interface Deeds {
  setStatus: (rows: Rows, status: SubmissionStatus) => void;
  assign: (rows: Rows, userId: string | null) => void;
  trash: (rows: Rows) => void;
  spam: (rows: Rows) => void;
  /** What is under way with more submissions than one request takes. */
  progress: { done: number; total: number } | undefined;
  cancel: () => void;
}

interface Gone {
  hide: (ids: readonly string[]) => void;
  unhide: (ids: readonly string[]) => void;
}

type Send = (onProgress: OnProgress, signal?: AbortSignal) => Promise<unknown>;

/** Changes submissions. What changes shows at once, and again as it was if the change fails; each change offers *Undo*. */
export function useDeeds(form: string, { hide, unhide }: Gone): Deeds {
  const say = useWords(words);
  const queryClient = useQueryClient();
  const { run, progress, cancel } = useRun(form);
  const show = (rows: Rows, change: (row: SubmissionDetail) => Partial<SubmissionDetail>) =>
    patchRows(queryClient, form, new Map(rows.map((row) => [row.id, change(row)])));
  const work = (rows: Rows) => ({ form, ids: rows.map(({ id }) => id) });

  /** Submissions leave the list, and come back. */
  const remove = (rows: Rows, text: string, away: (onProgress: OnProgress, signal?: AbortSignal) => Promise<void>, back: Send) => {
    const ids = rows.map(({ id }) => id);
    hide(ids);
    const onUndo = () => {
      unhide(ids);
      run(ids, back, { onFailed: () => hide(ids) });
    };
    run(ids, away, { onDone: () => toast({ text, onUndo }), onFailed: () => unhide(ids) });
  };

  return {
    progress,
    cancel,
    setStatus: (rows, status) => {
      const before = (row: SubmissionDetail) => ({ status: row.status });
      show(rows, () => ({ status }));
      const undo: Send = async (onProgress) => {
        for (const [earlier, ids] of groupedBy(rows, (row) => row.status as SubmissionStatus))
          await setStatus({ form, ids, onProgress }, earlier);
      };
      const onUndo = () => {
        show(rows, before);
        run(work(rows).ids, undo, { onFailed: () => show(rows, () => ({ status })) });
      };
      run(work(rows).ids, (onProgress, signal) => setStatus({ ...work(rows), onProgress, signal }, status), {
        onDone: () => toast({ text: say.statusSet(rows.length, say[`status_${status}`]), onUndo }),
        onFailed: () => show(rows, before),
      });
    },
    assign: (rows, userId) => {
      const change = (assignee: string | undefined) => ({ assignee }) as Partial<SubmissionDetail>;
      const before = (row: SubmissionDetail) => change(row.assignee);
      show(rows, () => change(userId ?? undefined));
      const undo: Send = async (onProgress) => {
        for (const [earlier, ids] of groupedBy(rows, ({ assignee }) => assignee ?? null)) await assign({ form, ids, onProgress }, earlier);
      };
      const onUndo = () => {
        show(rows, before);
        run(work(rows).ids, undo, { onFailed: () => show(rows, () => change(userId ?? undefined)) });
      };
      run(work(rows).ids, (onProgress, signal) => assign({ ...work(rows), onProgress, signal }, userId), {
        onDone: () => toast({ text: say.assigned(rows.length), onUndo }),
        onFailed: () => show(rows, before),
      });
    },
    trash: (rows) =>
      remove(
        rows,
        say.trashed(rows.length),
        (onProgress, signal) => trash({ ...work(rows), onProgress, signal }),
        (onProgress) => restore({ ...work(rows), onProgress }),
      ),
    spam: (rows) =>
      remove(
        rows,
        say.markedAsSpam(rows.length),
        (onProgress, signal) => setSpam({ ...work(rows), onProgress, signal }, true),
        (onProgress) => setSpam({ ...work(rows), onProgress }, false),
      ),
  };
}

interface Ends {
  onDone?: () => void;
  onFailed?: () => void;
}

/** Sends changes, and tells how far they are. A failure is told, and what the page shows is taken back. */
export function useRun(form: string) {
  const language = useLanguage();
  const queryClient = useQueryClient();
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const ending = useRef<AbortController>(undefined);
  const run = (ids: readonly string[], send: Send, { onDone, onFailed }: Ends = {}) => {
    const controller = new AbortController();
    ending.current = controller;
    noteOwnChanges(ids);
    if (ids.length > 1) setProgress({ done: 0, total: ids.length });
    send((done) => ids.length > 1 && setProgress({ done, total: ids.length }), controller.signal)
      .then(onDone, (error: unknown) => {
        onFailed?.();
        if (!controller.signal.aborted) toast({ text: problemSentence(error, language).title });
        // Some of them may have changed before it failed.
        if (ids.length > 1) void queryClient.invalidateQueries({ queryKey: submissionsKey(form) });
      })
      .finally(() => {
        setProgress(undefined);
        for (const id of ids.slice(0, 20)) void queryClient.invalidateQueries({ queryKey: [...submissionsKey(form), 'detail', id] });
      });
  };
  return { run, progress, cancel: () => ending.current?.abort() };
}
