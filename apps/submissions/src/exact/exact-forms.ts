import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Asked } from '@sheaf/rpc';
import { LRUCache } from 'lru-cache';
import type { FormsView, PublishedForm } from '../form/forms-view';
import * as queries from './exact.queries';

/** Submissions that one transaction counts. Respondents of the form wait for it. */
const countedAtOnce = 2_000;
/** Two publications at the same moment are rare, five are none. */
const tries = 5;
/** A step waits for whoever is changing submissions of the form, and that may be an import. */
const stepMs = 30_000;
/** A page without its full options is better than a late one. */
const pageMs = 1_000;
/** The share of a caller's remaining time in which all must be counted. The rest is for storing the submission. */
const waitingShare = 0.8;

type Form = Pick<PublishedForm, 'id' | 'version' | 'versionId' | 'exact'>;

/** Work for one version of a form, which all who need it in this process wait for. */
interface Round {
  since: number;
  /** Whether other rules hold now than before. */
  over: Promise<boolean>;
}

/**
 * Makes the rules of a form's latest version hold, and counts the submissions that were there before: by whoever needs them first, in steps that each
 * are a transaction, so a process that dies leaves whole steps and the next one goes on. However many wait, a form has one connection of a process for it.
 */
export class ExactForms {
  /** The version by which a form was asked for, once its rules, or later ones, were known to hold. */
  private readonly known = new LRUCache<string, string>({ max: 10_000 });
  private readonly rounds = new Map<string, Round>();

  constructor(private readonly deps: { db: Database; forms: Pick<FormsView, 'versionNow'> }) {}

  /**
   * Resolves once the rules of the version hold, or those of a later one. A version without rules is not looked at: a respondent tries again after a refusal.
   * @throws Problem `unavailable` if the caller's time is nearly over before all submissions are counted
   */
  async ready(form: Form, asked: Asked): Promise<void> {
    if (form.exact) await this.current(form, asked);
  }

  /** The same for those who do not try again, and must not be refused by rules that a version without any has ended. */
  async current(form: Form, asked: Asked): Promise<void> {
    if (!this.isKnown(form)) await this.renew(form, asked);
  }

  /** The same for a page, which waits a moment only. @returns whether they hold */
  async soonReady(form: Form, { caller, call }: Asked): Promise<boolean> {
    if (this.isKnown(form)) return true;
    const { since, over } = this.roundOf(form, { caller, call });
    return within(
      over.then(() => true),
      Math.min(call.deadline, since + pageMs),
    ).catch((error: unknown) => {
      if (Problem.from(error).code !== 'unavailable') throw error;
      return false;
    });
  }

  /** Looks again, even if they were known to hold. @returns whether other rules hold now than before */
  renew(form: Form, asked: Asked): Promise<boolean> {
    const now = Date.now();
    return within(this.roundOf(form, asked).over, now + (asked.call.deadline - now) * waitingShare);
  }

  private isKnown(form: Form): boolean {
    return this.known.get(form.id) === nameOf(form);
  }

  private roundOf(form: Form, { caller, call }: Asked): Round {
    const name = `${form.id} ${nameOf(form)}`;
    const running = this.rounds.get(name);
    if (running) return running;
    const since = Date.now();
    // The first caller may give up before the others.
    const own = { caller, call: { ...call, deadline: since + stepMs, signal: undefined } };
    const over = this.makeHold(form, own).finally(() => this.rounds.delete(name));
    // All who wait may have given up by the time it fails.
    over.catch(() => undefined);
    const round = { since, over };
    this.rounds.set(name, round);
    return round;
  }

  private async makeHold(form: Form, asked: Asked): Promise<boolean> {
    const { db, forms } = this.deps;
    for (let attempt = 0; attempt < tries; attempt++) {
      const held = await queries.held(db, form.id);
      const isHeld = held ? isSame(held, form) : !form.exact;
      if (isHeld && (held?.is_counted ?? true)) return this.note(form, attempt > 0);
      // The version that is known here may be an earlier one.
      const latest = isHeld ? form : await forms.versionNow(form.id, asked);
      if (held && isSame(held, latest)) {
        await this.count(form.id);
        return this.note(form, attempt > 0);
      }
      const wanted = { formId: form.id, version: latest.version, versionId: latest.versionId ?? null, rules: latest.exact };
      const isOurs = await db.transaction((trx) => queries.hold(trx, wanted, held, aStep()));
      if (!isOurs) continue;
      await this.count(form.id);
      return this.note(form, true);
    }
    throw Problem.unavailable('the rules of a form changed again and again');
  }

  private note(form: Form, isNew: boolean): boolean {
    this.known.set(form.id, nameOf(form));
    return isNew;
  }

  private async count(formId: string): Promise<void> {
    while (!(await queries.countBefore(this.deps.db, formId, countedAtOnce, aStep())));
  }
}

const aStep = () => ({ until: Date.now() + stepMs });

const nameOf = ({ version, versionId = '' }: Pick<Form, 'version' | 'versionId'>): string => `${version}:${versionId}`;

const isSame = (held: queries.Held, { version, versionId }: Pick<Form, 'version' | 'versionId'>): boolean =>
  held.version === version && (held.version_id ?? undefined) === versionId;

async function within<T>(work: Promise<T>, until: number): Promise<T> {
  const over = new AbortController();
  const late = sleep(Math.max(0, until - Date.now()), undefined, { signal: over.signal }).then(() =>
    Promise.reject(Problem.unavailable('submissions that were there before a rule are being counted')),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}
