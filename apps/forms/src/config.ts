import { brokerSettings, relaySettings } from '@sheaf/events';
import { databaseSettings } from '@sheaf/postgres';
import { servingSettings } from '@sheaf/rpc';
import { address, ProcessConfig } from '@sheaf/runtime';
import type { z } from 'zod';

export const Config = ProcessConfig.extend({
  ...servingSettings,
  ...databaseSettings,
  ...brokerSettings,
  ...relaySettings,
  WORKSPACES_ADDR: address(),
});

export type Config = z.output<typeof Config>;
