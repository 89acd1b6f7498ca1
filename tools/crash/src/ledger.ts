/** A submission that was answered 201, after any number of attempts. */
export interface Accepted {
  form: string;
  /** The Idempotency-Key, also used as the answer to its field `name`. */
  key: string;
  /** The token of the page from which it was sent; undefined for one that a program sent. */
  page?: string | undefined;
  /** Every id returned for this key; more than one breaks the promise. */
  ids: Set<string>;
  /** When the respondent first sent it, by the clock of this process. */
  begunAt: number;
  tries: number;
  /** The statuses that it was set to, in order. */
  statuses: string[];
  deleted: boolean;
}

/** An event that subscribers must receive. */
export interface ExpectedEvent {
  form: string;
  event: HookEvent;
  /** Distinguishes this event from all others; `eventIn` reads the same value from a body. */
  identity: string;
  /** When the request that caused the event began. */
  begunAt: number;
}

export type HookEvent = 'submission.created' | 'submission.status_changed' | 'submission.deleted';
export const hookEvents = ['submission.created', 'submission.status_changed', 'submission.deleted'] as const;

const identityOf = (event: string, id: string, status = '') => [event, id, status].join(' ').trim();

/** All acknowledged requests. The load writes it; the proof reads it. */
export class Ledger {
  readonly accepted: Accepted[] = [];
  readonly expectedEvents: ExpectedEvent[] = [];
  /** Unexpected 4xx answers, which nothing in the load should cause. */
  readonly refused: string[] = [];
  /** Requests that were retried. */
  retries = 0;

  accept(accepted: Accepted): void {
    this.accepted.push(accepted);
    this.expect('submission.created', accepted, accepted.begunAt);
  }

  changed(accepted: Accepted, status: string, begunAt: number): void {
    accepted.statuses.push(status);
    this.expect('submission.status_changed', accepted, begunAt, status);
  }

  deleted(accepted: Accepted, begunAt: number): void {
    accepted.deleted = true;
    this.expect('submission.deleted', accepted, begunAt);
  }

  private expect(event: HookEvent, { form, ids }: Accepted, begunAt: number, status?: string): void {
    this.expectedEvents.push({ form, event, identity: identityOf(event, [...ids][0] ?? '', status), begunAt });
  }
}

interface Body {
  event?: string;
  submission_id?: string;
  new_status?: string;
  submission?: { id: string };
  data?: { name?: string };
}

/** The event that a webhook body reports, its submission, and the submission's answer `name` if it has one. */
export function eventIn(body: string): { identity: string; submission: string; name: string | undefined } {
  const { event = '', submission, submission_id, new_status, data } = JSON.parse(body) as Body;
  const id = submission?.id ?? submission_id ?? '';
  return { identity: identityOf(event, id, new_status), submission: id, name: data?.name };
}
