import { z } from 'zod';
import { FormItem } from '../app/draft';
import { Payment } from '../app/payment';
import { publishWarningCodes } from '../app/publish-warnings';
import { described, leftOut } from '../described';
import { operation } from './operation';
import { formId, idOfForm, pathParam } from './params';

export const changeKinds = ['added', 'removed', 'retyped', 'changed', 'moved'] as const;

/** One difference between two contents of a form. An item that was both changed and moved has one entry for each. */
export const ItemChange = described(
  z.object({
    kind: described(z.enum(changeKinds), 'The kind of difference.', 'changed'),
    key: described(z.string().optional(), 'The key of the field; absent for an element.', 'name'),
    from: described(FormItem.optional(), 'The item before the change; absent if it was added.'),
    to: described(FormItem.optional(), 'The item after the change; absent if it was removed.'),
    changed_properties: described(z.array(z.string()).optional(), 'For a changed item: the names of the properties that differ.', [
      'label',
    ]),
    from_position: described(z.int().optional(), 'The position before the change, starting at 1; absent if the item was added.', 1),
    to_position: described(z.int().optional(), 'The position after the change, starting at 1; absent if the item was removed.', 1),
  }),
  'One difference: a field or element that was added or removed, got another type (`retyped`), or was otherwise changed or moved. A change and a move are two entries.',
);

export type ItemChange = z.output<typeof ItemChange>;

export const PriceChange = described(
  z.object({
    from: described(Payment.optional(), 'The price before the change.'),
    to: described(Payment.optional(), 'The price after the change.'),
  }),
  'The price before and after the change. A side without a price is free.',
);

const changes = described(z.array(ItemChange), 'The differences, in the order of the later content; removed items come last.');

/** The differences between two contents of a form, as they travel between services. */
export const ContentChanges = z.object({ changes, payment: PriceChange.optional() });

export type ContentChanges = z.output<typeof ContentChanges>;

export const VersionDiff = described(
  z.object({
    from: described(z.int(), 'The number of the first version.', 2),
    to: described(z.int(), 'The number of the second version.', 3),
    changes,
    payment: described(PriceChange.optional(), 'The change of the price; absent if it stayed the same.', leftOut),
  }),
  'The differences between two versions of a form.',
);

/** The number of submissions, of which there is one: exact, or at least so many. */
const counted = (text: string) => ({
  submissions: described(z.int().optional(), `${text}.`, 12),
  submissions_at_least: described(z.int().optional(), `${text} among those that were counted.`, leftOut),
});

const key = described(z.string(), 'The key of the field in `data`.', 'name');

/** `submissions` is exact. It is absent if the form has too many submissions to count; `submissions_at_least` then has those counted. */
export const AffectedField = described(
  z.object({ key, ...counted('The number of submissions with an answer to the field') }),
  'A field that publishing would remove or give another type. It has either `submissions`, or `submissions_at_least` if there are too many to count.',
);

/** The warnings for a publisher. `params` has what the message names. */
export const PublishWarning = described(
  z.object({
    code: described(z.enum(publishWarningCodes), 'The kind of warning.', 'nothing_changed'),
    params: described(
      z.record(z.string(), z.union([z.number(), z.string()])),
      'The parts that the message names, such as the `key` of a field or the `version` before.',
      { version: 1 },
    ),
    message: described(z.string(), 'The warning in English.', 'Nothing has changed since version 1.'),
  }),
  'A warning about what publishing changes.',
);

export type PublishWarning = z.output<typeof PublishWarning>;

/** Options that a field would no longer have, and the submissions that chose one of them, counted as for an `AffectedField`. */
export const AffectedOptions = described(
  z.object({
    key,
    ...counted('The number of submissions that chose one of the options'),
    options: described(z.array(z.string()), 'The values of the options.', ['red']),
  }),
  'Options that publishing would remove from a field. It has either `submissions`, or `submissions_at_least` if there are too many to count.',
);

/** `warnings` has the messages of `warning_details`, as publishing by v1 does. */
export const PublishCheck = described(
  z.object({
    changes,
    payment: described(PriceChange.optional(), 'The change of the price; absent if it stays the same.', leftOut),
    warnings: described(z.array(z.string()), 'Warnings for people. They do not prevent publishing.', [
      'Nothing has changed since version 1.',
    ]),
    warning_details: described(z.array(PublishWarning), 'The same warnings for programs, with their codes.'),
    affected: described(z.array(AffectedField), 'The fields that publishing would remove or give another type.'),
    affected_options: described(z.array(AffectedOptions), 'The fields that publishing would leave without some of their options.'),
  }),
  'The consequences of publishing a draft.',
);

export const checkFormPublication = operation({
  method: 'post',
  path: '/app/v1/forms/:id/publish-check',
  params: { id: idOfForm },
  summary: 'Check what publishing a form would change',
  description:
    'Returns what publishing the draft would change, without publishing it: the differences from the latest version, the warnings with their codes, and the number of submissions with an answer to a field that would be removed or get another type, or that chose an option that would be removed. The count leaves out the trash and spam, and stops after many submissions. A draft that cannot be published is 400. For owners and editors.',
  access: { scope: 'forms:read' },
  status: 200,
  reply: PublishCheck,
  errors: [400, 401, 403, 404],
  rpc: 'forms.CheckPublication',
  repeatable: true,
  // Submissions are counted by their own service.
  composed: true,
  answer: 'PublicationCheck',
});

/** A version that is no number is treated like an unknown one. */
export const compareFormVersions = operation({
  method: 'get',
  path: '/app/v1/forms/:id/versions/:version/diff/:otherVersion',
  params: {
    id: formId,
    version: pathParam('version', 'The version number.', { sample: '2' }),
    otherVersion: pathParam('other_version', 'The number of the other version.', { sample: '3' }),
  },
  summary: 'Compare two versions of a form',
  description: 'Returns the differences between two versions of a form. Either one may be the earlier one.',
  access: { scope: 'forms:read' },
  status: 200,
  reply: VersionDiff,
  errors: [401, 403, 404],
  rpc: 'forms.DiffVersions',
  // The message has the changes and the price in one.
  composed: true,
  answer: 'VersionDiff',
});
