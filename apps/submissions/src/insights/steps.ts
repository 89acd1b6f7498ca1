import type { Clock } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { PublishedForm } from '../form/forms-view';
import { addSteps, type QuarterSteps, type StepCounts } from './steps.queries';

const quarterMs = 900_000;
/** Forms that are remembered between two times of storing. Steps of further ones are not counted. */
const maxForms = 2_000;

/** Steps of forms with more pages are not counted: a row has a count of each. */
const maxPages = 100;

/** A respondent got to a step, from the furthest one before it; neither is there for one who opens the form or sends it. */
export interface Progress {
  reached?: number | undefined;
  from?: number | undefined;
}

/** The steps of a form as they are counted: its pages, and the check of the answers. A form with a single page has none, as has one with too many. */
export const countedSteps = ({
  outline: { labels },
}: Pick<PublishedForm, 'outline'>): { kind: 'page' | 'check'; label?: string | undefined }[] =>
  labels.length < 2 || labels.length > maxPages
    ? []
    : [...labels.map((label) => ({ kind: 'page' as const, label })), { kind: 'check' as const }];

/**
 * Counts how far respondents get in forms with several pages, in memory. As for visits, `store` adds the counts to the database, and a process
 * that dies loses those of its last second.
 */
export class Steps {
  private counts = new Map<string, QuarterSteps>();

  constructor(private readonly deps: { db: Database; clock: Clock }) {}

  /** Steps that the form does not have are not counted. */
  note(form: Pick<PublishedForm, 'id' | 'outline'>, { reached, from }: Progress): void {
    const steps = countedSteps(form).map((_, at): StepCounts => ({ reached: at === reached ? 1 : 0, wentOn: at === from ? 1 : 0 }));
    if (steps.every((step) => step.reached === 0 && step.wentOn === 0)) return;
    const quarter = Math.floor(this.deps.clock.now().getTime() / quarterMs);
    this.add({ formId: form.id, outline: form.outline.name, quarter, steps });
  }

  /** Stores what was counted since the last time. If that fails, the next time has it. */
  async store(): Promise<void> {
    const counts = [...this.counts.values()];
    if (counts.length === 0) return;
    this.counts = new Map();
    try {
      await addSteps(this.deps.db, counts);
    } catch (error) {
      for (const count of counts) this.add(count);
      throw error;
    }
  }

  private add(more: QuarterSteps): void {
    const name = `${more.formId}:${more.outline}:${more.quarter}`;
    const before = this.counts.get(name);
    if (!before && this.counts.size >= maxForms) return;
    const steps = more.steps.map(({ reached, wentOn }, at) => ({
      reached: reached + (before?.steps[at]?.reached ?? 0),
      wentOn: wentOn + (before?.steps[at]?.wentOn ?? 0),
    }));
    this.counts.set(name, { ...more, steps });
  }
}
