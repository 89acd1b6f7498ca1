import { endingFor, type FormEnding } from '@sheaf/contracts';
import type { Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import { originalAnswers } from '../corrections/revisions.queries';
import type { Deps } from '../deps';
import type { SubmissionRow } from '../submission/submissions.queries';
import { ifNotFound, isVersionOf, type Version } from './forms-view';

/** The version by its name, so that nothing has to be asked for if a submission is of this one. */
type Known = Pick<Version, 'endings'> & { version: number; versionId: string | undefined };

/**
 * How the form ends for a submission: by the answers that were accepted, under the version that they were made against. A correction changes
 * nothing of it, as the respondent has read it by then. Undefined if none of the endings applies, or the version is gone.
 */
export async function endingOf(
  { db, forms }: Pick<Deps, 'db' | 'forms'>,
  asked: Asked<Respondent>,
  submission: SubmissionRow,
  known?: Known,
): Promise<FormEnding | undefined> {
  const isKnown = known && isVersionOf(known, submission);
  const { endings = [] } = (isKnown ? known : await forms.publishedVersionOf(submission, asked).catch(ifNotFound)) ?? {};
  if (endings.length === 0) return undefined;
  return endingFor(endings, JSON.parse(await originalAnswers(db, submission)) as Record<string, unknown>);
}

/** As respondents get it: what it depends on matters no more. */
export const endingMessage = ({ if: _, type: __, ...ending }: FormEnding): Buffer => Buffer.from(JSON.stringify(ending));
