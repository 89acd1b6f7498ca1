import { z } from 'zod';
import { Field } from '../app/draft';
import { described, leftOut } from '../described';
import { flag, localDate, several, text } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { formId } from './params';
import { submissionStatuses } from './submissions';

/** A key, a colon, and the value of an option. */
const chosenOption = () =>
  text(3, 600).refine(
    (given) => Field.shape.key.safeParse(given.split(':', 1)[0]).success && given.includes(':'),
    'must be a key, a colon and the value of an option, such as colour:red',
  );

const InsightsQuery = z.object({
  from: described(localDate().optional(), 'The first day, in the time zone of the form; 30 days until `to` if absent.'),
  to: described(localDate().optional(), 'The last day, at most 3,659 days after `from`; today if absent.'),
  field: described(
    z
      .preprocess(
        (given) => (typeof given === 'string' ? given.split(',') : given),
        z.array(Field.shape.key).max(20, 'must be given at most 20 times'),
      )
      .optional(),
    'Only these fields: repeat the parameter, or separate their keys with commas.',
  ),
  period_only: described(
    flag().optional(),
    '`true` counts statuses and answers of the submissions from `from` to `to` only. By default they are of all submissions, whatever the period.',
  ),
  status: described(
    several(submissionStatuses).optional(),
    'Counts only submissions with one of these statuses: repeat the parameter, or separate them with commas.',
  ),
  answer: described(
    z
      .preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(chosenOption()).max(5, 'must be given at most 5 times'))
      .optional(),
    'Counts only submissions that chose an option, such as `colour:red`, or `agreed:true` of a `boolean`. Of those that are given, all must have been chosen.',
  ),
});
carriedAs(InsightsQuery, { names: { field: 'keys', status: 'statuses', answer: 'answers' } });

const submissions = (text: string, sample = 12) => described(z.int(), text, sample);

export const OptionCount = described(
  z.object({
    value: described(z.string(), 'The value of the option.', 'green'),
    label: described(
      z.string().optional(),
      'The label of the option in the newest version with the field; absent if it has none there, as of a `boolean`.',
      'Green',
    ),
    submissions: submissions('The number of submissions that chose it.'),
    first: described(z.int().optional(), 'For a ranking: the number of submissions that have it on the first rank.', 5),
    mean_rank: described(z.number().optional(), 'For a ranking: the mean of its ranks, with two decimal places. 1 is the first.', 1.75),
  }),
  'The number of times that an option was chosen.',
);

export const ColumnCount = described(
  z.object({
    value: described(z.string(), 'The value of the column.', 'good'),
    label: described(
      z.string().optional(),
      'The label of the column in the newest version that has it. Absent for a moment during an upgrade.',
      'Good',
    ),
    submissions: submissions('The number of submissions that chose it for the row.', 7),
  }),
  'The number of times that a column of a matrix was chosen for a row.',
);

export const RowCount = described(
  z.object({
    value: described(z.string(), 'The value of the row.', 'front'),
    label: described(
      z.string().optional(),
      'The label of the row in the newest version that has it. Absent for a moment during an upgrade.',
      'The front',
    ),
    answered: described(z.int(), 'The number of submissions that answer the row.', 9),
    columns: described(z.array(ColumnCount), 'The columns that were chosen for it at least once, in the order of the form.'),
  }),
  'The answers to a row of a matrix.',
);

export const OptionPlaces = described(
  z.object({
    value: described(z.string(), 'The value of the option.', 'morning'),
    places: described(z.int(), 'How many places it has.', 30),
    taken: described(z.int(), 'How many of them are taken at the moment. Members may enter more than there are.', 12),
  }),
  'The places of an option with a limit.',
);

export const RangeCount = described(
  z.object({
    from: described(z.number(), 'The lowest number of the range.', 4),
    to: described(z.number(), 'The end of the range; numbers in it are below this.', 5),
    submissions: submissions('The number of submissions with a number in this range.', 4),
  }),
  'The numbers in a range.',
);

export const NumberScore = described(
  z.object({
    value: described(
      z.number(),
      'The score: the share of promoters less that of detractors, from -100 to 100, with one decimal place.',
      41.7,
    ),
    promoters: submissions('The number of submissions with 9 or 10.', 7),
    passives: submissions('The number of submissions with 7 or 8.', 3),
    detractors: submissions('The number of submissions with 0 to 6.', 2),
  }),
  'The Net Promoter Score.',
);

/** The lowest number, the quartiles and the highest number are rounded down to two significant digits. */
export const NumberInsights = described(
  z.object({
    min: described(z.number(), 'The lowest number.', 1),
    lower_quartile: described(z.number(), 'A quarter of the numbers are at most this.', 3),
    median: described(z.number(), 'Half of the numbers are at most this.', 4),
    upper_quartile: described(z.number(), 'Three quarters of the numbers are at most this.', 5),
    max: described(z.number(), 'The highest number.', 5),
    ranges: described(
      z.array(RangeCount),
      'Up to 20 ranges of equal width, from the lowest number to the highest. For a rating of the latest version, and a whole number whose bounds are at most 100 apart, from one end of the scale to the other: every step of a scale of up to 20 steps.',
    ),
    mean: described(
      z.number().optional(),
      'The mean of the exact numbers, with two decimal places; between -1 and 1 with three significant digits. Absent if a number is beyond 10^15, and for a while after an upgrade if one has more than two digits.',
      4.25,
    ),
    score: described(NumberScore.optional(), 'For a rating of the latest version with `score: nps`.', leftOut),
  }),
  'The numbers that respondents gave. All but `ranges`, `mean` and `score` are rounded down to two significant digits.',
);

/** `options` are those that were chosen at least once. */
export const FieldInsights = described(
  z.object({
    key: described(z.string(), 'The key of the field in `data`.', 'stars'),
    label: described(
      z.string().optional(),
      'The label of the field in the newest version that has it. Absent for a moment during an upgrade.',
      'How did you like it?',
    ),
    answered: described(z.int(), 'The number of submissions that answer the field.', 9),
    asked: described(
      z.int().optional(),
      'The number of submissions that were asked the field: those whose version has it and whose other answers did not hide it. Absent as long as this is not known of all of them, as for a while after an upgrade.',
      12,
    ),
    answered_share: described(
      z.number().min(0).max(1),
      'The share of those that were asked the field (`asked`) that answer it, between 0 and 1; of all counted submissions if `asked` is absent.',
      0.75,
    ),
    options: described(
      z.array(OptionCount).optional(),
      'The options that were chosen, most often chosen first, and those that were chosen equally often in the order of the form. A `boolean` has `true` and `false`.',
      leftOut,
    ),
    numbers: described(NumberInsights.optional(), 'A summary of the numbers.'),
    rows: described(
      z.array(RowCount).optional(),
      'For a matrix: the rows that were answered at least once, in the order of the form, also those that it no longer has.',
      leftOut,
    ),
    places: described(z.array(OptionPlaces).optional(), 'The places of its options, by their values; absent if none has a limit.', leftOut),
    omitted: described(
      z.literal(true).optional(),
      'Present if the counts of the answers did not fit into this response. Name the field in `field` to get them.',
      leftOut,
    ),
  }),
  'Counts of the answers to a field. Fields for choices have `options`, fields for numbers `numbers`, and a matrix `rows`, if anybody answered them.',
);

/** `views`, `starts` and `completions` are counted when they happen, and stay whatever becomes of the submissions. */
export const DayCount = described(
  z.object({
    date: described(z.iso.date(), 'The day, in the time zone of the form.', '2026-03-04'),
    submissions: submissions('The number of submissions that arrived on this day.'),
    views: described(
      z.int(),
      'How often the form was opened while it was open: its page, or the form for scripts. Nothing tells people apart.',
      40,
    ),
    starts: described(
      z.int(),
      'How often somebody sent answers of the page of the form for the first time, with a first step or with all.',
      15,
    ),
    completions: described(z.int(), 'How many submissions respondents completed, without spam, whatever became of them later.', 12),
  }),
  'The submissions and visits of one day.',
);

export const stepKinds = ['page', 'check'] as const;

/** Without personal data: a page says itself how far its respondent has got. */
export const StepCount = described(
  z.object({
    kind: described(z.enum(stepKinds), '`page`, or `check` for the check of the answers, after the last page.'),
    label: described(z.string().optional(), 'The label of the page in the latest version; absent if it has none.', 'About you'),
    reached: described(
      z.int(),
      'How often a respondent got to it, beyond all pages before. Going back and forth counts once; a form that is opened again counts again.',
      15,
    ),
    went_on: described(
      z.int(),
      'How often a respondent who had got this far got further; from the check, sent the answers. The others left, or are still there.',
      12,
    ),
  }),
  'How far respondents got.',
);

export const StatusCount = described(
  z.object({
    status: described(z.enum(submissionStatuses), 'The status. New values may be added.', 'new'),
    submissions: submissions('The number of submissions with this status.'),
  }),
  'The submissions with one status.',
);

export const NarrowedInsights = described(
  z.object({
    submissions: submissions('The number of submissions that meet the conditions, of those that were examined.'),
    examined: described(z.int(), 'The number of submissions that were examined: the newest, up to 20,000.', 340),
    cut: described(z.boolean(), 'Whether there are older ones that were not examined.', false),
  }),
  'The submissions that statuses and answers are counted of.',
);

/** `complete` is false while some submissions are not counted yet. */
export const FormInsights = described(
  z.object({
    complete: described(
      z.boolean(),
      'Whether every submission is counted. False for a while after an upgrade from a version without insights, and after a recount.',
      true,
    ),
    submissions: submissions('The number of counted submissions.'),
    spam: described(
      z.int(),
      'The number of submissions that are held as spam now, whenever they arrived. Nothing else here counts them.',
      3,
    ),
    timezone: described(z.string(), 'The time zone of the form, in which days begin; UTC if the form has none.', 'Europe/Vienna'),
    statuses: described(z.array(StatusCount), 'The number of submissions with each status that any of them has.'),
    days: described(z.array(DayCount), 'Every day of the period, in order.'),
    steps: described(
      z.array(StepCount).optional(),
      'For a form with several pages: the pages of the latest version and the check of the answers, with how far respondents got on its page in the period. Versions with the same questions on the same pages count together, others not. `status` and `answer` do not narrow them. Absent for a form with more than 100 pages, for a period with more than 2,000,000 counts, and for a while during an upgrade.',
      leftOut,
    ),
    fields: described(
      z.array(FieldInsights),
      'The fields of all versions: those of the latest one in its order, then those that were removed.',
    ),
    narrowed: described(
      NarrowedInsights.optional(),
      'Present with `period_only`, `status` or `answer`: the submissions that statuses and answers are of, and with `status` or `answer` also `submissions` of days. Everything else is of all.',
    ),
  }),
  'Counts of the submissions of a form.',
);

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const getFormInsights = operation({
  method: 'get',
  path: '/app/v1/forms/:id/insights',
  params: { id: formId },
  summary: 'Get the insights of a form',
  description:
    'Returns counts of the submissions of a form that are neither in the trash nor spam: by status, by day in the time zone of the form, and by answer; with `period_only`, `status` or `answer`, of those among the newest 20,000 that meet all of these. They are kept while submissions arrive and change, and follow them within a few seconds.',
  access: { scope: 'submissions:read' },
  query: InsightsQuery,
  status: 200,
  reply: FormInsights,
  errors: [400, 401, 403, 404],
  rpc: 'submissions.GetInsights',
  // The form has the time zone.
  composed: true,
  added: z.object({
    timezone: described(
      z.string().refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin'),
      'The IANA time zone whose days are counted.',
    ),
  }),
  answer: 'Insights',
});
