import { maxRetentionDays, retentionKinds, type RetentionKind } from '@sheaf/contracts';

/** Days after which each is erased; null for never. */
export interface Days {
  trash_days: number | null;
  submissions_days: number | null;
  files_days: number | null;
}

/** The decision at a moment (ISO 8601) for all kinds of days, which stands until the next decision. */
export interface Decision extends Days {
  since: string;
}

/** The days that stand now, and the decisions that led to them, the latest last. */
export interface Decided extends Days {
  decided: Decision[];
}

/** The decisions about a form: its own, and those of its instance, which apply where it has none. */
export interface Decisions {
  form: readonly Decision[];
  instance: readonly Decision[];
}

/** The days in force; null for never. `next`: shorter days that were decided, when they take effect, and the form's own days that undo them. */
export interface Limit {
  days: number | null;
  next?: { days: number; at: Date; undo: number | null };
}

export type Limits = Record<RetentionKind, Limit>;

export const forEver: Days = { trash_days: null, submissions_days: null, files_days: null };
export const undecided: Decided = { ...forEver, decided: [] };

/**
 * The decisions with the days that stand now at their end. Those days are noted as decided now if nobody has noted them: an earlier release of
 * this service changes them and notes nothing. A decision before days that stood for the whole grace has no effect any more, and is left
 * out.
 */
export function noted({ decided, ...days }: Decided, now: Date, graceMs: number): Decision[] {
  const last = decided.at(-1);
  if (retentionKinds.every((kind) => days[kind] === (last?.[kind] ?? null))) return decided;
  const { trash_days, submissions_days, files_days } = days;
  // The clock of another process may be behind.
  const since = new Date(Math.max(now.getTime(), momentOf(last))).toISOString();
  const all = [...decided, { since, trash_days, submissions_days, files_days }];
  const settled = all.findLastIndex((decision, index) => momentOf(all[index + 1]) - momentOf(decision) >= graceMs);
  return all.slice(Math.max(settled, 0));
}

/**
 * The days in force: those that were decided last if they have stood for the whole grace, else the longest of all that were decided since
 * the last ones that did. So longer days count at once, and nothing is erased by shorter ones before their own time, whatever came in
 * between.
 */
export const limitsAt = (now: Date, graceMs: number, decisions: Decisions): Limits =>
  Object.fromEntries(retentionKinds.map((kind) => [kind, limitOf(kind, now.getTime(), graceMs, decisions)])) as Limits;

function limitOf(kind: RetentionKind, now: number, graceMs: number, decisions: Decisions): Limit {
  // Before the first decision, everything was kept for ever.
  let stands: Step = { at: -Infinity, own: null, days: Infinity };
  let inForce = stands;
  for (const step of stepsOf(kind, decisions)) {
    if (step.days !== stands.days && step.at - stands.at >= graceMs) inForce = stands;
    stands = step.days === stands.days ? { ...step, at: stands.at } : step;
    if (stands.days >= inForce.days) inForce = stands;
  }
  if (now - stands.at >= graceMs) inForce = stands;
  if (inForce.days === stands.days) return { days: finite(inForce.days) };
  // The form's days of then may mean less by now, as its instance has decided something else.
  const again = inForce.own ?? decisions.instance.at(-1)?.[kind] ?? Infinity;
  const undo = again >= inForce.days ? inForce.own : (finite(inForce.days) ?? maxRetentionDays);
  return { days: finite(inForce.days), next: { days: stands.days, at: new Date(stands.at + graceMs), undo } };
}

/** The form's own days, and those that apply to it, after a decision. */
interface Step {
  at: number;
  own: number | null;
  days: number;
}

function stepsOf(kind: RetentionKind, { form, instance }: Decisions): Step[] {
  const moments = [...new Set([...form, ...instance].map(momentOf))].sort((a, b) => a - b);
  return moments.map((at) => {
    const stood = (decisions: readonly Decision[]) => decisions.findLast((decision) => momentOf(decision) <= at)?.[kind] ?? null;
    const own = stood(form);
    return { at, own, days: own ?? stood(instance) ?? Infinity };
  });
}

const momentOf = (decision: Decision | undefined): number => (decision ? Date.parse(decision.since) : -Infinity);

const finite = (days: number): number | null => (days === Infinity ? null : days);
