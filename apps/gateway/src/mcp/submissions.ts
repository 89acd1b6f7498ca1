import {
  comparisons,
  getFormInsights,
  getSubmissionDetail,
  listSubmissionViews,
  searchConditions,
  searchSort,
  searchSubmissions,
  submissionAreas,
  submissionStatuses,
  text,
  type SubmissionView,
} from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { z } from 'zod';
import { formIdIn, pageIn } from './inputs';
import type { Ask } from './ask';
import { tool, type Tool } from './tool';

const answers = z
  .record(z.string(), z.unknown())
  .describe('The answers by the key of their question: what a respondent wrote, as data. Hidden characters are shown as \ufffd.');

const isCut = z.boolean().describe('Whether texts were cut to fit. read_submission has more of one submission.');

const FoundSubmission = z.object({
  id: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  status: z.string(),
  version: z.number().describe('The version of the form that it answers: preview or read the form for its questions.'),
  answers,
});

const PlacedSubmission = FoundSubmission.extend({
  place: z
    .enum(submissionAreas)
    .describe('The place of it: the list, unless `_in` asked for others. Submissions in the trash are not there for read_submission.'),
});

const Filter = z.object({
  key: text(1, 64).describe(
    'The key of a question; or `_version`, `_language`, `_files` (true or false), `_created` (with `within`), `_in` (list, spam, trash), or `_match` (any, so that one of the filters suffices).',
  ),
  comparison: z
    .enum(comparisons)
    .default('eq')
    .describe(
      'How to compare. `answered` takes true or false; `gt`, `gte`, `lt` and `lte` are for numbers, dates and times, and `within` takes days relative to today, such as today, this_month or last_7_days.',
    ),
  values: z.array(text(1, 200)).min(1).max(20).describe('Any of these will do.'),
});

interface Submission {
  id: string;
  created_at: string;
  updated_at: string;
  status: string;
  schema_version: number;
  data: Record<string, unknown>;
}

const shown = ({ id, created_at, updated_at, status: at, schema_version: version, data }: Submission) => ({
  id,
  created_at,
  updated_at,
  status: at,
  version,
  answers: data,
});

interface Placed {
  spam_at?: string | undefined;
  deleted_at?: string | undefined;
}

const placeOf = ({ spam_at, deleted_at }: Placed): (typeof submissionAreas)[number] =>
  deleted_at !== undefined ? 'trash' : spam_at !== undefined ? 'spam' : 'list';

/** The search of a view that the caller sees. @throws Problem `bad_request` beside other conditions, or unless exactly one view is meant */
async function searchOfView(ask: Ask, form: string, wanted: string, beside: object) {
  const [other] = Object.entries(beside).filter(([, value]) => value !== undefined);
  if (other) throw Problem.badRequest(`view: cannot be combined with ${other[0]}, as the view has all conditions`);
  const { data } = await ask(listSubmissionViews, { params: { id: form } });
  const [view, another] = data.filter(({ id, name }) => id === wanted || name === wanted);
  if (another) throw Problem.badRequest(`view: several views have this name; give the id of one, such as ${another.id}`);
  if (!view) throw Problem.badRequest(`view: must be one of ${namesOf(data)}`);
  const { filter: filters, ...search } = view.search;
  return { ...search, ...(filters && { filters }) };
}

const namesOf = (views: readonly SubmissionView[]): string =>
  views.length === 0
    ? 'the views of the form, which has none that the caller sees'
    : views.map(({ name }) => JSON.stringify(name)).join(', ');

/** Reads what respondents sent. No tool changes a submission. */
export const submissionTools: readonly Tool[] = [
  tool({
    name: 'search_submissions',
    operations: [searchSubmissions, listSubmissionViews],
    text: 'Texts of answers are cut after 1,000 characters. To count submissions, use summarize_submissions instead of reading them all.',
    input: z.object({
      form: formIdIn,
      view: text(1, 80)
        .optional()
        .describe('The name or id of a view that people keep of the form, in place of all other conditions and the order.'),
      q: searchConditions.q,
      status: z
        .array(z.enum(submissionStatuses))
        .max(submissionStatuses.length)
        .optional()
        .describe('Only submissions with one of these statuses.'),
      from: z
        .string()
        .max(64)
        .optional()
        .describe(searchConditions.from.description ?? ''),
      to: z
        .string()
        .max(64)
        .optional()
        .describe(searchConditions.to.description ?? ''),
      filters: z.array(Filter).max(20).optional().describe('Conditions, which must all be met unless `_match` says otherwise.'),
      sort: searchSort()
        .optional()
        .describe(
          '`created`, `updated` or `answers.<key>`, with a `-` before it for the newest or greatest first. `-created` unless given.',
        ),
      ...pageIn(20, 10),
    }),
    output: z.object({
      submissions: z.array(PlacedSubmission),
      total: z.number().optional().describe('How many there are on all pages, if that is known.'),
      total_at_least: z.number().optional().describe('In place of total.'),
      next_cursor: z.string().nullable().describe('The cursor of the next page; null on the last one.'),
      is_cut: isCut,
    }),
    fromRespondents: true,
    bounds: { text: 1_000, all: 40_000 },
    async run({ form, view, limit, cursor, ...given }, { ask }) {
      const wanted = view === undefined ? given : await searchOfView(ask, form, view, given);
      const { status: statuses, filters = [], ...query } = wanted;
      const filter = Object.fromEntries(filters.map(({ key, comparison, values }) => [`[${key}][${comparison}]`, values]));
      const { data, ...page } = await ask(searchSubmissions, {
        params: { id: form },
        query: {
          ...query,
          limit,
          cursor,
          ...(statuses === undefined ? {} : { status: statuses.join(',') }),
          ...(filters.length === 0 ? {} : { filter }),
        },
      });
      return { submissions: data.map((each) => ({ ...shown(each), place: placeOf(each) })), ...page, is_cut: false };
    },
  }),
  tool({
    name: 'read_submission',
    operations: [getSubmissionDetail],
    text: 'Texts of answers are cut after 20,000 characters. Of an uploaded file there is the id only.',
    input: z.object({ form: formIdIn, submission: text(1, 64).describe('The id of a submission, from search_submissions.') }),
    output: FoundSubmission.extend({
      language: z.string().optional().describe('The language in which the form was filled in.'),
      edited: z.boolean().describe('Whether its answers have been corrected.'),
      notes: z.number().optional().describe('The number of notes on it.'),
      is_cut: isCut,
    }),
    fromRespondents: true,
    bounds: { text: 20_000, all: 60_000 },
    async run({ form, submission }, { ask }) {
      const { language, edited, notes, ...one } = await ask(getSubmissionDetail, { params: { id: form, subId: submission } });
      return { ...shown(one), language, edited, notes, is_cut: false };
    },
  }),
  tool({
    name: 'summarize_submissions',
    operations: [getFormInsights],
    text: 'Use it for questions such as how many, how often and how much; read_form has the labels of the keys. Days without visits and submissions are left out.',
    input: z.object({
      form: formIdIn,
      from: z
        .string()
        .max(10)
        .optional()
        .describe('The first day, such as 2026-03-01; 30 days until `to` unless given. Only `days` depends on it.'),
      to: text(1, 10).optional().describe('The last day; today unless given.'),
      keys: z.array(text(1, 64)).min(1).max(20).optional().describe('Only the questions with these keys.'),
    }),
    output: z.object({
      complete: z.boolean().describe('Whether every submission is counted.'),
      submissions: z.number(),
      spam: z.number().describe('Submissions that are held as spam, which nothing else here counts.'),
      timezone: z.string(),
      statuses: z.array(z.object({ status: z.string(), submissions: z.number() })),
      days: z.array(
        z.object({ date: z.string(), submissions: z.number(), views: z.number(), starts: z.number(), completions: z.number() }),
      ),
      questions: z.array(
        z.object({
          key: z.string(),
          answered: z.number().describe('Submissions that answer it.'),
          options: z.array(z.object({ value: z.string(), submissions: z.number() })).optional(),
          numbers: z.record(z.string(), z.unknown()).optional().describe('Lowest, quartiles, median, highest, and ranges of the numbers.'),
          omitted: z.literal(true).optional().describe('Its counts did not fit: ask for its key alone.'),
        }),
      ),
      is_cut: z.boolean().describe('Whether something was left out. Name a few keys to get all of them.'),
    }),
    fromRespondents: true,
    bounds: { text: 300, all: 60_000 },
    async run({ form, from, to, keys }, { ask }) {
      const { days, fields, ...found } = await ask(getFormInsights, {
        params: { id: form },
        query: { from, to, ...(keys === undefined ? {} : { field: keys.join(',') }) },
      });
      const isBusy = (day: (typeof days)[number]) => day.submissions + day.views + day.starts + day.completions > 0;
      return { ...found, days: days.filter(isBusy), questions: fields, is_cut: false };
    },
  }),
];
