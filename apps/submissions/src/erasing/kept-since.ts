import type { Deps } from '../deps';
import { decidedOf } from './instance-retention.queries';
import { limitsAt, noted } from './grace';
import { decidedOfForm } from './retention.queries';

const dayMs = 86_400_000;

/** The moment before which submissions of a form are erased by their age; undefined if it keeps all. */
export async function submissionsKeptSince(
  { db, clock, graceMs }: Pick<Deps, 'db' | 'clock' | 'graceMs'>,
  { formId, instanceId }: { formId: string; instanceId: string },
): Promise<Date | undefined> {
  const now = clock.now();
  const [form, instance] = [await decidedOfForm(db, formId), await decidedOf(db, instanceId)];
  const { submissions_days: kept } = limitsAt(now, graceMs, { form: noted(form, now, graceMs), instance: noted(instance, now, graceMs) });
  // Shorter days that were decided come into force soon.
  const days = kept.next?.days ?? kept.days;
  return days === null || days === Infinity ? undefined : new Date(now.getTime() - days * dayMs);
}
