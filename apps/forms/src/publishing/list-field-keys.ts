import { Field, isOrdered } from '@sheaf/contracts';
import { authorize, type Client } from '@sheaf/kernel';
import type { Deps } from '../deps';
import { loadForm } from '../form/load-form';
import * as versions from './versions.queries';

interface FieldLabels {
  key: string;
  label: string;
  /** By value. */
  options: Record<string, string>;
}

/**
 * The keys that answers may have in any version: those of the latest version in its order, then the removed ones. With `labels`, also what
 * the newest version with such a field calls it and its options. `unordered` are those whose answers have no order there.
 */
export async function listFieldKeys(
  { db }: Deps,
  caller: Client,
  { formId, labels }: { formId: string; labels: boolean },
): Promise<{ keys: string[]; labels: FieldLabels[]; unordered: string[] }> {
  const { form, role } = await loadForm(db, caller, formId);
  authorize(role, 'read this form');
  const found = await versions.fieldsOfAllVersions(db, form.id);
  return {
    keys: found.map(({ key }) => key),
    labels: labels ? found.map(({ field }) => labelsOf(field)) : [],
    unordered: found.filter(({ field }) => !isOrdered(JSON.parse(field) as Field)).map(({ key }) => key),
  };
}

function labelsOf(item: string): FieldLabels {
  const { key, label, options = [] } = Field.parse(JSON.parse(item));
  return { key, label, options: Object.fromEntries(options.map(({ value, label: of }) => [value, of])) };
}
