import { brokerSettings, relaySettings } from '@sheaf/events';
import { databaseSettings } from '@sheaf/postgres';
import { servingSettings } from '@sheaf/rpc';
import { address, ProcessConfig, whole } from '@sheaf/runtime';
import type { z } from 'zod';
import { retentionSettings } from './erasing/settings';
import { formsViewSettings } from './form/forms-view';
import { intakeSettings } from './intake/batches';
import { GuardSettings } from './intake/guard';
import { paymentSettings, requireCompleteSetup } from './payments/settings';
import { savedSettings } from './saved/settings';
import { fileSettings, hasOneStorage } from './files/storage/settings';

export const Config = ProcessConfig.extend({
  ...servingSettings,
  ...databaseSettings,
  ...brokerSettings,
  ...relaySettings,
  ...GuardSettings.shape,
  ...intakeSettings,
  ...formsViewSettings,
  ...paymentSettings,
  ...fileSettings,
  ...savedSettings,
  ...retentionSettings,
  FORMS_ADDR: address(),
  /** A repeated request gets the first response for this long; after that, its key stands for a new submission. */
  IDEMPOTENCY_KEY_DAYS: whole(1, 3_650).default(30),
})
  .superRefine(requireCompleteSetup)
  .refine(hasOneStorage, { path: ['FILES_DIR'], error: 'set either this or FILES_S3_BUCKET, but not both' });

export type Config = z.output<typeof Config>;
