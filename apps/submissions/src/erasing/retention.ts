import { audited, erasureBegun, record } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { Database, Transaction } from '@sheaf/postgres';
import type { Deps } from '../deps';
import { beginErasing, eraseAnywhere } from './erase';
import { awaited } from './erase-submissions';
import { close, count } from './erasing.queries';
import { forEver, limitsAt, noted, type Days } from './grace';
import * as queries from './retention.queries';
import type { KeptForm } from './retention.queries';

type RetentionDeps = Pick<Deps, 'db' | 'outbox' | 'clock' | 'graceMs'>;

const formsAtOnce = 100;
const submittedFormsAtOnce = 500;
const submissionsAtOnce = 200;
const filesAtOnce = 500;
const notedAtOnce = 1_000;
const dayMs = 86_400_000;

/**
 * Erases what forms no longer keep: from the trash, submissions by their age, and files. In batches, each of which is an erasure of its own; a
 * process that dies leaves the rest to the next round. Several processes may do this at once.
 * @returns the number of erased submissions and files
 */
export async function eraseExpired(deps: RetentionDeps, stopping?: AbortSignal): Promise<number> {
  await noteDays(deps);
  let erased = 0;
  for await (const form of keptForms(deps.db)) {
    for (const eraseBatch of [eraseSubmissions, eraseFiles]) {
      let batch: number;
      do {
        batch = stopping?.aborted === true ? 0 : await eraseBatch(deps, form);
        erased += batch;
      } while (batch > 0);
    }
    if (stopping?.aborted === true) break;
  }
  return erased;
}

/** Notes days that an earlier release of this service has changed. Their grace counts from now. */
async function noteDays({ db, clock, graceMs }: RetentionDeps): Promise<void> {
  for (const keeper of ['form_keeping', 'instance_keeping'] as const) {
    for (const id of await queries.idsWithUnnoted(db, keeper, notedAtOnce)) {
      await db.transaction(async (trx) => {
        const row = await queries.lockDecided(trx, keeper, id);
        if (row) await queries.saveDecided(trx, keeper, id, noted(row, clock.now(), graceMs));
      });
    }
  }
}

/** The days in force for a form; none under legal hold. A hold, or other days, may have come since the forms were read. */
async function lockDays(trx: Transaction, { graceMs }: RetentionDeps, form: KeptForm, now: Date): Promise<Days> {
  const decided = await queries.lockDecisions(trx, form);
  if (!decided) return forEver;
  const decisions = { form: noted(decided.form, now, graceMs), instance: noted(decided.instance, now, graceMs) };
  const { trash_days, submissions_days, files_days } = limitsAt(now, graceMs, decisions);
  return { trash_days: trash_days.days, submissions_days: submissions_days.days, files_days: files_days.days };
}

/** The forms that keep something only for a time: those with settings of their own, then those for which their instance decides. */
async function* keptForms(db: Database): AsyncGenerator<KeptForm> {
  for await (const forms of pagesOf((after) => queries.formsWithSettings(db, after, formsAtOnce), formsAtOnce)) yield* forms;
  if (!(await queries.hasInstanceWithDays(db))) return;
  for await (const forms of pagesOf((after) => queries.formsWithSubmissions(db, after, submittedFormsAtOnce), submittedFormsAtOnce))
    yield* forms.filter((form) => form.is_kept);
}

/** Forms in the order of their ids, page by page. */
export async function* pagesOf<T extends { form_id: string }>(read: (after: string) => Promise<T[]>, size: number): AsyncGenerator<T[]> {
  for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after !== undefined;) {
    const page: T[] = await read(after);
    yield page;
    after = page.length < size ? undefined : page.at(-1)?.form_id;
  }
}

const daysBefore = (now: Date, days: number | null): Date | undefined =>
  days === null ? undefined : new Date(now.getTime() - days * dayMs);

function eraseSubmissions(deps: RetentionDeps, form: KeptForm): Promise<number> {
  const now = deps.clock.now();
  return deps.outbox.transaction(async (trx) => {
    const days = await lockDays(trx, deps, form, now);
    const trashedBefore = daysBefore(now, days.trash_days);
    const arrivedBefore = daysBefore(now, days.submissions_days);
    if (!trashedBefore && !arrivedBefore) return 0;
    const expired = await queries.lockExpired(trx, form.form_id, { trashedBefore, arrivedBefore, limit: submissionsAtOnce });
    if (expired.length === 0) return 0;
    const { id, asked, events } = begin(form, now, expired.length);
    const erasure = { id, instanceId: form.instance_id, formId: form.form_id, at: now, cause: asked.call };
    await record(trx, ...(await eraseAnywhere(trx, erasure, expired)), ...events);
    return expired.length;
  });
}

function eraseFiles(deps: RetentionDeps, form: KeptForm): Promise<number> {
  const now = deps.clock.now();
  return deps.outbox.transaction(async (trx) => {
    const before = daysBefore(now, (await lockDays(trx, deps, form, now)).files_days);
    if (!before || !(await queries.hasExpiredFile(trx, form.form_id, before))) return 0;
    const { id, events } = begin(form, now, 0);
    await beginErasing(trx, { id, instanceId: form.instance_id, formId: form.form_id, at: now }, []);
    const files = await queries.markExpiredFiles(trx, id, form.form_id, { before, limit: filesAtOnce });
    // Another process has them.
    if (files === 0) {
      await close(trx, id);
      return 0;
    }
    await count(trx, id, { submissions: 0, files });
    await record(trx, ...events);
    return files;
  });
}

/** A new erasure of a batch, and the events that record it. */
function begin({ form_id: formId, instance_id: instanceId, workspace_id }: KeptForm, now: Date, submissions: number) {
  const id = newId();
  // If only the instance decides, nothing has told the form's workspace, so the entries belong to the whole instance.
  const workspaceId = workspace_id ?? undefined;
  const asked = { caller: { kind: 'service', id: 'submissions', instanceId } as const, call: { requestId: id, trace: undefined } };
  const erasure = { id, kind: 'submissions', targetId: formId, formId, workspaceId, reason: 'retention' } as const;
  const details = { count: submissions, erasure: id };
  return {
    id,
    asked,
    events: [
      erasureBegun(asked, { ...erasure, awaited: submissions > 0 ? awaited : ['submissions'] }, now),
      audited(asked, { action: 'submissions.erased', target: { kind: 'form', id: formId }, workspaceId, formId, details }, now),
    ],
  };
}
