import { isDeepStrictEqual } from 'node:util';
import { audited, record, type Deed } from '@sheaf/events';
import { dayIn } from '@sheaf/formulas';
import { authorize, isId, Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { claimFiles } from '../files/claim-files';
import type { Answers } from '../form/answers';
import { checkedAnswers, invalidAnswers } from '../form/checked-answers';
import { ifNotFound } from '../form/forms-view';
import { unlessRefused } from '../exact/refusals';
import { readyForMembers } from '../exact/ready-for-members';
import { indexAgain } from '../search/index.queries';
import { isAnnounced, momentAfter, submissionCorrected } from '../submission/events';
import { lockSubmission } from '../submission/lock-submission';
import * as submissions from '../submission/submissions.queries';
import type { SubmissionRow } from '../submission/submissions.queries';
import { replaceAnswers } from './revisions.queries';

interface Correction {
  formId: string;
  id: string;
  /** All answers, not only those that change. */
  data: Answers;
  reason?: string | undefined;
  /** The revision that the caller has read. */
  revision: number;
}

/**
 * Replaces the answers of a submission. They are checked against the version that the submission was made against, which stays its version.
 * The earlier answers and their files are kept as a revision. The contract never sends `submission.updated`, so only webhooks of the application hear
 * of it. Calculated answers are computed anew, with the day on which the submission arrived.
 * @throws Problem `not_found`, `forbidden`, `bad_request` with `details` for wrong answers, `conflict` if the submission was corrected since,
 * or an option that it gets has no place left, or another one has the answer.
 */
export async function correctSubmission(deps: Deps, asked: Asked<Client>, correction: Correction): Promise<SubmissionRow> {
  const { formId, id, reason, revision } = correction;
  const found = await submissionOf(deps, asked, correction);
  const version = await deps.forms.versionOf(found, asked);
  const form = await deps.forms.published(formId, asked).catch(ifNotFound);
  // A mended answer must not make somebody older.
  const answers = await checkedAnswers(version.check, correction.data, () => dayIn(form?.timezone, found.created_at));
  await readyForMembers(deps, asked, formId);

  return unlessRefused(
    lockSubmission(deps, asked, 'change submissions of this form', { formId, id }, async (trx, { submission: before, workspaceId }) => {
      if (before.revision !== revision) throw Problem.conflict('The submission has been corrected since you read it.');
      const changed = changedKeys(JSON.parse(before.data) as Answers, answers);
      if (changed.length === 0) return before;

      const [fault, ...more] = await claimFiles(trx, { id: formId, fileFields: version.fileFields }, answers, id);
      if (fault) throw invalidAnswers([fault, ...more]);
      const now = momentAfter([before], deps.clock.now());
      const after = { ...before, data: JSON.stringify(answers), revision: revision + 1, changed_at: now };
      const by = { changed_by_kind: asked.caller.kind, changed_by_id: asked.caller.id };
      await indexAgain(trx, formId, [id]);
      await replaceAnswers(trx, after.data, { submission_id: id, number: revision, ...by, reason: reason ?? null, changed_at: now });
      const deed: Deed = {
        action: 'submission.corrected',
        target: { kind: 'submission', id },
        workspaceId,
        formId,
        details: { revision: after.revision, changed },
      };
      const { caller, call } = asked;
      const corrected = submissionCorrected(caller.instanceId, after, { at: now, changed, by: caller }, call);
      await record(trx, ...(isAnnounced(before) ? [corrected] : []), audited(asked, deed, now));
      return after;
    }),
  );
}

/** The submission, for a caller who may change it. */
async function submissionOf(deps: Deps, asked: Asked<Client>, { formId, id }: { formId: string; id: string }): Promise<SubmissionRow> {
  const role = await deps.forms.roleOn(formId, asked);
  const found = isId(id) ? await submissions.find(deps.db, formId, id) : undefined;
  if (!found) throw Problem.notFound('submission');
  authorize(role, 'change submissions of this form');
  return found;
}

const changedKeys = (before: Answers, after: Answers): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => !isDeepStrictEqual(before[key], after[key]));
