import { brokerSettings } from '@sheaf/events';
import { signingSettings } from '@sheaf/rpc';
import { address, port, ProcessConfig, whole } from '@sheaf/runtime';
import { type z } from 'zod';

export const Config = ProcessConfig.extend({
  ...brokerSettings,
  ...signingSettings,
  PORT: port().default(8_080),
  WORKSPACES_ADDR: address(),
  FORMS_ADDR: address(),
  SUBMISSIONS_ADDR: address(),
  HOOKS_ADDR: address(),
  DELIVERY_ADDR: address(),
  /** How long a request may wait for the services behind the gateway. */
  REQUEST_TIMEOUT_MS: whole(100, 60_000).default(5_000),
  /** The largest request body. What a submission adds to it has to fit into a NATS message, so there is a bound to this as well. */
  BODY_LIMIT_BYTES: whole(1_024, 1_572_864).default(1_048_576),
});

export type Config = z.output<typeof Config>;
