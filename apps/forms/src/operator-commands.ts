import { daysOption, offsetInstant, oneOf } from '@sheaf/contracts';
import { audited, commandOutbox, record } from '@sheaf/events';
import { isId, newId, operatorIn, Problem, systemClock } from '@sheaf/kernel';
import { databaseCommand, type Database, type Transaction } from '@sheaf/postgres';
import { readJsonInput, whole, type JsonCommand } from '@sheaf/runtime';
import { z } from 'zod';
import { eraseLocked } from './erasing/erase-form';
import { formChanged, formDeed } from './form/form-changed';
import { lockFormOfAnyInstance } from './form/forms.queries';
import { missingForms, missingVersions, usedAmong, usedWorkspaces } from './reconcile.queries';
import { changeKeeping, shownKeeping } from './settings/keeping';
import { keepingOf } from './settings/keeping.queries';
import type { FormRow } from './rows';

const id = (of: string) => z.string().refine(isId, `must be the id of ${of}`);

const WantedVersions = z.array(
  z.object({ form_id: id('a form'), version: z.int(), version_id: id('a version').nullable(), oldest: offsetInstant() }),
);

const KeepingOptions = z.object({
  id: z.string(),
  'trash-days': daysOption(),
  'submissions-days': daysOption(),
  'files-days': daysOption(),
  'legal-hold': oneOf(['on', 'off']).optional(),
});

/** Commands for operators. The audit log records changes as done by `operator`. */
export const operatorCommands: Record<string, JsonCommand> = {
  'erase-form': databaseCommand(z.object({ id: z.string() }), (db, { id }) =>
    inForm(db, id, async (trx, form) => ({ erasure_id: await eraseLocked(trx, byOperator(form), form, systemClock.now()) })),
  ),

  /** For `reconcile`: versions come on standard input. */
  'list-missing-versions': databaseCommand(z.object({}), async (db) => ({
    missing: await missingVersions(db, await readJsonInput(WantedVersions)),
  })),

  /** For `reconcile`: ids of forms come on standard input. */
  'list-missing-forms': databaseCommand(z.object({}), async (db) => ({
    missing: (await missingForms(db, await readJsonInput(z.array(id('a form'))))).map((form) => form.id),
  })),

  /** For `reconcile`: the workspaces after one. */
  'list-used-workspaces': databaseCommand(
    z.object({ after: id('a workspace'), limit: whole(1, 50_000) }),
    async (db, { after, limit }) => ({
      workspaces: await usedWorkspaces(db, after, limit),
    }),
  ),

  /** For `reconcile`: ids of workspaces come on standard input. */
  'list-used-among': databaseCommand(z.object({}), async (db) => ({
    workspaces: await usedAmong(db, await readJsonInput(z.array(id('a workspace')))),
  })),

  'show-keeping': databaseCommand(z.object({ id: z.string() }), (db, { id }) => inForm(db, id, shown)),

  /** Days that are not named stay as they are. */
  'set-keeping': databaseCommand(KeepingOptions, (db, { id, ...given }) =>
    inForm(db, id, async (trx, form) => {
      const before = shownKeeping(await keepingOf(trx, form.id)).retention ?? {};
      const named = (name: 'trash' | 'submissions' | 'files') =>
        `${name}-days` in given ? (given[`${name}-days`] ?? undefined) : before[`${name}_days`];
      const retention = { trash_days: named('trash'), submissions_days: named('submissions'), files_days: named('files') };
      const hold = given['legal-hold'];
      const now = systemClock.now();
      const { event } = await changeKeeping(trx, form, { retention, legal_hold: hold === undefined ? undefined : hold === 'on' }, now);
      const changed = Object.keys(given).map((name) => name.replaceAll('-', '_'));
      await record(
        trx,
        formChanged(form, [form.slug], now),
        event,
        audited(byOperator(form), formDeed('form.updated', form, { changed }), now),
      );
      return shown(trx, form);
    }),
  ),
};

/** Runs `work` on a form of any instance, which stays locked until it ends. */
const inForm = (
  db: Database,
  id: string,
  work: (trx: Transaction, form: FormRow) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> =>
  commandOutbox(db).transaction(async (trx) => {
    const form = isId(id) ? await lockFormOfAnyInstance(trx, id) : undefined;
    if (!form) throw Problem.notFound('form');
    return work(trx, form);
  });

async function shown(trx: Transaction, form: FormRow): Promise<Record<string, unknown>> {
  const { trash_days, submissions_days, files_days, legal_hold } = await keepingOf(trx, form.id);
  return { id: form.id, instance: form.instance_id, title: form.title, trash_days, submissions_days, files_days, legal_hold };
}

const byOperator = ({ instance_id }: FormRow) => ({ caller: operatorIn(instance_id), call: { requestId: newId() } });
