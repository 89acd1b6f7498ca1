import { referenceOf } from '@sheaf/contracts';
import { print, RawJson } from '../http/json';
import { Streamed } from '../http/streamed';
import { v1Submission, type SubmissionMessage, type Services } from './services';

/** The maximum size, in bytes, of a page's answers held in memory. Nearly every page is smaller. */
export const pageBytes = 1_048_576;

interface Page {
  submissions: SubmissionMessage[];
  /** Replaces `submissions` if the service already printed them as JSON. */
  json?: Buffer | undefined;
  /** The remaining submissions of the page, without their answers. */
  rest: SubmissionMessage[];
}

/**
 * A page of submissions in the envelope of every list. Answers beyond `pageBytes` are streamed while the client reads, so that neither
 * this process nor the service holds a page of a hundred large submissions.
 */
export function submissionPage(
  { submissions }: Pick<Services, 'submissions'>,
  page: Page,
  {
    formId,
    envelope,
    shape = v1Submission,
  }: {
    formId: string;
    /** Its first property is the list, and no later one contains a bracket. */
    envelope: (data: readonly unknown[] | RawJson) => object;
    shape?: (submission: SubmissionMessage) => object;
  },
): object {
  // An older version of the service sends `submissions` instead of `json`.
  const first = page.json ? RawJson.of(page.json) : page.submissions.map(shape);
  if (page.rest.length === 0) return envelope(first);

  return new Streamed({ contentType: 'application/json; charset=utf-8' }, async function* (streamCall) {
    const parts = submissions.readAnswers(streamCall, { form_id: formId, ids: page.rest.map(({ id }) => id) });
    const printed = print(envelope(first));
    const end = printed.lastIndexOf(']');
    yield Buffer.from(printed.slice(0, end));
    let separator = printed[end - 1] === '[' ? '' : ',';
    let index = 0;
    for await (const { answers } of parts) {
      for (const { id, data } of answers) {
        const submission = page.rest[index++];
        if (submission?.id !== id) throw new Error('the answers are not in the order of the page');
        yield Buffer.from(`${separator}${print(shape({ ...submission, data }))}`);
        separator = ',';
      }
    }
    if (index < page.rest.length) throw new Error('the answers ended before the page');
    yield Buffer.from(printed.slice(end));
  });
}

/** A submission with everything that v1 does not show. */
export const submissionDetail = (submission: SubmissionMessage) => ({
  ...v1Submission(submission),
  reference: referenceOf(submission.id),
  version_id: submission.version_id,
  updated_at: submission.updated_at,
  revision: submission.revision,
  edited: submission.revision !== undefined && submission.revision > 0,
  language: submission.language,
  assignee: submission.assignee,
  notes: submission.notes,
  entered_by:
    submission.entered_by_kind === undefined || submission.entered_by_id === undefined
      ? undefined
      : { kind: submission.entered_by_kind, id: submission.entered_by_id },
  fill_seconds: submission.fill_seconds,
  spam_at: submission.spam_at,
  deleted_at: submission.deleted_at,
});
