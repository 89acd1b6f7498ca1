import { daysOption, offsetInstant } from '@sheaf/contracts';
import { commandOutbox, ReplayOptions, ReplaySettings, waitingEvents } from '@sheaf/events';
import { isId, newId, operatorIn, Problem, systemClock } from '@sheaf/kernel';
import { databaseCommand, type Database } from '@sheaf/postgres';
import { readConfig, readJsonInput, UsageError, whole, type JsonCommand } from '@sheaf/runtime';
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { changeDays } from './erasing/instance-retention';
import { decidedOf } from './erasing/instance-retention.queries';
import { formSchedule, instanceSchedule, type Schedule } from './erasing/schedule';
import { graceMs, retentionSettings } from './erasing/settings';
import { eraseAsOperator } from './erasing/erase-as-operator';
import { replayErasures } from './erasing/replay-erasures';
import { findLostFiles, findUnknownFiles } from './files/compare-files';
import { openStorage } from './files/storage/files';
import { fileSettings, hasOneStorage } from './files/storage/settings';
import type { FileStorage } from './files/storage/storage';
import { retentionSchedule } from './messages';
import { announceAgain, listAnnounced, tallySubmissions } from './reconcile';
import { formsWithSubmissions, markMissing } from './reconcile.queries';
import { findSubmission } from './submission/find-submission.queries';
import { countedForms, recount } from './insights/recount';

const formsAtOnce = 500;

const id = (of: string) => z.string().refine(isId, `must be the id of ${of}`);

/** A part of the way through all submissions. */
const Walk = z.object({ after: id('a submission'), before: offsetInstant(), limit: whole(1, 1_000_000) });

const FoundVersion = z.object({
  form_id: id('a form'),
  version: whole(1, Number.MAX_SAFE_INTEGER),
  version_id: id('a version'),
  is_missing: z.boolean(),
});

const RetentionOptions = z.object({
  instance: z.string().refine(isId, 'must be the id of an instance'),
  'trash-days': daysOption(),
  'submissions-days': daysOption(),
  'files-days': daysOption(),
});

const FormRetentionOptions = RetentionOptions.extend({ form: z.string().refine(isId, 'must be the id of a form') });

/** Commands for operators. The audit log records changes as done by `operator`. */
export const operatorCommands: Record<string, JsonCommand> = {
  'erase-submission': databaseCommand(z.object({ id: z.string() }), async (db, { id }) => ({
    erasure_id: await eraseAsOperator(db, systemClock, { id }),
  })),

  /** Reads the stream at NATS_URL. */
  'replay-erasures': databaseCommand(ReplayOptions, async (db, wanted) => ({
    ...(await replayErasures({ db, clock: systemClock }, readConfig(ReplaySettings, process.env), wanted)),
  })),

  /** `id`: of a submission, or of an event that is still in the outbox. */
  explain: databaseCommand(
    z.object({ id: z.string().refine(isId, 'must be the id of a submission or of an event') }),
    async (db, { id }) => {
      const waiting = await waitingEvents(db, id);
      const subject = waiting.find((event) => event.id === id)?.subject ?? id;
      return { submission: (isId(subject) ? await findSubmission(db, subject) : undefined) ?? null, waiting };
    },
  ),

  'show-retention': databaseCommand(z.object({ instance: RetentionOptions.shape.instance }), (db, { instance }) =>
    shownRetention(db, instance),
  ),

  /** Days that are not named stay as they are. */
  'set-retention': databaseCommand(RetentionOptions, async (db, { instance, ...given }) => {
    const patch = { trash_days: given['trash-days'], submissions_days: given['submissions-days'], files_days: given['files-days'] };
    const asked = { caller: operatorIn(instance), call: { requestId: newId() } };
    const moment = { now: systemClock.now(), graceMs: graceHere() };
    await commandOutbox(db).transaction((trx) => changeDays(trx, asked, patch, moment));
    return shownRetention(db, instance);
  }),

  /** `days`: what the service of forms says, as this one may not have heard of it yet. */
  'show-form-retention': databaseCommand(FormRetentionOptions, async (db, { form, instance, ...given }) => {
    const never = (days: number | null | undefined) => days ?? null;
    const days = {
      trash_days: never(given['trash-days']),
      submissions_days: never(given['submissions-days']),
      files_days: never(given['files-days']),
    };
    const deps = { db, clock: systemClock, graceMs: graceHere() };
    return shownSchedule(await formSchedule(deps, { formId: form, instanceId: instance, days }));
  }),

  /** For `reconcile`: tells of submissions after one, which were made before a moment, and of their announcements from another moment on. */
  'tally-submissions': databaseCommand(Walk.extend({ from: offsetInstant() }), async (db, { after, before, limit, from }) => ({
    ...(await tallySubmissions(db, { after, before: new Date(before), limit, from: new Date(from) })),
  })),

  /** For `reconcile`: minutes since 1970 come on standard input. */
  'list-announced': databaseCommand(Walk, async (db, { after, before, limit }) => {
    const minutes = await readJsonInput(z.array(z.int().nonnegative()));
    return { ...(await listAnnounced(db, { after, before: new Date(before), limit, minutes })) };
  }),

  /** For `reconcile`: files after one whose bytes are not in the storage; `files` is null where no storage is configured. */
  'list-lost-files': databaseCommand(z.object({ after: id('a file'), limit: whole(1, 1_000_000) }), async (db, { after, limit }) => {
    const storage = await configuredStorage();
    return storage ? { ...(await findLostFiles({ db, storage }, { after, limit })) } : { files: null };
  }),

  /** For `reconcile`: bytes in the storage without a row, in the folders after one. */
  'list-unknown-files': databaseCommand(
    z.object({ after: z.string().optional(), limit: whole(1, 1_000_000) }),
    async (db, { after, limit }) => {
      const storage = await configuredStorage();
      return storage ? { ...(await findUnknownFiles({ db, storage }, { after, limit })) } : { files: null };
    },
  ),

  /** For `reconcile`: ids of forms come on standard input. */
  'list-forms-with-submissions': databaseCommand(z.object({}), async (db) => ({
    forms: (await formsWithSubmissions(db, await readJsonInput(z.array(id('a form'))))).map(({ form_id }) => form_id),
  })),

  /** For `reconcile`: versions come on standard input. */
  'mark-missing-versions': databaseCommand(z.object({}), async (db) => {
    const versions = await readJsonInput(z.array(FoundVersion));
    await markMissing(db, versions, systemClock.now());
    return { versions: versions.length };
  }),

  /** For `reconcile`: ids of submissions come on standard input. */
  'announce-again': databaseCommand(z.object({}), async (db) => ({
    announced: await announceAgain(commandOutbox(db), await readJsonInput(z.array(id('a submission')))),
  })),

  'recount-insights': databaseCommand(z.object({ form: z.string().optional() }), async (db, { form }) => ({
    forms: form === undefined ? await recountAll(db) : await recountOne(db, form),
  })),
};

/** The storage of the environment. A folder that is not there is refused, not made: everything would count as lost. */
async function configuredStorage(): Promise<FileStorage | undefined> {
  const config = readConfig(z.object(fileSettings), process.env);
  if (config.FILES_DIR === undefined && config.FILES_S3_BUCKET === undefined) return undefined;
  if (!hasOneStorage(config)) throw new UsageError('FILES_DIR: must not be set together with FILES_S3_BUCKET');
  const isThere = config.FILES_DIR === undefined || (await stat(config.FILES_DIR).catch(() => undefined))?.isDirectory() === true;
  if (!isThere) throw new UsageError('FILES_DIR: is no folder on this machine');
  return openStorage(config);
}

/** The grace of the deployment, of whose environment a command is a part. */
const graceHere = (): number => graceMs(readConfig(z.object(retentionSettings), process.env));

async function shownRetention(db: Database, instance: string): Promise<Record<string, unknown>> {
  const { trash_days, submissions_days, files_days } = await decidedOf(db, instance);
  const schedule = await instanceSchedule({ db, clock: systemClock, graceMs: graceHere() }, instance, { isCounted: true });
  return { instance, trash_days, submissions_days, files_days, ...shownSchedule(schedule) };
}

const shownSchedule = (schedule: Schedule): Record<string, unknown> => ({ ...retentionSchedule(schedule) });

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
