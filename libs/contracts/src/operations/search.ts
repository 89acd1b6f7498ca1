import { isId, Problem } from '@sheaf/kernel';
import { z } from 'zod';
import { described } from '../described';
import { filterFacts } from '../search/filter-facts';
import { bool, createdAt, cursorPage, offsetInstant, ownId, several, text, whole } from '../shapes';
import { SubmissionDetail } from './corrections';
import { submissionStatuses } from './submissions';
import { carriedAs } from './message';
import { operation } from './operation';
import { formId } from './params';

/**
 * The ways to compare an answer with what a filter gives. `answered` and `empty` take `true` or `false`, `within` takes days relative to today.
 */
export const comparisons = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'starts_with', 'within', 'answered', 'empty'] as const;

/** A condition on the answers to a field, or on the submission. Several values are alternatives. */
export const AnswerFilter = z.object({
  key: z.string().regex(new RegExp(`^(?:[a-z][a-z0-9_]{0,63}|${filterFacts.join('|')})$`)),
  comparison: z.enum(comparisons),
  values: z.array(text(0, 200)).min(1).max(20),
});
export type AnswerFilter = z.output<typeof AnswerFilter>;

export const searchText = () => text(1, 200);
export const searchSort = () =>
  z
    .string()
    .regex(
      /^-?(?:created|updated|status|assignee|answers\.[a-z][a-z0-9_]{0,63})$/,
      'must be created, updated, status, assignee or answers.<key>, with the key of a field, or one of these with a - before it',
    );

export const FoundSubmissions = described(
  z.object({
    data: described(z.array(SubmissionDetail), 'The items of this page.'),
    total: described(z.int().optional(), 'The number of submissions on all pages, if it is known without reading them.', 1),
    total_at_least: described(
      z.int().optional(),
      'In place of `total`: there are at least this many submissions, as they are on this page.',
    ),
    next_cursor: described(z.string().nullable(), 'The `cursor` of the next page; null on the last page.', null),
    preparing: described(
      z
        .object({
          done: described(z.int(), 'The submissions that are in that order so far.', 40_000),
          of: described(z.int(), 'The submissions of the form.', 120_000),
        })
        .optional(),
      'Only while the order of a field is prepared, which the first sort of a form by that field begins. The page is then empty, and `next_cursor` leads to the first page: ask again after a second.',
    ),
    indexed: described(
      z.boolean().optional(),
      'Whether a search covers every submission. False for a while after an upgrade from a version without searches, and after searching was switched on for the form; absent if no answers were searched.',
    ),
  }),
  'A page of the submissions that were searched for.',
);

const maxFilters = 20;

/** Submissions that arrived at or after `from` and before `to`, and so on. */
export const searchConditions = {
  q: described(
    searchText().optional(),
    'Words that the answers must all have, whatever their case and accents. Every word may go on: `berg` finds Berger, and `juerg` an address that begins with it. Words in quotation marks must be in one answer as they are, one after another. The labels of options count in each language of the form, up to 100 options. The `reference` of a submission, or its id, finds it alone, with or without hyphens.',
  ),
  status: described(
    several(submissionStatuses).optional(),
    'Only submissions with one of these statuses: repeat the parameter, or separate them with commas.',
  ),
  assignee: described(
    text(1, 64).refine(isId, 'must be the id of a person').optional(),
    'Only submissions that this person takes care of.',
  ),
  from: described(offsetInstant().optional(), 'Only submissions from this time on.'),
  to: described(offsetInstant().optional(), 'Only submissions from before this time.'),
  changed_since: described(
    offsetInstant().optional(),
    'Only submissions that arrived or changed at or after this time, in the order of their changes.',
  ),
  /** Parameters such as `filter[age][gte]`, without their first word. */
  filter: described(
    z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .transform((given) => readFilters(given))
      .pipe(z.array(AnswerFilter).max(maxFilters))
      .optional(),
    'Conditions on answers: `filter[colour]=red` for an answer of up to 100 characters, whatever its case and accents; `filter[colour][ne]=red`; `filter[age][gte]=18`, `gt`, `lte` and `lt` for numbers, dates and times; `filter[name][contains]=berg` and `filter[name][starts_with]=An` for texts, whatever their case and accents; `filter[age][answered]=true`, and `empty` for the opposite. `contains` and `starts_with` read the answers themselves, up to 8,192 submissions in a request, and go on by `next_cursor`. `filter[born][within]=this_month` is for dates and date-times: `today`, `yesterday`, `tomorrow`, `this_week`, `last_month` and so on with `week` (from Monday), `month`, `quarter` and `year`, or `last_7_days` and `next_7_days`, with today, and any number up to 3660: days in the time zone of the form, at the moment of the request; `next_cursor` goes on with those of the first page. A comparison with parts, bounds or days is refused where the answers of a field are of another kind in some versions, unless `filter[_version]` leaves one kind. A condition that is given several times is met by any of its values. A field of an earlier version may be given as well. Names with a `_` are about the submission: `filter[_created][within]=last_7_days`; `filter[_version]=2` for the version of the form that it answers, and `filter[_language]=de` for the language in which it was filled in, with `de-AT`, or `und` if none is known (both also with `[ne]`); `filter[_files]=true`; `filter[_in]=spam`, `trash` or `list`, which is meant without it. With `filter[_match]=any`, one of the conditions suffices; the bounds of a field count as one, and `_in` is always met. Conditions on version or language, and `any` beside what is not equality, read up to 16,384 submissions in a request, and go on by `next_cursor`.',
  ),
};

const SubmissionSearch = z.object({
  ...cursorPage,
  ...searchConditions,
  changed_since: described(
    searchConditions.changed_since,
    'Only submissions that arrived or changed at or after this time, in the order `updated` or `-updated`. To follow the changes, begin some seconds before the newest that you know: one that is being stored is not visible yet.',
  ),
  sort: described(
    searchSort().optional(),
    '`created`, `updated`, `status`, `assignee`, or `answers.` and the key of a field, with a `-` before it for the newest, greatest or last first. Texts have the order of the language of the form, up to their first 100 characters; choices, the order of the options, by the first that was chosen; yes comes after no; files are ordered by their number, and people by name. A form can be sorted by the texts and files of up to 30 fields. Submissions without an answer, or that nobody takes care of, come last in both directions. By default `-created`, or `updated` with `changed_since`.',
  ),
});
carriedAs(SubmissionSearch, { names: { status: 'statuses', filter: 'filters' } });

export const searchSubmissions = operation({
  method: 'get',
  path: '/app/v1/forms/:id/submissions',
  params: { id: formId },
  summary: 'Search the submissions of a form',
  description:
    'Finds the submissions of a form that are neither in the trash nor spam, unless `filter[_in]` says otherwise, newest first unless `sort` does. A new submission is in the unfiltered list at once, and found by `q`, `filter` and `sort` within about two seconds. A page may have fewer submissions than `limit`, or none, and a `next_cursor` all the same: a request reads only so many submissions, and the next one continues.',
  access: { scope: 'submissions:read' },
  query: SubmissionSearch,
  status: 200,
  reply: FoundSubmissions,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.FindSubmissions',
  // A list that does not fit into memory is streamed.
  composed: true,
  added: z.object({
    sort: searchSort(),
    people: described(
      z.array(z.string().refine(isId, 'must be the id of a person')).optional(),
      'The ids of the members of the workspace in the order of their names, for `sort=assignee`.',
    ),
    max_bytes: described(whole(1, 2_147_483_647).optional(), 'As in ListSubmissionsRequest.'),
    as_json: described(bool(), 'As in ListSubmissionsRequest.'),
  }),
  answer: 'FoundSubmissions',
});

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
        throw refuse(`must have the key of a field in brackets, such as filter[age], or one of ${filterFacts.join(', ')}`);
      case 'comparison':
        throw refuse(`the comparison must be one of ${comparisons.join(', ')}`);
      default:
        throw refuse('must be given at most 20 times, with at most 200 characters');
    }
  });
}

/** A submission that somebody named: enough to go to it. */
export const ReferencedSubmission = described(
  z.object({
    id: ownId(),
    form_id: described(z.string(), "The form's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01'),
    reference: described(z.string(), 'The reference in capital letters, with hyphens.', 'V5Q2-N0D0-6H'),
    status: described(z.string(), 'The status. New values may be added.', 'new'),
    created_at: createdAt(),
  }),
  'A submission that has the reference.',
);

export const ReferencedSubmissions = described(
  z.object({ data: described(z.array(ReferencedSubmission), 'The submissions, nearly always one.') }),
  'The submissions that have a reference.',
);
carriedAs(ReferencedSubmissions, { names: { data: 'submissions' } });

export const listReferencedSubmissions = operation({
  method: 'get',
  path: '/app/v1/submissions',
  summary: 'Find a submission by its reference',
  description:
    'Lists the submissions with a reference, of all forms on which the caller has a role, but for those in the trash. Nearly always there is one, or none: two that arrive in the same millisecond may have the same reference.',
  access: { scope: 'submissions:read' },
  query: z.object({
    reference: described(
      text(1, 40),
      'The reference as somebody wrote it: in any case, with or without hyphens; or the id of the submission, which receipts show.',
      'V5Q2-N0D0-6H',
    ),
  }),
  status: 200,
  reply: ReferencedSubmissions,
  errors: [400, 401, 403],
  rpc: 'submissions.ListReferencedSubmissions',
});
