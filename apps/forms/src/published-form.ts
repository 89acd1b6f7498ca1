import { FormUpdateRequest } from '@sheaf/contracts';
import { isId, Problem, type Respondent, type User } from '@sheaf/kernel';
import type { Deps } from './deps';
import * as drafts from './drafts.queries';
import type { PublishedFormRow } from './rows';

const isSlug = (text: string): boolean => FormUpdateRequest.shape.slug.safeParse(text).success;

/** A form as respondents fill it in, by its id or its slug. Whether it takes submissions at the moment is for `submissions` to say. */
export async function getPublishedForm({ db }: Deps, caller: User | Respondent, { form }: { form: string }): Promise<PublishedFormRow> {
  const by = isId(form) ? { id: form } : isSlug(form) ? { slug: form } : undefined;
  const published = by && (await drafts.publishedForm(db, caller.instanceId, by));
  if (!published) throw Problem.notFound('form');
  return published;
}
