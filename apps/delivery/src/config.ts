import { brokerSettings, relaySettings } from '@sheaf/events';
import { databaseSettings } from '@sheaf/postgres';
import { servingSettings, signingSettings } from '@sheaf/rpc';
import { address, flag, list, ProcessConfig, whole } from '@sheaf/runtime';
import { z } from 'zod';

export const Config = ProcessConfig.extend({
  ...servingSettings,
  ...signingSettings,
  ...databaseSettings,
  ...brokerSettings,
  ...relaySettings,
  HOOKS_ADDR: address(),
  FORMS_ADDR: address(),
  WORKSPACES_ADDR: address(),
  /** POSTs that this process has under way, not counting those that turned out to hang (see `Slots`). */
  DELIVERY_CONCURRENCY: whole(1, 10_000).default(400),
  /** And how many of them may go to one subscription. */
  DELIVERY_PER_SUBSCRIPTION: whole(1, 1_000).default(10),
  /** How many deliveries of one subscription may be pending; what is beyond fails without an attempt, and can be sent again. */
  DELIVERY_BACKLOG: whole(1, 10_000_000).default(100_000),
  /** How many attempts this process begins for one instance in a minute; what is beyond waits. 0: no bound. */
  DELIVERY_PER_INSTANCE_PER_MINUTE: whole(0, 10_000_000).default(60_000),
  /** A subscription is switched off after so many days of nothing but failures; 0: never. */
  SUBSCRIPTION_FAILING_DAYS: whole(0, 365).default(5),
  /** Who takes longer to answer waits in the slow lane, apart from the others. */
  DELIVERY_SLOW_MS: whole(1, 60_000).default(2_000),
  /** How long events, deliveries and attempts can be looked at and sent again. Longer than the broker keeps an event, which it may bring again. */
  DELIVERY_LOG_DAYS: whole(2, 400).default(30),
  /** By then the head of the answer has to be there (contract, section 6.1). */
  DELIVERY_TIMEOUT_MS: whole(1, 60_000).default(10_000),
  /** The pause before each repetition, counted from the failure before it; their number is that of the repetitions. */
  RETRY_DELAYS_MS: list()
    .transform((items) => items.map(Number))
    .pipe(z.array(z.int('must be a list of milliseconds').min(0, 'must be at least 0').max(86_400_000, 'must be at most a day')))
    .default([4_000, 16_000]),
  /** Lets deliveries go to private addresses and over plain http. For development only; `hooks` has to be told the same. */
  HOOKS_ALLOW_PRIVATE_TARGETS: flag().default(false),
  /** Origins that may be private, as `http://automation.internal:5678`. */
  HOOKS_PRIVATE_ORIGINS: list()
    .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must be a list of origins' })))
    .default([]),
  /** The ports at which this deployment is reached, beside 80 and 443: nothing is sent to the hosts of its instances there. */
  PUBLIC_PORTS: list()
    .pipe(z.array(z.string().regex(/^[1-9]\d{0,4}$/, 'must be a list of ports')))
    .default([]),
  /**
   * What the keys that sign deliveries are made of, each of at least 32 characters. The first one is current; a second one goes on
   * signing beside it, so that receivers can learn of the new keys before it is taken out.
   */
  WEBHOOK_SIGNING_SECRETS: list().pipe(
    z
      .array(z.string().min(32, 'must be secrets of at least 32 characters'))
      .min(1, 'must be at least one secret')
      .max(2, 'must be at most two secrets'),
  ),
  /** How long the key before signs beside the new one after a rotation. */
  WEBHOOK_KEY_OVERLAP_MS: whole(60_000, 31 * 86_400_000).default(86_400_000),
  /** A POST under way is given its time before the process stops. */
  SHUTDOWN_GRACE_MS: whole(0, 600_000).default(15_000),
});

export type Config = z.output<typeof Config>;
