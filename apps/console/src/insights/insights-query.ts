import { getFormInsights, type FieldInsights, type FormInsights, type FormItem, type GetFormInsightsData } from '@sheaf/client';
import { answerKindOf, countryOptions, labelTextOf } from '@sheaf/contracts';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../api/client';
import { useFormats } from '../words/use-formats';
import { hasStatus, serverMessage } from '../api/problem-sentence';
import { useWords } from '../words/use-words';
import type { Narrowing } from './narrowing';
import { sumOfSteps } from './steps';
import { mostDaysEarlier, partsOf, shortened, type Span } from './period';

type Query = NonNullable<GetFormInsightsData['query']>;

/** The counts of a period cannot be put together from those of its parts. */
const requestsOf = (span: Span, { period_only: isPeriodOnly }: Query): Span[] =>
  isPeriodOnly === true ? [shortened(span)] : partsOf(span);

/**
 * The counts of a form, of each part of the span. While the system is upgraded, an earlier `gateway` knows no `period_only`, and an earlier
 * `submissions` no period longer than a year: the counts are of all submissions then, and say so.
 */
async function askFor(id: string, span: Span, query: Query, signal: AbortSignal): Promise<FormInsights[]> {
  const ask = (parts: readonly Span[], asked: Query) =>
    Promise.all(parts.map((part) => getFormInsights({ client, path: { id }, query: { ...part, ...asked }, signal })));
  try {
    return await ask(requestsOf(span, query), query);
  } catch (error) {
    if (!isOfEarlierRelease(error)) throw error;
    const { period_only: _, ...rest } = query;
    return await ask(partsOf(span, mostDaysEarlier), rest);
  }
}

const isOfEarlierRelease = (error: unknown): boolean =>
  hasStatus(error, 400) && /^(?:period_only: |from: must be at most )/.test(serverMessage(error));

/** The counts of a form. Days and steps that do not fit into one answer come in several; all else does not depend on them then, so the last answer's holds. */
export const insightsQuery = (id: string, span: Span, narrowing: Narrowing) =>
  queryOptions({
    queryKey: ['form', id, 'insights', span.from, span.to, narrowing],
    queryFn: async ({ signal }): Promise<FormInsights> => {
      const answers = await askFor(id, span, narrowing, signal);
      const last = answers.at(-1);
      if (!last) throw new Error('The period has no days.');
      const steps = sumOfSteps(answers);
      return { ...last, days: answers.flatMap(({ days }) => days), ...(steps && { steps }) };
    },
  });

/** The counts of one field that were left out of the answer about all. */
export const fieldQuery = (id: string, key: string, span: Span, narrowing: Narrowing) =>
  queryOptions({
    queryKey: ['form', id, 'insights', 'field', key, span, narrowing],
    queryFn: async ({ signal }): Promise<FieldInsights | undefined> =>
      (await askFor(id, daysFor(span, narrowing), { ...narrowing, field: [key] }, signal)).at(-1)?.fields[0],
  });

/** Without `period_only`, the counts of a field are the same whichever days are asked for. */
const daysFor = (span: Span, { period_only: isPeriodOnly }: Narrowing): Span =>
  isPeriodOnly === true ? span : { from: span.to, to: span.to };

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
    return { ...field, label: question ? labelTextOf(question) : (field.label ?? field.key), question };
  });
}

interface YesAndNo {
  yes: string;
  no: string;
}

/** The options that the published version offers; of a question that it no longer has, those that were chosen. */
export function choicesOf({ question, options = [] }: CountedField, say: YesAndNo): { value: string; label: string }[] {
  if (!question) return options.map(({ value, label }) => ({ value, label: label ?? value }));
  if (answerKindOf(question) === 'boolean') return Object.entries(truthOf(say)).map(([value, label]) => ({ value, label }));
  return 'options' in question
    ? question.options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option))
    : [];
}

/** The answers that submissions can be narrowed to: the choices, and the countries that a question offers, of which nobody has chosen most. */
export const answersToNarrowBy = (field: CountedField, say: YesAndNo, language: string): { value: string; label: string }[] =>
  field.question?.type === 'country' ? countryOptions(field.question, language) : choicesOf(field, say);

/** Whether submissions can be narrowed to answers of the field, without their names. A question about countries always offers some. */
export const hasAnswersToNarrowBy = (field: CountedField, say: YesAndNo): boolean =>
  field.question?.type === 'country' || choicesOf(field, say).length > 0;

export const truthOf = ({ yes, no }: YesAndNo): Record<string, string> => ({ true: yes, false: no });

/** The name of an option: as the published version has it, else as the newest that offered it. */
export function useOptionName() {
  const say = useWords('insights');
  const { country } = useFormats();
  const isCountry = ({ question }: CountedField) => question !== undefined && answerKindOf(question) === 'country';
  return (field: CountedField, { value, label }: { value: string; label?: string | undefined }): string =>
    isCountry(field)
      ? country(value)
      : (choicesOf(field, say).find((choice) => choice.value === value)?.label ?? label ?? truthOf(say)[value] ?? value);
}
