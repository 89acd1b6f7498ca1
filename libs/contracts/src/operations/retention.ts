import { z } from 'zod';
import { maxRetentionDays, RetentionDays, retentionKinds } from '../app/settings';
import { described } from '../described';
import { instant, whole } from '../shapes';
import { carriedAs } from './message';
import { operation } from './operation';
import { formId } from './params';

const days = () => whole(1, maxRetentionDays);

/** Shorter days that were decided and are not in force yet. */
export const UpcomingRetention = described(
  z.object({
    setting: described(z.enum(retentionKinds), 'The setting that becomes shorter.', 'submissions_days'),
    days: described(z.int(), 'The days to come.', 365),
    takes_effect_at: described(instant(), 'The moment at which the days to come take effect.', '2026-03-12T09:30:00.000Z'),
    undo_days: described(z.int().nullable(), 'The days that, set again before that, undo the change; null for none.', 730),
    erases: described(
      z.int().optional(),
      'The number of submissions, or files, that the days to come will erase and those in force keep. Of the instance, only the people who run it are told.',
      42,
    ),
    erases_more: described(z.boolean().optional(), 'True if there are more, which were not counted.', false),
  }),
  'Shorter days that were decided and are not in force yet.',
);

/** The submissions that are erased now, and those that will be. */
export const RetentionSchedule = described(
  z.object({
    in_force: described(RetentionDays, 'The days after which things are erased now.'),
    upcoming: described(z.array(UpcomingRetention), 'The shorter days that were decided and are not in force yet.'),
  }),
  'The days in force, and the shorter ones to come.',
);

/** The same for all forms of an instance, where a form does not say it itself. */
export const InstanceRetention = described(
  RetentionDays.extend(RetentionSchedule.shape),
  'The time for which the forms of an instance keep submissions. Without days, things are kept for ever.',
);

/** Absent days stay as they are; null keeps for ever. */
export const InstanceRetentionRequest = described(
  z.object({
    trash_days: described(days().optional().nullable(), 'The days after which a submission in the trash is erased; null for never.', 30),
    submissions_days: described(
      days().optional().nullable(),
      'The days after which a submission is erased, counted from its arrival, wherever it is; null for never.',
      730,
    ),
    files_days: described(
      days().optional().nullable(),
      'The days after which the files of a submission are erased, counted from its arrival; null for never. Its other answers stay.',
      365,
    ),
  }),
  'The time for which the forms of an instance keep submissions. Absent days stay as they are.',
);
carriedAs(InstanceRetentionRequest, { message: 'RetentionDays' });

export type InstanceRetentionPatch = z.output<typeof InstanceRetentionRequest>;

export const getFormRetention = operation({
  method: 'get',
  path: '/app/v1/forms/:id/retention',
  params: { id: formId },
  summary: 'Get the retention of a form',
  description:
    'Returns the days after which things of a form are erased now, from its settings or its instance, and the shorter ones that were decided, with the moment at which they take effect and how much they will erase. Until then, `undo_days` in the settings of the form undoes them.',
  access: { scope: 'forms:read' },
  status: 200,
  reply: RetentionSchedule,
  errors: [401, 403, 404],
  rpc: 'submissions.GetFormRetention',
  // The form knows its settings.
  composed: true,
  added: z.object({
    days: described(
      RetentionDays.optional(),
      'The answer of the service of forms. The time of days of which this service has not heard counts from now.',
    ),
  }),
  answer: 'RetentionSchedule',
});

const path = '/app/v1/instance/retention';
// Its message has the schedule as a part of its own, which an earlier version does not send.
const instance = { reply: InstanceRetention, answer: 'InstanceRetention', composed: true } as const;

export const getInstanceRetention = operation({
  method: 'get',
  path,
  summary: 'Get the retention of the instance',
  description:
    'Returns the days after which things are erased in all forms of the instance, as they were decided; those in force; and the shorter ones to come. The decision of a form itself (`retention` of its settings) comes first.',
  access: 'person',
  status: 200,
  ...instance,
  errors: [401, 403],
  rpc: 'submissions.GetInstanceRetention',
});

export const updateInstanceRetention = operation({
  method: 'patch',
  path,
  summary: 'Update the retention of the instance',
  description:
    'Changes the days after which things are erased in all forms of the instance that do not decide it themselves. Longer days take effect at once, shorter ones after `RETENTION_GRACE_DAYS` (7); until then, the days in force undo them. Forms under legal hold keep everything. For owners and admins of the instance.',
  access: 'person',
  onInstance: 'decide how long this instance keeps submissions',
  patch: InstanceRetentionRequest,
  status: 200,
  ...instance,
  errors: [400, 401, 403],
  rpc: 'submissions.UpdateInstanceRetention',
});
