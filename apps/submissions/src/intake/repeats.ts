import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { keyReused } from '@sheaf/contracts';
import { dayIn } from '@sheaf/formulas';
import { Problem } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { originalAnswers } from '../corrections/revisions.queries';
import type { Deps } from '../deps';
import type { PublishedForm } from '../form/forms-view';
import { parseAnswers } from '../form/parse-answers';
import * as submissions from '../submission/submissions.queries';
import type { SubmissionRow } from '../submission/submissions.queries';
import type { Ready } from './batches.queries';
import { findKey } from './keys.queries';

/** An idempotency key, and the answers that came with it. */
export type Key = NonNullable<Ready['key']>;

export const keyFor = (key: string, data: Buffer): Key => ({ key, fingerprint: createHash('sha256').update(data).digest() });

/**
 * The submission that a request with the same key created; undefined if there is none.
 * @throws Problem `bad_request` if its answers were different
 */
export async function firstResult(
  { db }: Pick<Deps, 'db'>,
  form: Pick<PublishedForm, 'id' | 'check' | 'timezone'>,
  { key, fingerprint }: Key,
  data: Buffer,
): Promise<SubmissionRow | undefined> {
  const row = await findKey(db, form.id, key);
  if (!row) return undefined;
  const first = await submissions.byId(db, form.id, row.submission_id);
  const isSame = row.fingerprint.equals(fingerprint) || (first !== undefined && (await areSameAnswers(db, form, data, first)));
  if (!isSame) throw keyInUse();
  return first;
}

/**
 * Compared as values: a retry may order an object's keys differently or omit empty answers.
 * @param form undefined for a form that takes no more answers and has no rules to read them by
 */
export async function areSameAnswers(
  db: Database,
  form: Pick<PublishedForm, 'check' | 'timezone'> | undefined,
  data: Buffer,
  first: SubmissionRow,
): Promise<boolean> {
  const repeated = parseAnswers(data);
  const accepted: unknown = JSON.parse(await originalAnswers(db, first));
  // First unchecked, since the form may have changed since then.
  if (isDeepStrictEqual(repeated, accepted)) return true;
  if (!form) return false;
  const checked = await form.check(repeated, () => dayIn(form.timezone, first.created_at));
  return 'answers' in checked && isDeepStrictEqual(checked.answers, accepted);
}

/** With a code, because a page that a respondent came back to tells this refusal from a wrong answer. */
function keyInUse(): Problem {
  const fault = { key: 'Idempotency-Key', code: keyReused, params: {}, message: 'was already used with different answers' };
  return Problem.badRequest(`${fault.key}: ${fault.message}`, [fault]);
}
