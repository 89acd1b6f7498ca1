import type { Relay } from '@sheaf/events';
import { Problem } from '@sheaf/kernel';
import { problemOf, wasRolledBack, type Bound, type Database, type Transaction } from '@sheaf/postgres';
import { whole } from '@sheaf/runtime';
import { wishes } from '../exact/exact.queries';
import { refusedOf } from '../exact/granted';
import type { ExactRefusal } from '../exact/refusals';
import * as queries from './batches.queries';
import type { Ready } from './batches.queries';
import type { IntakeMetrics } from './intake-metrics';

/**
 * `full`: the form has reached its limit. `repeated`: the idempotency key was taken before, and its submission is committed. A list: the options that
 * are full, and the answers that others have.
 */
export type IntakeResult = 'accepted' | 'full' | 'repeated' | readonly ExactRefusal[];

interface Waiting {
  ready: Ready;
  /** When it came, by `performance.now()`. */
  since: number;
  /** The time after which it must no longer be stored. */
  until: number;
  resolve: (taken: IntakeResult) => void;
  reject: (error: unknown) => void;
}

// While a batch is being written, the next one gathers: the higher the load, the larger the batches. Concurrent batches share no form: the
// second would only wait for the first's lock on the form's count, with the few submissions that it started with.
const maxConcurrentBatches = 2;
const maxBatchSize = 200;
const maxBatchBytes = 4 * 1024 * 1024;
/** A batch that takes longer is waiting for a lock or an unresponsive database, and no longer keeps others from starting. */
const stuckAfterMs = 1_000;
const maxStuckBatches = 2;
/** The share of a caller's remaining time that the database may use. The rest is for the response. */
const databaseTimeShare = 0.9;

export const intakeSettings = {
  /** Maximum number of submissions, and bytes of answers, that may wait to be stored. Requests beyond it get 503 at once. */
  SUBMISSIONS_QUEUE: whole(1, 1_000_000).default(5_000),
  SUBMISSIONS_QUEUE_BYTES: whole(1_048_576, 4_294_967_296).default(67_108_864),
};

interface Batch {
  /** The forms whose counts it changes. */
  forms: ReadonlySet<string>;
  isStuck: boolean;
}

/**
 * Stores submissions that arrive together in one transaction. One transaction each cost seven statements and a disk flush, and submissions
 * to one form queued for its count. Each caller still gets its response after the commit. A submission whose caller has given up is not
 * stored: without an idempotency key the caller would send it again and have it twice.
 */
export class Intake {
  private waiting: Waiting[] = [];
  private waitingBytes = 0;
  private scheduled = false;
  private readonly running = new Set<Batch>();

  constructor(
    private readonly deps: {
      db: Database;
      outbox: Pick<Relay, 'publish'>;
      queue: { submissions: number; bytes: number };
      intakeMetrics?: IntakeMetrics | undefined;
    },
  ) {
    deps.intakeMetrics?.watch(() => this.waiting.length);
  }

  /**
   * Resolves after the commit.
   * @param deadline the caller's deadline. A submission that is not stored somewhat before it is not stored at all.
   * @throws Problem `unavailable` at once if too many are waiting already.
   */
  take(ready: Ready, deadline: number): Promise<IntakeResult> {
    const { queue } = this.deps;
    const bytes = ready.submission.data.length;
    if (this.waiting.length >= queue.submissions || (this.waiting.length > 0 && this.waitingBytes + bytes > queue.bytes)) {
      return Promise.reject(
        Problem.unavailable(`${this.waiting.length} submissions (${this.waitingBytes} bytes) are waiting to be stored`),
      );
    }
    const now = Date.now();
    return new Promise((resolve, reject) => {
      this.waiting.push({ ready, since: performance.now(), until: now + (deadline - now) * databaseTimeShare, resolve, reject });
      this.waitingBytes += bytes;
      this.schedule();
    });
  }

  private get isBusy(): boolean {
    let stuck = 0;
    for (const batch of this.running) if (batch.isStuck) stuck += 1;
    return this.running.size >= maxConcurrentBatches + Math.min(stuck, maxStuckBatches);
  }

  /** Runs at the end of this event-loop turn, as more submissions may arrive in it. */
  private schedule(): void {
    if (this.scheduled || this.isBusy) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.next();
    });
  }

  private next(): void {
    while (!this.isBusy) {
      const waiting = this.nextBatch();
      if (waiting.length === 0) return;
      const batch: Batch = { forms: new Set(waiting.map(({ ready }) => formOf(ready))), isStuck: false };
      this.running.add(batch);
      const now = performance.now();
      for (const { since } of waiting) this.deps.intakeMetrics?.waited((now - since) / 1_000);
      const slow = setTimeout(() => {
        batch.isStuck = true;
        this.next();
      }, stuckAfterMs);
      void this.run(waiting).finally(() => {
        clearTimeout(slow);
        this.running.delete(batch);
        this.next();
      });
    }
  }

  private nextBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    const now = Date.now();
    let bytes = 0;
    let leftBytes = 0;
    for (const one of this.waiting) {
      const { length } = one.ready.submission.data;
      if (one.until <= now) one.reject(Problem.unavailable('the submission waited too long to be stored'));
      else if (batch.length === maxBatchSize || bytes >= maxBatchBytes || this.isFormBusy(formOf(one.ready))) {
        left.push(one);
        leftBytes += length;
      } else {
        batch.push(one);
        bytes += length;
      }
    }
    this.waiting = left;
    this.waitingBytes = leftBytes;
    return batch;
  }

  private isFormBusy(form: string): boolean {
    for (const { forms } of this.running) if (forms.has(form)) return true;
    return false;
  }

  private async run(batch: readonly Waiting[]): Promise<void> {
    try {
      // The earliest deadline decides, because all are stored together or not at all. They arrived close together.
      const until = batch.reduce((first, one) => Math.min(first, one.until), Infinity);
      const taken = await store(
        this.deps.db,
        batch.map(({ ready }) => ready),
        { until },
      );
      this.deps.outbox.publish(batch.flatMap(({ ready }, index) => (taken[index] === 'accepted' ? (ready.event ?? []) : [])));
      batch.forEach(({ resolve }, index) => resolve(taken[index] ?? 'accepted'));
    } catch (error) {
      // An unreachable database fails all of them. A rejected statement may be the fault of one: retry them one by one, so that the others
      // do not fail with it.
      const isUnreachable = problemOf(error).code === 'unavailable' && !wasRolledBack(error);
      if (batch.length === 1 || isUnreachable) batch.forEach(({ reject }) => reject(error));
      else for (const one of batch) await this.run([one]);
    }
  }
}

/**
 * Stores a submission in the transaction of its payment, files or spam verdict. Counts it last, as that locks the form's count until the
 * commit. Publish its event after the commit. Spam is refused as others are, although it takes no place: a different response would tell its sender.
 * @returns why nothing is stored, if it is refused
 */
export async function storeInTransaction(trx: Transaction, ready: Omit<Ready, 'key'>): Promise<Exclude<IntakeResult, 'repeated'>> {
  const batch = [{ ...ready, key: undefined }];
  const { submission, limit, isExact } = ready;
  const refusal = async () => (isExact ? refusedOf(batch, await wishes(trx, batch)).get(0) : undefined);
  // The limit of the form comes first: see `storeWithinLimits`.
  if (submission.spam_at !== null) return (await queries.quarantine(trx, submission, limit)) ? ((await refusal()) ?? 'accepted') : 'full';
  const room = await queries.lockRoom(trx, batch);
  if (isFull(room, submission.form_id)) return 'full';
  const refused = await refusal();
  if (refused) return refused;
  return (await queries.store(trx, batch, room)).length === 0 ? 'accepted' : 'full';
}

const isFull = (room: ReadonlyMap<string, number>, formId: string): boolean => (room.get(formId) ?? 1) < 1;

const formOf = ({ submission }: Pick<Ready, 'submission'>): string => submission.form_id;

async function store(db: Database, batch: readonly Ready[], bound: Bound): Promise<IntakeResult[]> {
  if (batch.every(({ limit, key, isExact }) => limit === undefined && key === undefined && !isExact)) {
    await queries.storeAll(db, batch, bound);
    return batch.map(() => 'accepted');
  }
  const isBounded = batch.some(({ limit, isExact }) => limit !== undefined || isExact);
  if (isBounded) return db.transaction((trx) => storeWithinLimits(trx, batch, bound));
  return resultsOf(batch, await queries.store(db, batch, new Map(), bound));
}

function resultsOf(batch: readonly Ready[], refused: readonly queries.Refused[]): IntakeResult[] {
  const outcomes = new Map(refused.map(({ id, repeated }) => [id, repeated ? 'repeated' : 'full'] as const));
  return batch.map(({ submission }) => outcomes.get(submission.id) ?? 'accepted');
}

async function storeWithinLimits(trx: Transaction, batch: readonly Ready[], bound: Bound): Promise<IntakeResult[]> {
  const room = await queries.lockRoom(trx, batch, bound);
  const exact = batch.filter(({ isExact }) => isExact);
  const unmet =
    exact.length === 0
      ? new Map<Ready, ExactRefusal[]>()
      : new Map([...refusedOf(exact, await wishes(trx, exact, bound))].flatMap(([at, why]) => (exact[at] ? [[exact[at], why]] : [])));
  const rest = batch.filter((ready) => !unmet.has(ready));
  const refused = rest.length === 0 ? [] : await queries.store(trx, rest, room, bound);
  await queries.releaseKeys(
    trx,
    refused.flatMap(({ id, repeated }) => (repeated ? [] : [id])),
    bound,
  );
  const results = new Map(resultsOf(rest, refused).map((result, at) => [rest[at], result]));
  const left = new Map(room);
  for (const [ready, result] of results)
    if (ready && result === 'accepted') left.set(formOf(ready), (left.get(formOf(ready)) ?? Infinity) - 1);
  // A full form refuses all alike: only there could somebody try answers that must be unique, and leave nothing.
  return batch.map((ready) => {
    const why = unmet.get(ready);
    return why ? (isFull(left, formOf(ready)) ? 'full' : why) : (results.get(ready) ?? 'accepted');
  });
}
