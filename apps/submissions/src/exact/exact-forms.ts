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

type Form = Pick<PublishedForm, 'id' | 'version' | 'versionId' | 'exact'>;

/**
 * Makes the rules of a form's latest version hold, and counts the submissions that were there before: by whoever needs them first, in steps that each
 * are a transaction, so a process that dies leaves whole steps and the next one goes on.
 */
export class ExactForms {
  /** The version by which a form was asked for, once its rules, or later ones, were known to hold. */
  private readonly known = new LRUCache<string, string>({ max: 10_000 });

  constructor(private readonly deps: { db: Database; forms: Pick<FormsView, 'versionNow'> }) {}

  /**
   * Resolves once the rules of the version hold, or those of a later one.
   * @throws Problem `unavailable` if the caller's time is over before all submissions are counted
   */
  async ready(form: Form, asked: Asked): Promise<void> {
    if (form.exact && this.known.get(form.id) !== nameOf(form)) await this.renew(form, asked);
  }

  /** The same for a form whose version may have no rules, while those of an earlier one hold. @returns whether other rules hold now than before */
  async renew(form: Form, asked: Asked): Promise<boolean> {
    const { db, forms } = this.deps;
    for (let attempt = 0; attempt < tries; attempt++) {
      const held = await queries.held(db, form.id);
      const isHeld = held ? isSame(held, form) : !form.exact;
      if (isHeld && (held?.is_counted ?? true)) return this.note(form, attempt > 0);
      // The version that is known here may be an earlier one.
      const latest = isHeld ? form : await forms.versionNow(form.id, asked);
      if (held && isSame(held, latest)) {
        await this.count(form.id, asked.call.deadline);
        return this.note(form, attempt > 0);
      }
      const wanted = { formId: form.id, version: latest.version, versionId: latest.versionId ?? null, rules: latest.exact };
      const isOurs = await db.transaction((trx) => queries.hold(trx, wanted, held));
      if (!isOurs) continue;
      await this.count(form.id, asked.call.deadline);
      return this.note(form, true);
    }
    throw Problem.unavailable('the rules of a form changed again and again');
  }

  private note(form: Form, isNew: boolean): boolean {
    this.known.set(form.id, nameOf(form));
    return isNew;
  }

  private async count(formId: string, deadline: number): Promise<void> {
    while (!(await queries.countBefore(this.deps.db, formId, countedAtOnce)))
      if (Date.now() >= deadline) throw Problem.unavailable('submissions that were there before a rule are being counted');
  }
}

const nameOf = ({ version, versionId = '' }: Pick<Form, 'version' | 'versionId'>): string => `${version}:${versionId}`;

const isSame = (held: queries.Held, { version, versionId }: Pick<Form, 'version' | 'versionId'>): boolean =>
  held.version === version && (held.version_id ?? undefined) === versionId;
