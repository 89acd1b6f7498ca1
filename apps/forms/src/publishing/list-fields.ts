import { answerTraitsOf, fieldsOf, isAlwaysRequired, type FormField, type FormItem } from '@sheaf/contracts';
import { authorize, type Client } from '@sheaf/kernel';
import type { z } from 'zod';
import type { Deps } from '../deps';
import { loadForm } from '../form/load-form';
import * as versions from './versions.queries';

/** The published fields as v1 describes them, without the elements between them; empty before the first publication. */
export async function listFields(
  { db }: Deps,
  caller: Client,
  { id }: { id: string },
): Promise<{ formId: string; fields: z.output<typeof FormField>[] }> {
  const { form, role } = await loadForm(db, caller, id);
  authorize(role, 'read this form');
  if (form.current_version === 0) return { formId: form.id, fields: [] };

  const items = JSON.parse(await versions.fieldsOfVersion(db, form.id, form.current_version)) as FormItem[];
  return {
    formId: form.id,
    fields: fieldsOf(items).map((field) => ({
      key: field.key,
      label: field.label,
      type: answerTraitsOf(field).v1,
      required: isAlwaysRequired(field),
    })),
  };
}
