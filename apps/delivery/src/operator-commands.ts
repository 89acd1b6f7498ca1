import { deliveryStates, finishedDeliveryStates, offsetInstant, oneOf, RedeliverRequest } from '@sheaf/contracts';
import { commandOutbox } from '@sheaf/events';
import { isId, newId, operatorIn, Problem, systemClock } from '@sheaf/kernel';
import { databaseCommand, type Database } from '@sheaf/postgres';
import { type JsonCommand, readConfig, readJsonInput, UsageError, whole } from '@sheaf/runtime';
import { z } from 'zod';
import { shownConnection } from './attempts/shown-connection';
import { shownResponse } from './attempts/shown-response';
import { Config } from './config';
import { firstIdOf } from './ids-by-time';
import * as queries from './log/deliveries.queries';
import { explain } from './log/explain';
import { attemptPage, shownAttempt } from './log/list-attempts';
import { readDelivery } from './log/read-deliveries';
import { redeliverAs, redeliverManyAs } from './log/redeliver';
import { shownDelivery } from './log/shown-delivery';
import { beginOfLog, tallyPlanned, unplannedAmong } from './reconcile';
import { copiesAfter, copiesAmong } from './reconcile.queries';
import { recordRestore } from './restored/record-restore';
import { noteRestored } from './restored/restored.queries';

const epoch = new Date(0);
const formsAtOnce = 500;

/** Commands for operators. The audit log records redeliveries as done by `operator`. */
export const operatorCommands: Record<string, JsonCommand> = {
  'list-deliveries': databaseCommand(
    z.object({
      form: z.string().optional(),
      submission: z.string().optional(),
      host: z.string().toLowerCase().optional(),
      state: oneOf(deliveryStates).optional(),
      reason: z.string().optional(),
      from: offsetInstant().optional(),
      to: offsetInstant().optional(),
      limit: whole(1, 1_000).default(100),
      offset: whole(0, Number.MAX_SAFE_INTEGER).default(0),
    }),
    async (db, { form, submission, host, state, reason, from, to, limit, offset }) => {
      const range = {
        first: firstIdOf(from === undefined ? epoch : new Date(from)),
        last: to === undefined ? lastId : firstIdOf(new Date(to)),
      };
      const rows = [form, submission].some((id) => id !== undefined && !isId(id))
        ? []
        : await queries.deliveriesOfAllForms(
            db,
            systemClock,
            { formId: form, submissionId: submission, host, state, reason, ...range },
            { limit: limit + 1, offset },
          );
      return { data: rows.slice(0, limit).map(shownDelivery), limit, offset, more: rows.length > limit };
    },
  ),

  'list-attempts': databaseCommand(
    z.object({
      form: z.string().optional(),
      webhook: z.string().optional(),
      from: offsetInstant().optional(),
      cursor: z.string().optional(),
    }),
    async (db, { form, webhook, from, cursor }) => {
      const search = { formId: form, subscriptionId: webhook, from, cursor, limit: 1_000 };
      if (form !== undefined && !isId(form)) throw new UsageError('--form: must be the id of a form');
      const { rows, nextCursor, asOf } = await attemptPage(redeliveryDeps(db), search);
      return { data: rows.map(shownAttempt), next_cursor: nextCursor ?? null, as_of: asOf.toISOString() };
    },
  ),

  /** `id`: of a submission, of an event or of a batch; `form` and `announced`: where and when a submission was announced. */
  explain: databaseCommand(
    z.object({
      id: z.string().refine(isId, 'must be the id of a submission, of an event or of a batch'),
      form: z.string().refine(isId, 'must be the id of a form').optional(),
      announced: offsetInstant().optional(),
    }),
    (db, { id, form, announced }) =>
      explain(redeliveryDeps(db), {
        id,
        announced: form === undefined || announced === undefined ? undefined : { formId: form, at: new Date(announced) },
      }),
  ),

  'show-delivery': databaseCommand(z.object({ id: z.string() }), async (db, { id }) => {
    const { form_id } = await locate(db, id);
    const { row, attempts } = await readDelivery(redeliveryDeps(db), form_id, id);
    return {
      ...shownDelivery(row),
      body: row.body,
      attempts: attempts.map(({ number, started_at, duration_ms, status, error, code, url, headers, response, connection, batch_id }) => ({
        number,
        started_at,
        duration_ms,
        status,
        error,
        code,
        url,
        headers,
        response: response && shownResponse(response),
        connection: connection && shownConnection(connection),
        batch_id,
      })),
    };
  }),

  'record-restore': databaseCommand(z.object({ at: offsetInstant() }), async (db, { at }) => ({
    held_back: await recordRestore(db, new Date(at)),
  })),

  /** For `reconcile`: from when on the log has all events. */
  'show-log-begin': databaseCommand(z.object({}), async (db) => ({ from: await beginOfLog({ db, clock: systemClock }) })),

  /** For `reconcile`: tells of the announcements of submissions that were planned, after one event and from before a moment. */
  'tally-planned': databaseCommand(
    z.object({
      after: z.string().refine(isId, 'must be the id of an event'),
      before: offsetInstant(),
      limit: whole(1, 1_000_000),
    }),
    async (db, { after, before, limit }) => ({ ...(await tallyPlanned(db, { after, before: new Date(before), limit })) }),
  ),

  /** For `reconcile`: announced submissions come on standard input. */
  'list-unplanned': databaseCommand(z.object({}), async (db) => {
    const announced = await readJsonInput(AnnouncedSubmissions);
    return unplannedAmong(
      { db, clock: systemClock },
      announced.map(([id, form_id, at]) => ({ id, form_id, at: new Date(at) })),
    );
  }),

  /** For `reconcile`: events from before a moment that are planned from now on are held back, as after a restore. */
  'hold-back': databaseCommand(z.object({ before: offsetInstant() }), async (db, { before }) => {
    await noteRestored(db, new Date(before));
    return { before };
  }),

  /** For `reconcile`: the copies of subscriptions after one. */
  'list-copies': databaseCommand(
    z.object({ after: z.string().refine(isId, 'must be the id of a subscription'), limit: whole(1, 50_000) }),
    async (db, { after, limit }) => ({ subscriptions: await copiesAfter(db, after, limit) }),
  ),

  /** For `reconcile`: ids of subscriptions come on standard input. */
  'list-copies-among': databaseCommand(z.object({}), async (db) => ({
    subscriptions: await copiesAmong(db, await readJsonInput(z.array(z.string().refine(isId)))),
  })),

  redeliver: databaseCommand(
    z.object({
      id: z.string().optional(),
      form: z.string().optional(),
      from: offsetInstant().optional(),
      to: offsetInstant().optional(),
      state: oneOf(finishedDeliveryStates).default('failed'),
      reason: z.string().optional(),
    }),
    async (db, { id, form, from, to, state, reason }) => {
      if (id !== undefined) {
        if (form !== undefined || from !== undefined || to !== undefined)
          throw new UsageError('--id: cannot be combined with --form, --from or --to');
        return { redelivered: await redeliverOne(db, id), forms: 1, left_out: [] };
      }
      const range = RedeliverRequest.safeParse({ from, to, state }, { reportInput: true });
      if (!range.success) {
        const problems = range.error.issues.map(
          ({ path, message, input }) => `--${path.join('.')}: ${input === undefined ? 'is required without --id' : message}`,
        );
        throw new UsageError(problems.join('\n'));
      }
      const selection = { from: new Date(range.data.from), to: new Date(range.data.to), state, reason, subscriptionId: undefined };
      return form === undefined
        ? await redeliverEverywhere(db, selection)
        : { redelivered: await redeliverOfForm(db, form, selection), forms: 1, left_out: [] };
    },
  ),
};

const AnnouncedSubmissions = z.array(z.tuple([z.string().refine(isId), z.string().refine(isId), offsetInstant()]));

type Selection = Omit<Parameters<typeof redeliverManyAs>[2], 'formId'>;

// Sorts after every id.
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

async function redeliverOne(db: Database, id: string): Promise<number> {
  const { form_id, instance_id } = await locate(db, id);
  await redeliverAs(redeliveryDeps(db), byOperator(instance_id), { formId: form_id, id });
  return 1;
}

async function redeliverOfForm(db: Database, formId: string, selection: Selection): Promise<number> {
  const instanceId = isId(formId) ? await queries.instanceOfForm(db, formId) : undefined;
  if (instanceId === undefined) throw new Problem('not_found', 'This form has never had a subscription.');
  return redeliverManyAs(redeliveryDeps(db), byOperator(instanceId), { formId, ...selection });
}

/** Redelivers form by form. Repeating an interrupted run sends the rest, because the first ones are pending by then. */
async function redeliverEverywhere(
  db: Database,
  selection: Selection,
): Promise<{ redelivered: number; forms: number; left_out: string[] }> {
  let [redelivered, forms, after] = [0, 0, '00000000-0000-0000-0000-000000000000'];
  // A form with more deliveries than one request may send must not stop the others.
  const leftOut: string[] = [];
  for (;;) {
    const batch = await queries.formsWithSubscriptions(db, after, formsAtOnce);
    for (const { form_id, instance_id } of batch) {
      const count = await redeliverManyAs(redeliveryDeps(db), byOperator(instance_id), { formId: form_id, ...selection }).catch(
        (error: unknown) => {
          if (!(error instanceof Problem) || error.code !== 'bad_request') throw error;
          leftOut.push(form_id);
          return 0;
        },
      );
      redelivered += count;
      forms += count === 0 ? 0 : 1;
      after = form_id;
    }
    if (batch.length < formsAtOnce) return { redelivered, forms, left_out: leftOut };
  }
}

async function locate(db: Database, id: string) {
  const found = isId(id) ? await queries.ownerOfDelivery(db, id) : undefined;
  if (!found) throw Problem.notFound('delivery');
  return found;
}

// Of the shape, because an object with a refinement cannot be taken apart.
const Settings = z.object(Config.shape).pick({
  DELIVERY_CONCURRENCY: true,
  DELIVERY_PER_SUBSCRIPTION: true,
  DELIVERY_BACKLOG: true,
  DELIVERY_PER_INSTANCE_PER_MINUTE: true,
  SUBSCRIPTION_FAILING_DAYS: true,
  DELIVERY_SLOW_MS: true,
  DELIVERY_TIMEOUT_MS: true,
  DELIVERY_LOG_DAYS: true,
  ERASING_SECOND_LOOK_MS: true,
  RETRY_DELAYS_MS: true,
});

const redeliveryDeps = (db: Database) => ({
  db,
  outbox: commandOutbox(db),
  clock: systemClock,
  settings: readConfig(Settings, process.env),
  // The service's workers look on their own.
  wake: () => undefined,
});

// Only `forms` knows a form's workspace, so the entry belongs to the whole instance.
const byOperator = (instanceId: string) => ({ caller: operatorIn(instanceId), call: { requestId: newId() }, workspaceId: undefined });
