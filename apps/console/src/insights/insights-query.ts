import { getFormInsights, type FieldInsights, type FormInsights, type FormItem } from '@sheaf/client';
import { labelTextOf } from '@sheaf/contracts';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client';
import { partsOf, type Span } from './period';

/** The counts of a form. Days that do not fit into one answer come in several; all else is about all submissions, so the last answer's holds. */
export const insightsQuery = (id: string, span: Span) =>
  queryOptions({
    queryKey: ['form', id, 'insights', span.from, span.to],
    queryFn: async ({ signal }): Promise<FormInsights> => {
      const answers = await Promise.all(partsOf(span).map((query) => getFormInsights({ client, path: { id }, query, signal })));
      const last = answers.at(-1);
      if (!last) throw new Error('The period has no days.');
      return { ...last, days: answers.flatMap(({ days }) => days) };
    },
  });

/** The counts of one field that were left out of the answer about all. */
export const fieldQuery = (id: string, key: string) =>
  queryOptions({
    queryKey: ['form', id, 'insights', 'field', key],
    queryFn: async ({ signal }): Promise<FieldInsights | undefined> =>
      (await getFormInsights({ client, path: { id }, query: { field: [key] }, signal })).fields[0],
  });

/** An element of a form that has answers. */
type Question = Extract<FormItem, { key: string }>;

/** A field with what is asked in it; `question` is absent for a field that the published version no longer has. */
export interface CountedField extends FieldInsights {
  label: string;
  question: Question | undefined;
}

export function withQuestions(fields: readonly FieldInsights[], items: readonly FormItem[]): CountedField[] {
  const questions = new Map(items.flatMap((item) => ('key' in item && 'label' in item ? [[item.key, item] as const] : [])));
  return fields.map((field) => {
    const question = questions.get(field.key);
    return { ...field, label: question ? labelTextOf(question) : field.key, question };
  });
}
