import type { DomainEvent, Relay } from '@sheaf/events';
import { problemOf, type Database, type Transaction } from '@sheaf/postgres';
import * as queries from './intake.queries';
import type { NewSubmission } from './submissions.queries';

/** A submission that is ready to be stored. */
export interface Ready {
  submission: NewSubmission;
  /** The limit of its form. */
  limit: number | undefined;
  key: { key: string; fingerprint: Buffer } | undefined;
  event: DomainEvent;
}

/** `full`: the form has its limit. `repeated`: the idempotency key was taken before, and what belongs to it is committed. */
export type Taken = 'accepted' | 'full' | 'repeated';

interface Waiting {
  ready: Ready;
  resolve: (taken: Taken) => void;
  reject: (error: unknown) => void;
}

// While a batch is on its way to the disk the next one gathers: the more there is to do, the larger the batches. Two that are stored at the
// same moment have no form in common: the second one could only wait for the count of that form, with the few that it left with.
const batchesAtOnce = 2;
const mostInBatch = 200;
const mostBytes = 4 * 1024 * 1024;

/**
 * Stores submissions, those that come at the same moment in one transaction. A transaction for each cost seven statements and a wait for
 * the disk, and all that went to one form stood in line for its count. Each caller is answered after the commit, as before.
 */
export class Intake {
  private waiting: Waiting[] = [];
  private scheduled = false;
  /** The forms of each batch under way. */
  private readonly underWay = new Set<ReadonlySet<string>>();

  constructor(private readonly deps: { db: Database; outbox: Pick<Relay, 'publish'> }) {}

  /** Resolves after the commit. */
  take(ready: Ready): Promise<Taken> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ready, resolve, reject });
      this.schedule();
    });
  }

  /** At the end of this turn, as others may come in it. */
  private schedule(): void {
    if (this.scheduled || this.underWay.size === batchesAtOnce) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.next();
    });
  }

  private next(): void {
    while (this.underWay.size < batchesAtOnce) {
      const batch = this.nextBatch();
      if (batch.length === 0) return;
      const forms = new Set(batch.map(formOf));
      this.underWay.add(forms);
      void this.run(batch).finally(() => {
        this.underWay.delete(forms);
        this.next();
      });
    }
  }

  private nextBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    const busy = [...this.underWay];
    let bytes = 0;
    for (const one of this.waiting) {
      if (batch.length === mostInBatch || bytes >= mostBytes || busy.some((forms) => forms.has(formOf(one)))) left.push(one);
      else {
        batch.push(one);
        bytes += one.ready.submission.data.length;
      }
    }
    this.waiting = left;
    return batch;
  }

  private async run(batch: readonly Waiting[]): Promise<void> {
    try {
      const taken = await store(this.deps.db, batch.map(({ ready }) => ready));
      this.deps.outbox.publish(batch.flatMap(({ ready }, index) => (taken[index] === 'accepted' ? [ready.event] : [])));
      batch.forEach(({ resolve }, index) => resolve(taken[index] ?? 'accepted'));
    } catch (error) {
      // A database that is away is away for all of them. What it refuses may be one of them: the others do not pay for it.
      if (batch.length === 1 || problemOf(error).code === 'unavailable') batch.forEach(({ reject }) => reject(error));
      else for (const one of batch) await this.run([one]);
    }
  }
}

const formOf = ({ ready }: Waiting): string => ready.submission.form_id;

async function store(db: Database, batch: readonly Ready[]): Promise<Taken[]> {
  if (batch.every(({ limit, key }) => limit === undefined && key === undefined)) {
    await queries.storeAll(db, batch);
    return batch.map(() => 'accepted');
  }
  const isBounded = batch.some(({ limit }) => limit !== undefined);
  const refused = isBounded ? await db.transaction((trx) => storeWithinLimits(trx, batch)) : await queries.store(db, batch, new Map());
  const why = new Map(refused.map(({ id, repeated }) => [id, repeated ? 'repeated' : 'full'] as const));
  return batch.map(({ submission }) => why.get(submission.id) ?? 'accepted');
}

async function storeWithinLimits(trx: Transaction, batch: readonly Ready[]): Promise<queries.Refused[]> {
  const refused = await queries.store(trx, batch, await queries.lockRoom(trx, batch));
  await queries.releaseKeys(trx, refused.flatMap(({ id, repeated }) => (repeated ? [] : [id])));
  return refused;
}
