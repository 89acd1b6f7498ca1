import { audited, record } from '@sheaf/events';
import { dayIn } from '@sheaf/formulas';
import { authorize, newId, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { claimFiles } from '../files/claim-files';
import { letBeyond } from '../exact/exact.queries';
import { exactRefusal, refusedProblem } from '../exact/refusals';
import type { Answers } from '../form/answers';
import { checkedAnswers, invalidAnswers } from '../form/checked-answers';
import type { PublishedForm } from '../form/forms-view';
import { submissionCreated } from '../submission/events';
import { setEnteredBy, type NewSubmission, type SubmissionRow } from '../submission/submissions.queries';
import { storeInTransaction } from './batches';
import { takeKey } from './keys.queries';
import { firstResult, keyFor } from './repeats';

interface Entry {
  formId: string;
  /** By field key. */
  data: Answers;
  idempotencyKey?: string | undefined;
  language?: string | undefined;
}

/**
 * Stores answers that a member enters on somebody's behalf, for example from paper. They are checked and announced like those of a
 * respondent, but never looked at for spam, and no payment is due. They count towards the form's limit, but neither that nor the form's
 * closing refuses them, nor an option without a place left: a member decides what belongs to the form. An answer that another submission has is refused.
 * @throws Problem `not_found` if the form was never published or is in the trash, `forbidden`, `bad_request` with `details`
 */
export async function enterSubmission(deps: Deps, asked: Asked<Client>, entry: Entry): Promise<SubmissionRow> {
  const { formId } = entry;
  const { caller, call } = asked;
  const { role, workspaceId } = await deps.forms.standingOn(formId, asked);
  authorize(role, 'change submissions of this form');
  const form = await deps.forms.published(formId, asked);
  const data = Buffer.from(JSON.stringify(entry.data));
  const key = entry.idempotencyKey === undefined ? undefined : keyFor(ownKey(caller, entry.idempotencyKey), data);
  // First, because the form may have changed since then so that the answers would be refused now.
  const earlier = key && (await firstResult(deps, asked, form, key, data));
  if (earlier) return earlier;
  const now = deps.clock.now();
  const answers = await checkedAnswers(form.check, entry.data, () => dayIn(form.timezone, now));
  await deps.exact.current(form, asked);

  const submission = newSubmission(caller, form, { data: JSON.stringify(answers), language: entry.language, now });
  const event = submissionCreated(caller.instanceId, submission, submission.created_at, call);
  const isStored = await deps.outbox
    .transaction(async (trx) => {
      const { id, created_at } = submission;
      if (key && !(await takeKey(trx, { form_id: form.id, ...key, submission_id: id, created_at }))) return false;
      const [fault, ...more] = await claimFiles(trx, form, answers, id);
      if (fault) throw invalidAnswers([fault, ...more]);
      await letBeyond(trx, 'places');
      await storeInTransaction(trx, { submission, limit: undefined, isExact: false, event });
      await setEnteredBy(trx, id, caller);
      await record(
        trx,
        audited(asked, { action: 'submission.entered', target: { kind: 'submission', id }, workspaceId, formId: form.id }, created_at),
      );
      return true;
    })
    .catch((error: unknown) => {
      const refused = exactRefusal(error);
      throw refused ? refusedProblem([refused], form.exact) : error;
    });
  if (isStored) {
    deps.outbox.publish([event]);
    return submission;
  }
  const first = key && (await firstResult(deps, asked, form, key, data));
  if (!first) throw Problem.unavailable('an idempotency key was taken but is free again');
  return first;
}

/** The keys of members are apart from each other and from those of respondents, which have no space. */
const ownKey = ({ kind, id }: Client, key: string): string => `${kind} ${id} ${key}`;

const newSubmission = (
  { kind, id, instanceId }: Client,
  form: Pick<PublishedForm, 'id' | 'version' | 'versionId'>,
  { data, language, now }: { data: string; language: string | undefined; now: Date },
): NewSubmission => ({
  id: newId(),
  instance_id: instanceId,
  form_id: form.id,
  data,
  schema_version: form.version,
  version_id: form.versionId ?? null,
  status: 'new',
  created_at: now,
  announced_at: now,
  spam_at: null,
  spam_reason: null,
  holds_place: true,
  deleted_at: null,
  changed_at: null,
  assignee: null,
  revision: 0,
  notes: 0,
  language: language ?? null,
  entered_by_kind: kind,
  entered_by_id: id,
  fill_seconds: null,
});
