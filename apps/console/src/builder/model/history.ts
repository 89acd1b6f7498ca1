import type { Contents } from './contents';
import { edited, subjectOf, type Edit } from './edits';

/** The contents that were, are and may be again. */
export interface History {
  past: readonly Contents[];
  present: Contents;
  future: readonly Contents[];
  /** The subject of the last edit and its time, for the next one to join. */
  last: { subject: string; at: number } | undefined;
}

export type HistoryAction = { do: 'edit'; edit: Edit; at: number } | { do: 'undo' } | { do: 'redo' };

const maxSteps = 200;
/** After a pause of this length, the person has begun something new. */
const joinMs = 1_500;

export const historyOf = (present: Contents): History => ({ past: [], present, future: [], last: undefined });

export function historyAfter(history: History, action: HistoryAction): History {
  const { past, present, future } = history;
  if (action.do === 'undo') {
    const previous = past.at(-1);
    return previous ? { past: past.slice(0, -1), present: previous, future: [present, ...future], last: undefined } : history;
  }
  if (action.do === 'redo') {
    const [next, ...rest] = future;
    return next ? { past: [...past, present], present: next, future: rest, last: undefined } : history;
  }
  const next = edited(present, action.edit);
  const subject = subjectOf(action.edit);
  const endsTyping = action.edit.do === 'options' && action.edit.endsTyping === true;
  const joins = subject !== undefined && history.last?.subject === subject && (endsTyping || action.at - history.last.at < joinMs);
  return {
    past: joins ? past : [...past, present].slice(-maxSteps),
    present: next,
    future: [],
    last: subject === undefined ? undefined : { subject, at: action.at },
  };
}

/** The same history with a change in each of its steps, such as what somebody else has done meanwhile: *Undo* must not take that back. */
export const rebased = (history: History, change: (contents: Contents) => Contents): History => ({
  past: history.past.map(change),
  present: change(history.present),
  future: history.future.map(change),
  last: undefined,
});
