import { daysOption } from '@sheaf/contracts';
import { commandOutbox } from '@sheaf/events';
import { isId, newId, operatorIn, Problem, systemClock } from '@sheaf/kernel';
import { databaseCommand, type Database } from '@sheaf/postgres';
import type { Command } from '@sheaf/runtime';
import { z } from 'zod';
import { changeDays } from './erasing/instance-retention';
import { daysOf } from './erasing/instance-retention.queries';
import { eraseAsOperator } from './erasing/erase-as-operator';
import { countedForms, recount } from './insights/recount';

const formsAtOnce = 500;

const RetentionOptions = z.object({
  instance: z.string().refine(isId, 'must be the id of an instance'),
  'trash-days': daysOption(),
  'submissions-days': daysOption(),
  'files-days': daysOption(),
});

/** Commands for operators. The audit log records changes as done by `operator`. */
export const operatorCommands: Record<string, Command> = {
  'erase-submission': databaseCommand(z.object({ id: z.string() }), async (db, { id }) => ({
    erasure_id: await eraseAsOperator(db, systemClock, { id }),
  })),

  'show-retention': databaseCommand(z.object({ instance: RetentionOptions.shape.instance }), async (db, { instance }) => ({
    instance,
    ...(await daysOf(db, instance)),
  })),

  /** Days that are not named stay as they are. */
  'set-retention': databaseCommand(RetentionOptions, async (db, { instance, ...given }) => ({
    instance,
    ...(await commandOutbox(db).transaction((trx) => {
      const patch = { trash_days: given['trash-days'], submissions_days: given['submissions-days'], files_days: given['files-days'] };
      const asked = { caller: operatorIn(instance), call: { requestId: newId() } };
      return changeDays(trx, asked, patch, systemClock.now());
    })),
  })),

  'recount-insights': databaseCommand(z.object({ form: z.string().optional() }), async (db, { form }) => ({
    forms: form === undefined ? await recountAll(db) : await recountOne(db, form),
  })),
};

async function recountOne(db: Database, formId: string): Promise<number> {
  if (!isId(formId) || !(await recount(db, formId))) throw new Problem('not_found', 'Nothing has been counted for this form.');
  return 1;
}

/** Repeating an interrupted run counts the first forms once more. */
async function recountAll(db: Database): Promise<number> {
  let [forms, after] = [0, '00000000-0000-0000-0000-000000000000'];
  for (;;) {
    const batch = await countedForms(db, after, formsAtOnce);
    for (const formId of batch) await recount(db, formId);
    forms += batch.length;
    after = batch.at(-1) ?? after;
    if (batch.length < formsAtOnce) return forms;
  }
}
