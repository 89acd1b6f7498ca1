import { Problem, type Respondent } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import * as saved from './saved.queries';

/** Saved answers, even if the form no longer offers to save any: they were promised to be kept. @throws Problem `not_found`, `too_many_requests` */
export async function getSavedAnswers(
  { db, clock, forms, guard }: Deps,
  asked: Asked<Respondent>,
  { form, name }: { form: string; name: Buffer },
): Promise<{ sealed: Buffer; expires_at: Date }> {
  const { id } = await forms.published(form, asked);
  // A page with many answers takes long to show.
  guard.admitCheck(id, asked.call.address);
  const found = await saved.find(db, id, name, clock.now());
  if (!found) throw Problem.notFound('saved answers');
  return found;
}
