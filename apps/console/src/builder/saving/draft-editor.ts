import type { Draft } from '@sheaf/client';
import { contentsOf, draftOf, hasSameContent, type Contents } from '../model/contents';
import type { Edit } from '../model/edits';
import { faultsFrom, faultsIn, noFaults, type Faults } from '../model/faults';
import { historyAfter, historyOf, rebased, type History, type HistoryAction } from '../model/history';
import { identified, merge, type Merge } from '../model/merge';

/** The things that the editor needs of its surroundings. */
export interface Surroundings {
  save: (draft: ReturnType<typeof draftOf> & { revision: number }) => Promise<Draft>;
  load: () => Promise<Draft>;
  now: () => number;
  /** @returns a function that takes the call back */
  after: (ms: number, call: () => void) => () => void;
  /** The meaning of an error for a save. */
  verdict: (error: unknown) => 'conflict' | 'refused' | 'signed_out' | 'passing' | 'final';
  /** The faults that a refusal lists. */
  detailsOf: (error: unknown) => readonly { key: string; message: string }[];
}

export type Phase = 'saved' | 'waiting' | 'saving' | 'failed' | 'refused' | 'conflict';

export interface EditorState {
  history: History;
  phase: Phase;
  revision: number;
  /** Why the last save failed. */
  error: unknown;
  faults: Faults;
  /** The items that both have changed, until the person has chosen. */
  conflict: Merge | undefined;
  /** The changes of somebody else since the page was opened, for the person to see once. */
  theirs: Merge['theirChanges'];
}

const quietMs = 800;
const firstRetryMs = 2_000;
const longestRetryMs = 30_000;
/** After this long, the event of an own save will not arrive any more. */
const ownEventMs = 5_000;

/**
 * The draft that a person works on: what they do is saved shortly after, one save at a time. Changes that somebody else has saved meanwhile
 * are merged in. Nothing here knows of the screen; it subscribes.
 */
export class DraftEditor {
  private state: EditorState;
  private saved: Contents;
  /** Sent, with an outcome that never arrived: the server may have it. */
  private inDoubt: Contents[] = [];
  private isSending = false;
  private isStale = false;
  private failures = 0;
  private ownSaves: number[] = [];
  private cancelTimer: (() => void) | undefined;
  private readonly listeners = new Set<() => void>();
  private settled: (() => void)[] = [];

  constructor(
    draft: Draft,
    private readonly around: Surroundings,
  ) {
    this.saved = contentsOf(draft);
    this.state = {
      history: historyOf(this.saved),
      phase: 'saved',
      revision: draft.revision,
      error: undefined,
      faults: noFaults,
      conflict: undefined,
      theirs: [],
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  readonly read = (): EditorState => this.state;

  get isUnsaved(): boolean {
    return this.state.phase !== 'saved';
  }

  readonly edit = (edit: Edit): void => this.act({ do: 'edit', edit, at: this.around.now() });
  readonly undo = (): void => this.act({ do: 'undo' });
  readonly redo = (): void => this.act({ do: 'redo' });

  private act(action: HistoryAction): void {
    const history = historyAfter(this.state.history, action);
    if (history.present === this.state.history.present) return;
    this.set({ history });
    this.noteChange();
  }

  /** Saves what is not saved, at once. Resolves when the outcome is known. */
  readonly flush = (): Promise<void> => {
    if (!this.isUnsaved || this.state.phase === 'conflict') return Promise.resolve();
    const outcome = new Promise<void>((resolve) => this.settled.push(resolve));
    this.send();
    return outcome;
  };

  /** The draft was saved: perhaps by this editor, perhaps by another. */
  readonly noteSavedSomewhere = (): void => {
    const since = this.around.now() - ownEventMs;
    this.ownSaves = this.ownSaves.filter((time) => time > since);
    if (this.ownSaves.shift() === undefined) this.noteGap();
  };

  /** Perhaps somebody has saved the draft, and no event told of it. */
  readonly noteGap = (): void => {
    this.isStale = true;
    if (!this.isSending && this.state.phase !== 'conflict') void this.compare();
  };

  /** Asks the server, and merges what somebody else has saved. @returns whether nobody has, since the revision that the person saw */
  readonly isLatest = async (seen: number): Promise<boolean> => {
    const draft = await this.around.load();
    if (draft.revision > this.state.revision) {
      this.receive(draft);
      this.goOn();
    }
    return draft.revision <= seen;
  };

  readonly choose = (chosen: Readonly<Record<string, 'mine' | 'theirs'>>): void => {
    const { conflict, history } = this.state;
    if (!conflict) return;
    this.set({ conflict: undefined, history: { ...history, present: conflict.resolved(chosen), last: undefined } });
    this.noteChange(0);
  };

  readonly dismissTheirs = (): void => this.set({ theirs: [] });

  private noteChange(delayMs = quietMs): void {
    const present = this.state.history.present;
    if (this.state.phase === 'conflict' && this.state.conflict) return;
    const faults = faultsIn(present);
    this.timer(undefined);
    if (!this.isSending && present === this.saved) return this.set({ phase: 'saved', faults: noFaults, error: undefined });
    // The server would refuse it, so it is not asked.
    if (faults.size > 0) return this.set({ phase: this.isSending ? 'saving' : 'refused', faults, error: undefined });
    this.set({ phase: this.isSending ? 'saving' : 'waiting', faults: noFaults, error: undefined });
    this.timer({ ms: delayMs, call: () => this.send() });
  }

  private send(): void {
    if (this.isSending || this.state.phase === 'conflict') return;
    const sent = this.state.history.present;
    if (hasOwnFaults(this.state.faults)) return this.settle();
    this.timer(undefined);
    if (this.inDoubt.length === 0 && hasSameContent(sent, this.saved)) {
      this.saved = sent;
      this.set({ phase: 'saved', error: undefined });
      return this.settle();
    }
    this.isSending = true;
    this.set({ phase: 'saving' });
    this.inDoubt.push(sent);
    this.around.save({ ...draftOf(sent), revision: this.state.revision }).then(
      ({ revision }) => {
        this.isSending = false;
        this.ownSaves.push(this.around.now());
        this.take(sent, revision);
        this.goOn();
      },
      (error: unknown) => {
        this.isSending = false;
        this.noteFailure(error, sent);
      },
    );
  }

  /** The server has these contents now. */
  private take(contents: Contents, revision: number): void {
    this.saved = contents;
    this.inDoubt = [];
    this.failures = 0;
    this.set({ revision });
  }

  private goOn(): void {
    this.noteChange();
    if (this.isStale) void this.compare();
    else this.sendOrSettle();
  }

  /** The outcome that callers wait for includes text typed during a save. */
  private sendOrSettle(): void {
    if (this.settled.length > 0 && this.state.phase === 'waiting') this.send();
    else this.settle();
  }

  private noteFailure(error: unknown, sent: Contents): void {
    const verdict = this.around.verdict(error);
    if (verdict === 'conflict') return void this.compare();
    if (verdict === 'refused') {
      this.inDoubt = this.inDoubt.filter((each) => each !== sent);
      this.set({ phase: 'refused', error, faults: faultsFrom(this.around.detailsOf(error), sent.entries) });
      // Something else was typed while this was on its way.
      if (this.state.history.present !== sent) this.noteChange();
      return this.sendOrSettle();
    }
    this.set({ phase: 'failed', error });
    if (verdict === 'passing') this.retryLater();
    this.settle();
  }

  private retryLater(): void {
    const ms = Math.min(longestRetryMs, firstRetryMs * 2 ** this.failures++);
    this.timer({ ms, call: () => this.send() });
  }

  /** Loads what the server has, and merges it if it is not what was saved from here. */
  private async compare(): Promise<void> {
    this.isStale = false;
    this.isSending = true;
    try {
      const draft = await this.around.load();
      this.isSending = false;
      if (draft.revision > this.state.revision) this.receive(draft);
      this.goOn();
    } catch (error) {
      this.isSending = false;
      // Without a change of one's own there is nothing to worry about: the next save finds out.
      if (hasSameContent(this.state.history.present, this.saved)) return this.settle();
      this.set({ phase: 'failed', error });
      if (this.around.verdict(error) === 'passing') this.retryLater();
      this.settle();
    }
  }

  private receive(draft: Draft): void {
    const { history } = this.state;
    const own = this.inDoubt.find((sent) => hasSameContent(sent, contentsOf(draft)));
    if (own) return this.take(own, draft.revision);

    const base = this.saved;
    const theirs = identified(draft, base, history.present);
    const merged = merge(base, history.present, theirs);
    const mergedHistory = rebased(history, (contents) =>
      contents === history.present ? merged.contents : merge(base, contents, theirs).contents,
    );
    this.take(theirs, draft.revision);
    this.set({
      history: mergedHistory,
      theirs: merged.theirChanges,
      ...(merged.conflicts.length > 0 ? { phase: 'conflict', conflict: merged } : {}),
    });
  }

  private timer(next: { ms: number; call: () => void } | undefined): void {
    this.cancelTimer?.();
    this.cancelTimer = next && this.around.after(next.ms, next.call);
  }

  private settle(): void {
    for (const resolve of this.settled.splice(0)) resolve();
  }

  private set(change: Partial<EditorState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

/** Whether something is wrong that was found here: the server need not be asked. */
const hasOwnFaults = (faults: Faults): boolean => [...faults.values()].some((each) => each.some(({ code }) => code !== undefined));

export const countOf = (faults: Faults): number => [...faults.values()].reduce((sum, each) => sum + each.length, 0);
