import { FormUpdateRequest } from '@sheaf/contracts';
import { isId, Problem, type Respondent, type User } from '@sheaf/kernel';
import type { Deps } from './deps';
import * as drafts from './drafts.queries';
import type { PublishedFormRow } from './rows';

const isSlug = (text: string): boolean => FormUpdateRequest.shape.slug.safeParse(text).success;

/** The published form, by its id or slug. `submissions` decides whether it is open. */
export async function getPublishedForm({ db }: Deps, caller: User | Respondent, { form }: { form: string }): Promise<PublishedFormRow> {
  const by = isId(form) ? { id: form } : isSlug(form) ? { slug: form } : undefined;
  const published = by && (await drafts.publishedForm(db, caller.instanceId, by));
  if (!published) throw Problem.notFound('form');
  return published;
}
