import { brokerSettings, relaySettings } from '@sheaf/events';
import { databaseSettings } from '@sheaf/postgres';
import { servingSettings } from '@sheaf/rpc';
import { address, ProcessConfig } from '@sheaf/runtime';
import type { z } from 'zod';
import { paymentSettings, refuseHalfASetup } from './payment-settings';
import { fileSettings, isStorageChosen } from './storage/settings';

export const Config = ProcessConfig.extend({
  ...servingSettings,
  ...databaseSettings,
  ...brokerSettings,
  ...relaySettings,
  ...paymentSettings,
  ...fileSettings,
  FORMS_ADDR: address(),
})
  .superRefine(refuseHalfASetup)
  .refine(isStorageChosen, { path: ['FILES_DIR'], error: 'either this or FILES_S3_BUCKET has to be set, and not both' });

export type Config = z.output<typeof Config>;
