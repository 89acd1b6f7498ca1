import { brokerSettings, relaySettings } from '@sheaf/events';
import { databaseSettings } from '@sheaf/postgres';
import { servingSettings } from '@sheaf/rpc';
import { address, ProcessConfig } from '@sheaf/runtime';
import type { z } from 'zod';
import { paymentSettings, refuseHalfASetup } from './payment-settings';

export const Config = ProcessConfig.extend({
  ...servingSettings,
  ...databaseSettings,
  ...brokerSettings,
  ...relaySettings,
  ...paymentSettings,
  FORMS_ADDR: address(),
}).superRefine(refuseHalfASetup);

export type Config = z.output<typeof Config>;
