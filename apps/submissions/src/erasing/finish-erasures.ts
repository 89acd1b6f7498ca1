import { erasureConfirmed, record } from '@sheaf/events';
import type { Deps } from '../deps';
import { withdrawExports } from '../export/run-exports';
import { discard } from '../files/remove-files';
import { forgetForm } from '../search/forget.queries';
import { lockIndex } from '../search/index.queries';
import { lockMany } from '../submission/submissions.queries';
import { erase } from './erase';
import * as queries from './erasing.queries';
import type { OpenErasure } from './erasing.queries';

type FinishDeps = Pick<Deps, 'db' | 'outbox' | 'clock' | 'files'>;

const erasuresAtOnce = 50;
const submissionsAtOnce = 200;
const rowsAtOnce = 2_000;
const filesAtOnce = 100;

/**
 * Goes on with erasures that are not complete: deletes what is left of whole forms, and the bytes of files. Each
 * step is a transaction of its own, so a process that dies loses nothing, and the next round of any process goes on. Several may run at once.
 * @returns the number of erasures that are complete now
 */
export async function finishErasures(deps: FinishDeps, { watchMs }: { watchMs: number }, stopping?: AbortSignal): Promise<number> {
  let complete = 0;
  const isStopping = () => stopping?.aborted === true;
  for (const erasure of await queries.openErasures(deps.db, erasuresAtOnce)) {
    if (isStopping()) break;
    try {
      if (await finish(deps, erasure, watchMs, stopping)) complete++;
    } catch (error) {
      if (isStopping()) break;
      // Storage may be down for the files of one; others may have none.
      deps.files.log.warn({ err: error, erasure: erasure.id }, 'erasing failed, will retry later');
    }
  }
  return complete;
}

async function finish(deps: FinishDeps, erasure: OpenErasure, watchMs: number, stopping?: AbortSignal): Promise<boolean> {
  const { db, clock } = deps;
  const untilNothingIsLeft = async (step: () => Promise<boolean>) => {
    while (await step()) stopping?.throwIfAborted();
  };
  if (erasure.whole_form) {
    await untilNothingIsLeft(() => deleteSome(deps, erasure));
    await untilNothingIsLeft(() => db.transaction(async (trx) => (await lockIndex(trx), forgetForm(trx, erasure.form_id, rowsAtOnce))));
    await untilNothingIsLeft(() => db.transaction((trx) => queries.deleteRest(trx, erasure.form_id, rowsAtOnce)));
  }
  await untilNothingIsLeft(() => removeFiles(deps, erasure));
  if (!(await withdrawExports(deps, erasure.form_id, erasure.whole_form))) return false;

  return deps.outbox.transaction(async (trx) => {
    const now = clock.now();
    const open = await queries.lock(trx, erasure.id);
    if (!open) return false;
    const isWatched = open.whole_form && now.getTime() - open.begun_at.getTime() < watchMs;
    if (isWatched) await queries.confirm(trx, open.id, now);
    else await queries.close(trx, open.id);
    if (open.confirmed_at !== null) return false;
    const counts = { submissions: open.submissions, files: open.files };
    const of = { id: open.id, instanceId: open.instance_id, formId: open.form_id };
    await record(trx, erasureConfirmed(of, { service: 'submissions', counts }, now));
    return true;
  });
}

/** Deletes some submissions and unclaimed files of a whole form. @returns whether there may be more */
const deleteSome = ({ outbox, clock }: FinishDeps, { id, form_id: formId, instance_id: instanceId }: OpenErasure): Promise<boolean> =>
  outbox.transaction(async (trx) => {
    const ids = await queries.someIds(trx, formId, submissionsAtOnce);
    const rows = await lockMany(trx, formId, ids, { includeTrash: true });
    // The others are told of the form, once.
    if (rows.length > 0) await erase(trx, { erasureId: id, instanceId, at: clock.now() }, rows);
    const unclaimed = await queries.markUnclaimed(trx, id, formId, rowsAtOnce);
    await queries.count(trx, id, { submissions: 0, files: unclaimed });
    // Another process may have deleted these meanwhile, which says nothing of the rest.
    return ids.length > 0 || unclaimed > 0;
  });

async function removeFiles(deps: FinishDeps, { id }: OpenErasure): Promise<boolean> {
  const files = await queries.remainingFiles(deps.db, id, filesAtOnce);
  for (const file of files) await discard(deps, file);
  return files.length > 0;
}
