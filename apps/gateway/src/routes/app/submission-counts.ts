import { Problem, type ProblemCode } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { Services } from '../services';

/** How long a request waits for the counts of its forms. */
const timeoutMs = 2_000;

/** The failures without which the rest of the answer is still right. */
const passing: readonly string[] = ['unavailable', 'internal_error', 'insufficient_scope'] satisfies ProblemCode[];

/**
 * The counts of the submissions of forms, in one call. People can find and read their forms while `submissions` is down, so its failure is no
 * failure of theirs. Neither are they refused a form because they may not read its submissions.
 */
export async function submissionCounts({ submissions }: Pick<Services, 'submissions'>, call: Call, ids: string[]) {
  if (ids.length === 0) return () => ({ submissions: null });
  const deadline = Math.min(call.deadline, Date.now() + timeoutMs);
  const summarized = await submissions.summarizeForms({ ...call, deadline }, { form_ids: ids }).catch((error: unknown) => {
    if (error instanceof Problem && !passing.includes(error.code)) throw error;
    return { forms: [] };
  });
  const counts = new Map(summarized.forms.map((counted) => [counted.form_id, counted]));
  return (id: string) => {
    const counted = counts.get(id);
    if (!counted) return { submissions: null };
    return {
      submissions: { total: counted.total, new: counted.fresh, spam: counted.spam },
      last_submission_at: counted.last_submission_at,
    };
  };
}
