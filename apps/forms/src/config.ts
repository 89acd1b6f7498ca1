import { brokerSettings, relaySettings } from '@sheaf/events';
import { databaseSettings } from '@sheaf/postgres';
import { servingSettings } from '@sheaf/rpc';
import { address, ProcessConfig, whole } from '@sheaf/runtime';
import type { z } from 'zod';

export const Config = ProcessConfig.extend({
  ...servingSettings,
  ...databaseSettings,
  ...brokerSettings,
  ...relaySettings,
  WORKSPACES_ADDR: address(),
  /** The maximum number of grants per form: every service that authorizes callers keeps all of them in memory. */
  FORMS_MAX_GRANTS: whole(1, 10_000).default(1_000),
  /** How long a released slug stays reserved for the form that had it. */
  SLUG_QUARANTINE_DAYS: whole(0, 3_650).default(90),
});

export type Config = z.output<typeof Config>;
