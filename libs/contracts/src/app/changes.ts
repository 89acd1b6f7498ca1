import { z } from 'zod';
import { whole } from '../shapes';
import { FormItem } from './draft';
import { Payment } from './payment';
import { publishWarningCodes } from './publish-warnings';

export const changeKinds = ['added', 'removed', 'retyped', 'changed', 'moved'] as const;

/** One difference between two contents of a form. An item that was both changed and moved has one entry for each. */
export const ItemChange = z.object({
  kind: z.enum(changeKinds),
  key: z.string().optional(),
  from: FormItem.optional(),
  to: FormItem.optional(),
  changed_properties: z.array(z.string()).optional(),
  from_position: z.int().optional(),
  to_position: z.int().optional(),
});

export type ItemChange = z.output<typeof ItemChange>;

/** A side without a price is free. */
export const PriceChange = z.object({ from: Payment.optional(), to: Payment.optional() });

const differences = { changes: z.array(ItemChange), payment: PriceChange.optional() };

/** The differences between two contents of a form, as they travel between services. */
export const ContentChanges = z.object(differences);

export type ContentChanges = z.output<typeof ContentChanges>;

export const VersionDiff = z.object({ from: z.int(), to: z.int(), ...differences });

/** `submissions` is exact. It is absent if the form has too many submissions to count; `submissions_at_least` then has those counted. */
export const AffectedField = z.object({
  key: z.string(),
  submissions: z.int().optional(),
  submissions_at_least: z.int().optional(),
});

/** What a publisher is warned of. `params` has what the message names. */
export const PublishWarning = z.object({
  code: z.enum(publishWarningCodes),
  params: z.record(z.string(), z.union([z.number(), z.string()])),
  message: z.string(),
});

export type PublishWarning = z.output<typeof PublishWarning>;

/** Options that a field would no longer have, and the submissions that chose one of them, counted as for an `AffectedField`. */
export const AffectedOptions = AffectedField.extend({ options: z.array(z.string()) });

/** `warnings` has the messages of `warning_details`, as publishing by v1 does. */
export const PublishCheck = z.object({
  ...differences,
  warnings: z.array(z.string()),
  warning_details: z.array(PublishWarning),
  affected: z.array(AffectedField),
  affected_options: z.array(AffectedOptions),
});

const revision = whole(0, 2_147_483_647);

export const DraftRestoreRequest = z.object({ version: whole(1, 2_147_483_647), revision });
export const DraftDiscardRequest = z.object({ revision });
