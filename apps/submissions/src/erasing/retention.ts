import { audited, erasureBegun, record } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import type { Deps } from '../deps';
import { beginErasing, eraseAnywhere } from './erase';
import { awaited } from './erase-submissions';
import { close, count, isHeld } from './erasing.queries';
import * as queries from './retention.queries';
import type { KeptForm } from './retention.queries';

type RetentionDeps = Pick<Deps, 'db' | 'outbox' | 'clock'>;

const formsAtOnce = 100;
const submissionsAtOnce = 200;
const filesAtOnce = 500;
const dayMs = 86_400_000;

/**
 * Erases what forms no longer keep: from the trash, submissions by their age, and files. In batches, each of which is an erasure of its own; a
 * process that dies leaves the rest to the next round. Several processes may do this at once.
 * @returns the number of erased submissions and files
 */
export async function eraseExpired(deps: RetentionDeps, stopping?: AbortSignal): Promise<number> {
  let erased = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const forms = await queries.formsWithRetention(deps.db, after, formsAtOnce);
    for (const form of forms) {
      for (const eraseBatch of [eraseSubmissions, eraseFiles]) {
        let batch: number;
        do {
          batch = stopping?.aborted === true ? 0 : await eraseBatch(deps, form);
          erased += batch;
        } while (batch > 0);
      }
      after = form.form_id;
    }
    if (forms.length < formsAtOnce || stopping?.aborted === true) return erased;
  }
}

const daysBefore = (now: Date, days: number | null): Date | undefined =>
  days === null ? undefined : new Date(now.getTime() - days * dayMs);

function eraseSubmissions({ outbox, clock }: RetentionDeps, form: KeptForm): Promise<number> {
  const now = clock.now();
  const trashedBefore = daysBefore(now, form.trash_days);
  const arrivedBefore = daysBefore(now, form.submissions_days);
  if (!trashedBefore && !arrivedBefore) return Promise.resolve(0);
  return outbox.transaction(async (trx) => {
    // The hold may have come since the forms were read.
    if (await isHeld(trx, form.form_id)) return 0;
    const expired = await queries.lockExpired(trx, form.form_id, { trashedBefore, arrivedBefore, limit: submissionsAtOnce });
    if (expired.length === 0) return 0;
    const { id, asked, events } = begin(form, now, expired.length);
    const erasure = { id, instanceId: form.instance_id, formId: form.form_id, at: now, cause: asked.call };
    await record(trx, ...(await eraseAnywhere(trx, erasure, expired)), ...events);
    return expired.length;
  });
}

async function eraseFiles({ db, outbox, clock }: RetentionDeps, form: KeptForm): Promise<number> {
  const now = clock.now();
  const before = daysBefore(now, form.files_days);
  if (!before || !(await queries.hasExpiredFile(db, form.form_id, before))) return 0;
  return outbox.transaction(async (trx) => {
    if (await isHeld(trx, form.form_id)) return 0;
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
function begin({ form_id: formId, instance_id: instanceId, workspace_id: workspaceId }: KeptForm, now: Date, submissions: number) {
  const id = newId();
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
