import { z } from 'zod';
import { described, leftOut } from '../described';
import { eventsWithAnswers } from '../events';
import { submissionStatuses } from '../operations/submissions';
import { oneOf } from '../shapes';
import { conditionOn, fieldKey } from './condition-shape';
import { isMet } from './conditions';

const maxConditions = 10;
/** A filter is read for each event, and is a part of each answer about the webhook. */
const maxCharacters = 8_192;
/** A form may have as many. */
const maxFields = 500;

/** The events that tell a status. Answers are not in them, so a filter on them cannot decide about these, and the other way round. */
export const eventsWithStatus: readonly string[] = [
  'submission.status_changed',
  'submission.restored',
  'submission.corrected',
  'submission.spam_changed',
];

const Plain = z.union([z.string(), z.number(), z.boolean()]);

export const WebhookFilter = described(
  z
    .object({
      statuses: described(
        z
          .array(oneOf(submissionStatuses), 'must be an array')
          .min(1, 'must have at least one status')
          .max(submissionStatuses.length, `must have at most ${submissionStatuses.length} statuses`)
          .optional(),
        'The status after the event must be one of these. Only for webhooks that listen to nothing but `submission.status_changed`, `submission.restored`, `submission.corrected` and `submission.spam_changed`.',
        leftOut,
      ),
      answers: described(
        z
          .array(conditionOn('field'), 'must be an array')
          .min(1, 'must have at least one condition')
          .max(maxConditions, `must have at most ${maxConditions} conditions`)
          .optional(),
        'The answers must meet all of these conditions, which are those of a form. Only for webhooks of one form whose only event is `submission.created`.',
        [{ key: 'country', in: ['DE', 'AT'] }],
      ),
    })
    .refine(({ statuses, answers }) => statuses !== undefined || answers !== undefined, 'must have statuses or answers')
    .refine((filter) => JSON.stringify(filter).length <= maxCharacters, `must have at most ${maxCharacters} characters as JSON`),
  'The events that the webhook hears of, among those that it listens to. The filter decides when an event is planned, on the data of that event.',
);
export type WebhookFilter = z.output<typeof WebhookFilter>;

/** A filter as it is stored. Strict, as a process that does not know a part of it must not send as if that part was not there. */
export const StoredFilter = z.strictObject({
  statuses: z.array(z.string()).optional(),
  answers: z
    .array(
      z.strictObject({
        key: z.string(),
        equals: Plain.optional(),
        not_equals: Plain.optional(),
        in: z.array(Plain).optional(),
        answered: z.boolean().optional(),
      }),
    )
    .optional(),
});
export type StoredFilter = z.output<typeof StoredFilter>;

/** The questions whose answers a webhook receives. */
export const WebhookFields = described(
  z
    .array(fieldKey(), 'must be an array')
    .max(maxFields, `must have at most ${maxFields} fields`)
    .refine((keys) => new Set(keys).size === keys.length, 'must not name a field twice'),
  'The keys of the fields whose answers are sent; no others are.',
);

/** The facts of an event that a filter decides about. */
export interface FilteredEvent {
  type: string;
  /** As JSON, without what only named payloads have. */
  body: string;
}

const Facts = z.looseObject({
  data: z.record(z.string(), z.unknown()).optional(),
  new_status: z.string().optional(),
  status: z.string().optional(),
});

/**
 * The part of a filter that keeps an event from its webhook: `statuses`, or `answers.` with the key of the first field whose answer does not meet its
 * condition. Undefined if the event passes. An event without what the filter asks for does not pass: it cannot be known to match.
 */
export function withholdingPart(filter: StoredFilter | undefined, { body }: FilteredEvent): string | undefined {
  if (filter === undefined) return undefined;
  const { data, status: present = '', new_status: status = present } = body === '' ? {} : Facts.parse(JSON.parse(body));
  const { statuses, answers = [] } = filter;
  if (statuses && !statuses.includes(status)) return 'statuses';
  const failed = answers.find((condition) => data === undefined || !isMet(condition, data));
  return failed && `answers.${failed.key}`;
}

/** Why a filter or a choice of fields cannot be that of a webhook with these events, if it cannot. */
export function choiceFault(
  { filter, fields }: { filter?: StoredFilter | undefined; fields?: readonly string[] | undefined },
  { events, isOfForm }: { events: readonly string[]; isOfForm: boolean },
): string | undefined {
  const other = (known: readonly string[]) => events.find((event) => !known.includes(event));
  if (filter?.answers && !isOfForm) return 'filter.answers: needs a webhook of one form';
  if (fields && fields.length > 0 && !isOfForm) return 'fields: must be empty, or that of a webhook of one form';
  const [unanswered, withoutStatus] = [other(eventsWithAnswers), other(eventsWithStatus)];
  if (filter?.answers && unanswered !== undefined)
    return `filter.answers: cannot decide about ${unanswered}, which has no answers; listen to ${eventsWithAnswers.join(', ')} alone`;
  if (filter?.statuses && withoutStatus !== undefined)
    return `filter.statuses: cannot decide about ${withoutStatus}, which has no status; listen to none but ${eventsWithStatus.join(', ')}`;
  return undefined;
}
