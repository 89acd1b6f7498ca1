import { brokerSettings } from '@sheaf/events';
import { signingSettings } from '@sheaf/rpc';
import { address, flag, list, port, ProcessConfig, whole } from '@sheaf/runtime';
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
  /** `host:port` of the process that serves pages to respondents, over HTTP. */
  PAGES_ADDR: z.string().regex(/^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i, 'must be host:port'),
  /** Whether the log has a line for each request; otherwise only for those that fail. */
  ACCESS_LOG: flag().default(true),
  /** How long a request may wait for the services behind the gateway. */
  REQUEST_TIMEOUT_MS: whole(100, 60_000).default(5_000),
  /** The maximum age of cached hosts while `workspaces` is unavailable. Callers and their access are never used stale. */
  STALE_HOSTS_MS: whole(0, 86_400_000).default(600_000),
  /** How long an unused connection stays open: longer than any proxy in front keeps it, so that no request meets a closing connection. */
  IDLE_CONNECTION_MS: whole(1_000, 3_600_000).default(75_000),
  /** The maximum duration of a stream (download, export or upload) across all services. */
  STREAM_TIMEOUT_MS: whole(1_000, 86_400_000).default(3_600_000),
  /**
   * The proxies in front of the gateway: addresses, networks, or loopback, linklocal, uniquelocal. Their X-Forwarded-For and
   * X-Forwarded-Proto are trusted. Without trusted proxies, the client is the peer of the connection.
   */
  TRUSTED_PROXIES: list()
    .pipe(
      z.array(
        z.union(
          [z.enum(['loopback', 'linklocal', 'uniquelocal']), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
          'must be a list of addresses or networks',
        ),
      ),
    )
    .default([]),
  /**
   * The requests per minute that this process accepts from one public address (IPv6: one /64), and with one key or session. 0 means no
   * limit. Both are far above the needs of one person or integration; they keep a single client from exhausting the process.
   */
  REQUESTS_PER_ADDRESS_PER_MINUTE: whole(0, 1_000_000).default(3_000),
  REQUESTS_PER_CREDENTIAL_PER_MINUTE: whole(0, 1_000_000).default(6_000),
  /** The `max-age` of Strict-Transport-Security, which tells browsers to use only TLS for a host. 0 omits the header. */
  HSTS_MAX_AGE_SECONDS: whole(0, 63_072_000).default(31_536_000),
  /** The maximum size of a request body. It is bounded, because a submission and its metadata must fit into a NATS message. */
  BODY_LIMIT_BYTES: whole(1_024, 1_572_864).default(1_048_576),
});

export type Config = z.output<typeof Config>;
