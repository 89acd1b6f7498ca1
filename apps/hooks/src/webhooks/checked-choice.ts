import {
  choiceFault,
  comparisonFaults,
  FieldList,
  fieldsOf,
  normalComparison,
  type Field,
  type StoredFilter,
  type WebhookOptions,
} from '@sheaf/contracts';
import { Problem, type Client } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { eventsOf, type SubscriptionRow } from '../subscription/subscriptions.queries';

/** A filter, a choice of fields and the limits of batches as somebody wants them: null for none, undefined to keep the present ones. */
export interface WantedChoice {
  filter?: StoredFilter | null | undefined;
  fields?: string[] | null | undefined;
  batch?: WebhookOptions['batch'] | null;
}

/**
 * The choice with the values of its conditions as answers are kept, checked against the fields of every version of the form and of its draft: a field
 * that is removed later has no answer then.
 * @throws Problem `bad_request` that names the field
 */
export async function checkedChoice(
  { forms }: Pick<Deps, 'forms'>,
  { call }: Asked<Client>,
  formId: string | undefined,
  wanted: WantedChoice,
): Promise<WantedChoice> {
  const conditions = wanted.filter?.answers ?? [];
  const keys = wanted.fields ?? [];
  // A webhook of several forms is refused later, once its place is known.
  if (formId === undefined || (conditions.length === 0 && keys.length === 0)) return wanted;
  const found = await forms.listFieldKeys(call, { form_id: formId, fields: true });
  const unknown = (part: string) => Problem.badRequest(`${part}: no version of the form has this field`);
  const known = new Set(found.keys);
  const fields = new Map<string, Field>();
  // An earlier version of `forms` tells the keys alone.
  if (found.fields.length > 0)
    for (const field of fieldsOf(FieldList.element.array().parse(JSON.parse(found.fields.toString())))) {
      known.add(field.key);
      fields.set(field.key, field);
    }
  const missing = keys.findIndex((key) => !known.has(key));
  if (missing !== -1) throw unknown(`fields.${missing}`);
  const answers = conditions.map((condition, at) => {
    if (!known.has(condition.key)) throw unknown(`filter.answers.${at}.key`);
    const source = fields.get(condition.key);
    if (!source) return condition;
    const normal = normalComparison(condition, source);
    const [fault] = comparisonFaults(normal, source);
    if (fault) throw Problem.badRequest(`filter.answers.${at}.${fault[0]}: ${fault[1]}`);
    return normal;
  });
  return wanted.filter?.answers ? { ...wanted, filter: { ...wanted.filter, answers } } : wanted;
}

/** The choice after a change. */
export const mergeChoice = (
  { options }: Pick<SubscriptionRow, 'options'>,
  { filter = options?.filter, fields = options?.fields, batch = options?.batch }: WantedChoice,
): Pick<WebhookOptions, 'filter' | 'fields' | 'batch'> => ({
  ...(fields && { fields }),
  ...(filter && { filter }),
  ...(batch && { batch }),
});

/** @throws Problem `bad_request` if the filter or the fields are not those of such a webhook */
export function refuseUnfitChoice(row: Pick<SubscriptionRow, 'form_id' | 'event' | 'more_events' | 'options'>): void {
  const fault = choiceFault(row.options ?? {}, { events: eventsOf(row), isOfForm: row.form_id !== null });
  if (fault !== undefined) throw Problem.badRequest(fault);
}
