import { z } from 'zod';
import { localDate } from '../shapes';
import { submissionStatuses } from '../operations/submissions';
import { Field } from './draft';

/** `field` may be given several times, or once with several keys between commas. */
export const InsightsQuery = z.object({
  from: localDate().optional(),
  to: localDate().optional(),
  field: z
    .preprocess(
      (given) => (typeof given === 'string' ? given.split(',') : given),
      z.array(Field.shape.key).max(20, 'must be given at most 20 times'),
    )
    .optional(),
});

const submissions = z.int();

export const OptionCount = z.object({ value: z.string(), submissions });

export const RangeCount = z.object({ from: z.number(), to: z.number(), submissions });

/** The lowest number, the quartiles and the highest number are rounded down to two significant digits. */
export const NumberInsights = z.object({
  min: z.number(),
  lower_quartile: z.number(),
  median: z.number(),
  upper_quartile: z.number(),
  max: z.number(),
  ranges: z.array(RangeCount),
});

/** `options` are those that were chosen at least once. `omitted` if the counts of its answers did not fit into the response. */
export const FieldInsights = z.object({
  key: z.string(),
  answered: z.int(),
  answered_share: z.number().min(0).max(1),
  options: z.array(OptionCount).optional(),
  numbers: NumberInsights.optional(),
  omitted: z.literal(true).optional(),
});

/** `views`, `starts` and `completions` are counted when they happen, and stay whatever becomes of the submissions. */
export const DayCount = z.object({ date: z.iso.date(), submissions, views: z.int(), starts: z.int(), completions: z.int() });

export const StatusCount = z.object({ status: z.enum(submissionStatuses), submissions });

/** Counts of the listed submissions. `complete` is false while some of them are not counted yet. */
export const FormInsights = z.object({
  complete: z.boolean(),
  submissions,
  spam: z.int(),
  timezone: z.string(),
  statuses: z.array(StatusCount),
  days: z.array(DayCount),
  fields: z.array(FieldInsights),
});
