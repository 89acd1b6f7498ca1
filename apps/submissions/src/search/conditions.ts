import type { AnswerFilter } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { readConditions, type Filter } from './filter';

/** What somebody looks for. */
export interface Conditions {
  formId: string;
  q?: string | undefined;
  filters: readonly AnswerFilter[];
  statuses: readonly string[] | undefined;
  assignee?: string | undefined;
  /** ISO 8601. */
  from?: string | undefined;
  to?: string | undefined;
  changedSince?: string | undefined;
}

/** Whether answers are looked for, which only the search index finds. */
export const asksIndex = ({ q, filters }: Conditions): boolean => q !== undefined || filters.length > 0;

/** @throws Problem `bad_request` that names the parameter */
export async function filterFor(
  forms: Pick<Deps['forms'], 'fieldKeys'>,
  call: Call,
  { formId, q, filters, statuses, assignee, from, to, changedSince }: Conditions,
  sortKey?: string,
): Promise<Filter> {
  if (filters.length > 0 || sortKey !== undefined) refuseUnknownFields(new Set(await forms.fieldKeys(formId, call)), filters, sortKey);
  return { formId, ...readConditions(q, filters), statuses, assignee, from, to, changedSince };
}

/** A misspelled field would find nothing, and look as if there were nothing. */
function refuseUnknownFields(keys: ReadonlySet<string>, filters: readonly AnswerFilter[], sortKey: string | undefined): void {
  const unknown = filters.find(({ key }) => !keys.has(key));
  if (unknown) throw Problem.badRequest(`filter[${unknown.key.slice(0, 64)}]: no version of the form has this field`);
  if (sortKey !== undefined && !keys.has(sortKey))
    throw Problem.badRequest(`sort: no version of the form has the field ${sortKey.slice(0, 64)}`);
}
