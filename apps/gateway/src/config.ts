import { brokerSettings } from '@sheaf/events';
import { signingSettings } from '@sheaf/rpc';
import { address, list, port, ProcessConfig, whole } from '@sheaf/runtime';
import { z } from 'zod';

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
  /** How old may be what is known of a host, as long as `workspaces` cannot be asked: whose it is, and nothing about who is asking. */
  STALE_HOSTS_MS: whole(0, 86_400_000).default(600_000),
  /** How long a stream may take, from here to the last of the services behind: a download, an export, an upload. */
  STREAM_TIMEOUT_MS: whole(1_000, 86_400_000).default(3_600_000),
  /**
   * The proxies in front of the gateway: addresses, networks, or loopback, linklocal, uniquelocal. What they say in X-Forwarded-For and
   * X-Forwarded-Proto is believed; without any the client is who opened the connection.
   */
  TRUSTED_PROXIES: list()
    .pipe(z.array(z.union([z.enum(['loopback', 'linklocal', 'uniquelocal']), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be a list of addresses or networks')))
    .default([]),
  /**
   * How many requests a minute this process takes from one public address (IPv6: one /64), and with one key or session. 0 is no limit.
   * Both are far above what one person or one integration needs: they keep one client from taking everything.
   */
  REQUESTS_PER_ADDRESS_PER_MINUTE: whole(0, 1_000_000).default(3_000),
  REQUESTS_PER_CREDENTIAL_PER_MINUTE: whole(0, 1_000_000).default(6_000),
  /** For how long browsers use nothing but TLS for a host, once they came by it. 0 says nothing to them. */
  HSTS_MAX_AGE_SECONDS: whole(0, 63_072_000).default(31_536_000),
  /** The largest request body. What a submission adds to it has to fit into a NATS message, so there is a bound to this as well. */
  BODY_LIMIT_BYTES: whole(1_024, 1_572_864).default(1_048_576),
});

export type Config = z.output<typeof Config>;
