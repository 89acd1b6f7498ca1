import { isId, Problem, systemClock } from '@sheaf/kernel';
import { databaseCommand, type Database } from '@sheaf/postgres';
import type { Command } from '@sheaf/runtime';
import { z } from 'zod';
import { eraseAsOperator } from './erasing/erase-as-operator';
import { countedForms, recount } from './insights/recount';

const formsAtOnce = 500;

/** Commands for operators. */
export const operatorCommands: Record<string, Command> = {
  'erase-submission': databaseCommand(z.object({ id: z.string() }), async (db, { id }) => ({
    erasure_id: await eraseAsOperator(db, systemClock, { id }),
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
