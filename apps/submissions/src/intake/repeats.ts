import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { keyReused } from '@sheaf/contracts';
import { dayIn } from '@sheaf/formulas';
import { Problem } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import { originalAnswers } from '../corrections/revisions.queries';
import type { Deps } from '../deps';
import { ifNotFound, isVersionOf, type PublishedForm } from '../form/forms-view';
import type { Answers } from '../form/answers';
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
  deps: Pick<Deps, 'db' | 'forms'>,
  asked: Asked,
  form: PublishedForm,
  { key, fingerprint }: Key,
  data: Buffer,
): Promise<SubmissionRow | undefined> {
  const { db } = deps;
  const row = await findKey(db, form.id, key);
  if (!row) return undefined;
  const first = await submissions.byId(db, form.id, row.submission_id);
  const isSame = row.fingerprint.equals(fingerprint) || (first !== undefined && (await areSameAnswers(deps, asked, form, data, first)));
  if (!isSame) throw keyInUse();
  return first;
}

/**
 * Compared as values: a retry may order an object's keys differently or omit empty answers. Computed answers are not compared: nobody sends
 * them, and they follow from the others, but for the day and the formulas of the time.
 * @param form as it is now; undefined for one that takes no more answers
 */
export async function areSameAnswers(
  { db, forms }: Pick<Deps, 'db' | 'forms'>,
  asked: Asked,
  form: PublishedForm | undefined,
  data: Buffer,
  first: SubmissionRow,
): Promise<boolean> {
  const repeated = parseAnswers(data);
  const accepted = JSON.parse(await originalAnswers(db, first)) as Answers;
  if (isDeepStrictEqual(repeated, accepted)) return true;

  // The rules may have changed since then.
  const isOfNow = form && isVersionOf(form, first);
  const version = (isOfNow ? form : await forms.publishedVersionOf(first, asked).catch(ifNotFound)) ?? form;
  if (!version) return false;
  const { given } = version;
  if (isDeepStrictEqual(given(repeated), given(accepted))) return true;
  const checked = await version.check(repeated, () => dayIn(form?.timezone, first.created_at));
  return 'answers' in checked && isDeepStrictEqual(given(checked.answers), given(accepted));
}

/** With a code, because a page that a respondent came back to tells this refusal from a wrong answer. */
function keyInUse(): Problem {
  const fault = { key: 'Idempotency-Key', code: keyReused, params: {}, message: 'was already used with different answers' };
  return Problem.badRequest(`${fault.key}: ${fault.message}`, [fault]);
}
