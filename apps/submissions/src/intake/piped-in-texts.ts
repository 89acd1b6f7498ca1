import { FieldList, fieldsOf, hasFiles, keysInThanks, otherKey, pipedKeys, type Field, type FormEnding } from '@sheaf/contracts';
import type { Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import { originalAnswers } from '../corrections/revisions.queries';
import type { Deps } from '../deps';
import * as files from '../files/files.queries';
import { ifNotFound } from '../form/forms-view';
import type { OwnedSubmission } from '../submission/submissions.queries';

/** Answers with the fields that they belong to, and the names of files among them by their ids. */
export interface Piped {
  data: Record<string, unknown>;
  fields: Field[];
  file_names: Record<string, string>;
}

/**
 * The answers that the ending of a submission shows, or else the thank-you: no others, as the receipt may be read by somebody else. They are those
 * that were accepted, as an ending is decided by them too.
 */
export async function pipedInTexts(
  { db, forms }: Pick<Deps, 'db' | 'forms'>,
  asked: Asked<Respondent>,
  submission: OwnedSubmission,
  ending: FormEnding | undefined,
): Promise<Piped | undefined> {
  const form = ending ? undefined : await forms.published(submission.form_id, asked).catch(ifNotFound);
  const keys = ending ? pipedKeys(ending) : keysInThanks(form?.settings ?? {});
  if (keys.size === 0) return undefined;
  const version = await forms.publishedVersionOf(submission, asked).catch(ifNotFound);
  if (!version) return undefined;
  const fields = fieldsOf(FieldList.parse(JSON.parse(version.fields.toString()))).filter(({ key }) => keys.has(key));
  // The text of *Other* stands for that choice.
  const shown = new Set(fields.flatMap(({ key, other }) => (other ? [key, otherKey(key)] : [key])));
  const answers = Object.entries(JSON.parse(await originalAnswers(db, submission)) as Record<string, unknown>);
  return {
    data: Object.fromEntries(answers.filter(([key]) => shown.has(key))),
    fields,
    file_names: fields.some(hasFiles) ? await files.namesOf(db, submission.id) : {},
  };
}
