import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { addVisits, type QuarterVisits, type VisitCounts } from './visits.queries';

const quarterMs = 900_000;
/** Forms that are remembered between two times of storing. Visits beyond them are not counted. */
const maxForms = 10_000;

/**
 * Counts how often forms are opened, begun and completed, in memory. `store` adds the counts to the database, which costs a request nothing; a
 * process that dies loses those of its last second.
 */
export class Visits {
  private counts = new Map<string, QuarterVisits>();

  constructor(private readonly deps: { db: Database; clock: Clock }) {}

  note(formId: string, kind: keyof VisitCounts): void {
    const quarter = Math.floor(this.deps.clock.now().getTime() / quarterMs);
    this.add({ form_id: formId, quarter, views: 0, starts: 0, completions: 0, [kind]: 1 });
  }

  /** Stores what was counted since the last time. If that fails, the next time has it. */
  async store(): Promise<void> {
    const counts = [...this.counts.values()];
    if (counts.length === 0) return;
    this.counts = new Map();
    try {
      await addVisits(this.deps.db, counts);
    } catch (error) {
      for (const count of counts) this.add(count);
      throw error;
    }
  }

  private add(more: QuarterVisits): void {
    const name = `${more.form_id}:${more.quarter}`;
    const before = this.counts.get(name);
    if (!before && this.counts.size >= maxForms) return;
    this.counts.set(name, {
      ...more,
      views: more.views + (before?.views ?? 0),
      starts: more.starts + (before?.starts ?? 0),
      completions: more.completions + (before?.completions ?? 0),
    });
  }
}
