import { Problem } from '@sheaf/kernel';
import { z } from 'zod';
import { cursorPage, flag, offsetInstant, oneOf, several, text } from '../shapes';
import { submissionStatuses } from '../v1/submissions';
import { SubmissionDetail } from './corrections';
import { exportFormatNames } from './exports';

/** The ways to compare an answer with what a filter gives. `answered` takes `true` or `false`. */
export const comparisons = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'answered'] as const;

/** A condition on the answers to a field. Several values are alternatives. */
export const AnswerFilter = z.object({
  key: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  comparison: z.enum(comparisons),
  values: z.array(text(0, 200)).min(1).max(20),
});
export type AnswerFilter = z.output<typeof AnswerFilter>;

export const searchText = () => text(1, 200);
export const searchSort = () =>
  z
    .string()
    .regex(
      /^-?(?:created|updated|answers\.[a-z][a-z0-9_]{0,63})$/,
      'must be created, updated or answers.<key>, with the key of a field, or one of these with a - before it',
    );

/**
 * `total` is there if it is known without reading all submissions, and otherwise `total_at_least`. `indexed` tells whether a search covers every
 * submission yet; it is absent where the index was not asked.
 */
export const FoundSubmissions = z.object({
  data: z.array(SubmissionDetail),
  total: z.int().optional(),
  total_at_least: z.int().optional(),
  next_cursor: z.string().nullable(),
  indexed: z.boolean().optional(),
});

/** Submissions that arrived at or after `from` and before `to`, and so on. */
const conditions = {
  q: searchText().optional(),
  status: several(submissionStatuses).optional(),
  assignee: text(1, 64).optional(),
  from: offsetInstant().optional(),
  to: offsetInstant().optional(),
  changed_since: offsetInstant().optional(),
  /** Parameters such as `filter[age][gte]`, without their first word. */
  filter: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
};

export const SubmissionSearch = z.object({ ...cursorPage, ...conditions, sort: searchSort().optional() });

/** An export of what a search would find. `labels`: of fields and options, in place of keys and values. */
export const ExportQuery = z.object({
  format: oneOf(exportFormatNames).default('csv'),
  ...conditions,
  labels: flag().default(false),
});

const maxFilters = 20;

/** @param given values by `[key]` or `[key][comparison]`. @throws Problem `bad_request` that names the parameter. */
export function readFilters(given: Readonly<Record<string, string | readonly string[]>> = {}): AnswerFilter[] {
  const entries = Object.entries(given);
  if (entries.length > maxFilters) throw Problem.badRequest(`filter: must be given at most ${maxFilters} times`);
  return entries.map(([name, typed]) => {
    const [, key = '', comparison = 'eq'] = /^\[([^[\]]*)\](?:\[([^[\]]*)\])?$/.exec(name) ?? [];
    const refuse = (message: string) => Problem.badRequest(`filter${name.slice(0, 100)}: ${message}`);
    const read = AnswerFilter.safeParse({ key, comparison, values: typeof typed === 'string' ? [typed] : typed });
    if (read.success) return read.data;
    switch (String(read.error.issues[0]?.path[0])) {
      case 'key':
        throw refuse('must have the key of a field in brackets, such as filter[age]');
      case 'comparison':
        throw refuse(`the comparison must be one of ${comparisons.join(', ')}`);
      default:
        throw refuse('must be given at most 20 times, with at most 200 characters');
    }
  });
}
