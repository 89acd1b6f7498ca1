import { retentionKinds, type RetentionKind } from '@sheaf/contracts';
import { authorize, type Client } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { limitsAt, noted, type Days, type Decisions, type Limits } from './grace';
import { decidedOf } from './instance-retention.queries';
import { pagesOf } from './retention';
import { decidedOfForm, formsWithSettings, formsWithSubmissions, type KeptForm } from './retention.queries';
import { countOfTime, leavingToInstance } from './schedule.queries';

/** Shorter days that were decided and are not in force yet. */
export interface Upcoming {
  kind: RetentionKind;
  days: number;
  at: Date;
  /** The days that undo them; null for none of the form's own. */
  undo: number | null;
  /** How many submissions, or files, they will erase that the days in force keep, and whether there are more; undefined if nobody counted. */
  erases?: number;
  erasesMore?: boolean;
}

/** The days after which things are erased now, and those that will be shorter. */
export interface Schedule {
  inForce: Days;
  upcoming: Upcoming[];
}

type ScheduleDeps = Pick<Deps, 'db' | 'clock' | 'graceMs'>;
type Counted = Pick<Upcoming, 'erases' | 'erasesMore'>;
type Count = (kind: RetentionKind, from: Date, until: Date) => Promise<Counted>;

type Found = KeptForm & { is_kept?: boolean };

const dayMs = 86_400_000;
/** Counting ends here, so that it costs little, however much there is. */
const countedAtMost = 10_000;
const formsAtOnce = 500;
const pagesAtMost = 10;

/** @param days what `forms` says about the form; this service may not have heard of it yet. @throws Problem `not_found`, `forbidden` */
export async function getFormRetention(
  deps: ScheduleDeps & Pick<Deps, 'forms'>,
  asked: Asked<Client>,
  { formId, days }: { formId: string; days: Days },
): Promise<Schedule> {
  authorize(await deps.forms.roleOn(formId, asked), 'read this form');
  return formSchedule(deps, { formId, instanceId: asked.caller.instanceId, days });
}

/** The same for callers that need no role. */
export async function formSchedule(
  { db, clock, graceMs }: ScheduleDeps,
  { formId, instanceId, days }: { formId: string; instanceId: string; days: Days },
): Promise<Schedule> {
  const now = clock.now();
  const [own, instance] = [await decidedOfForm(db, formId), await decidedOf(db, instanceId)];
  const decisions = { form: noted({ ...own, ...days }, now, graceMs), instance: noted(instance, now, graceMs) };
  return scheduleOf(limitsAt(now, graceMs, decisions), async (kind, from, until) => {
    const count = await countOfTime(db, kind, { formIds: [formId], from, until, limit: countedAtMost + 1 });
    return { erases: Math.min(count, countedAtMost), erasesMore: count > countedAtMost };
  });
}

/** The schedule of an instance, for its forms that decide nothing themselves. */
export async function instanceSchedule(
  { db, clock, graceMs }: ScheduleDeps,
  instanceId: string,
  { isCounted }: { isCounted: boolean },
): Promise<Schedule> {
  const now = clock.now();
  const decisions: Decisions = { form: noted(await decidedOf(db, instanceId), now, graceMs), instance: [] };
  return scheduleOf(limitsAt(now, graceMs, decisions), async (kind, from, until) =>
    isCounted ? countInInstance(db, instanceId, kind, { from, until }) : {},
  );
}

async function scheduleOf(limits: Limits, count: Count): Promise<Schedule> {
  const upcoming: Upcoming[] = [];
  for (const kind of retentionKinds) {
    const { days, next } = limits[kind];
    if (!next) continue;
    const before = (ofDays: number) => new Date(next.at.getTime() - ofDays * dayMs);
    upcoming.push({ kind, ...next, ...(await count(kind, days === null ? new Date(0) : before(days), before(next.days))) });
  }
  const { trash_days, submissions_days, files_days } = limits;
  return { inForce: { trash_days: trash_days.days, submissions_days: submissions_days.days, files_days: files_days.days }, upcoming };
}

async function countInInstance(db: Database, instanceId: string, kind: RetentionKind, time: { from: Date; until: Date }): Promise<Counted> {
  let [erases, pages] = [0, 0];
  for (const formsOf of [formsWithSettings, formsWithSubmissions]) {
    for await (const page of pagesOf<Found>((after) => formsOf(db, after, formsAtOnce), formsAtOnce)) {
      if (erases > countedAtMost || pages >= pagesAtMost) return { erases: Math.min(erases, countedAtMost), erasesMore: true };
      pages += 1;
      const formIds = page.filter((form) => form.instance_id === instanceId && form.is_kept !== false).map(({ form_id }) => form_id);
      const counted = await leavingToInstance(db, kind, formIds);
      erases += await countOfTime(db, kind, { formIds: counted, ...time, limit: countedAtMost + 1 - erases });
    }
  }
  return { erases: Math.min(erases, countedAtMost), erasesMore: erases > countedAtMost };
}
