/** A submission that was answered 201, however often it had to be sent for that. */
export interface Accepted {
  form: string;
  /** The Idempotency-Key, and what was answered in its field `name`. */
  key: string;
  /** Every id that the key was ever answered with; more than one breaks the promise. */
  ids: Set<string>;
  /** When the respondent began to send it, by the clock of this process. */
  begunAt: number;
  tries: number;
  /** What it was set to, one after the other. */
  statuses: string[];
  deleted: boolean;
}

/** Something that subscribers have to hear of. */
export interface Happened {
  form: string;
  event: HookEvent;
  /** What tells it from everything else that happened, the same as `whatItTells` reads in a body. */
  identity: string;
  /** Who did it began then. */
  begunAt: number;
}

export type HookEvent = 'submission.created' | 'submission.status_changed' | 'submission.deleted';
export const hookEvents = ['submission.created', 'submission.status_changed', 'submission.deleted'] as const;

const identityOf = (event: string, id: string, status = '') => [event, id, status].join(' ').trim();

/** What was acknowledged. Filled by the load, read by the proof. */
export class Ledger {
  readonly accepted: Accepted[] = [];
  readonly happened: Happened[] = [];
  /** Answers of 4xx that nothing in the load deserves. */
  readonly refused: string[] = [];
  /** Requests that had to be made again. */
  retries = 0;

  accept(accepted: Accepted): void {
    this.accepted.push(accepted);
    this.tell('submission.created', accepted, accepted.begunAt);
  }

  changed(accepted: Accepted, status: string, begunAt: number): void {
    accepted.statuses.push(status);
    this.tell('submission.status_changed', accepted, begunAt, status);
  }

  deleted(accepted: Accepted, begunAt: number): void {
    accepted.deleted = true;
    this.tell('submission.deleted', accepted, begunAt);
  }

  private tell(event: HookEvent, { form, ids }: Accepted, begunAt: number, status?: string): void {
    this.happened.push({ form, event, identity: identityOf(event, [...ids][0] ?? '', status), begunAt });
  }
}

interface Body {
  event?: string;
  submission_id?: string;
  new_status?: string;
  submission?: { id: string };
  data?: { name?: string };
}

/** What the body of a webhook tells, of which submission, and its answer `name` if it has one. */
export function whatItTells(body: string): { identity: string; submission: string; name: string | undefined } {
  const { event = '', submission, submission_id, new_status, data } = JSON.parse(body) as Body;
  const id = submission?.id ?? submission_id ?? '';
  return { identity: identityOf(event, id, new_status), submission: id, name: data?.name };
}
