import type { ConnectionOptions } from '@nats-io/transport-node';
import { whole } from '@sheaf/runtime';
import { z } from 'zod';

const schemes = ['nats:', 'tls:'];

/** The settings of a process that sends or hears events. */
export const brokerSettings = {
  /** One server, or several of a cluster, separated by commas: `nats://user:password@a:4222,nats://b:4222`. */
  NATS_URL: z.string().refine((text) => addressesIn(text) !== undefined, 'must be one nats:// or tls:// address or several, separated by commas'),
  /** The certificates that a server's certificate may be signed by; those that Node trusts if left out. */
  NATS_CA_FILE: z.string().min(1).optional(),
  /** On how many servers the stream is kept. Left out, a new stream is kept on one and an existing one stays as it is. */
  NATS_STREAM_REPLICAS: z.coerce.number().refine((count) => [1, 3, 5].includes(count), 'must be 1, 3 or 5').optional(),
  /** How long the stream keeps events, and how many bytes. Left out, a new one gets a day and 1 GiB, and an existing one stays as it is. */
  NATS_STREAM_MAX_AGE_MS: whole(60_000, 31 * 86_400_000).optional(),
  NATS_STREAM_MAX_BYTES: whole(16 * 1024 * 1024, Number.MAX_SAFE_INTEGER).optional(),
  /** How many messages all copies of a service together may have in hand; each has up to 200. */
  NATS_MAX_ACK_PENDING: whole(200, 100_000).default(4_000),
};

export type BrokerSettings = z.output<z.ZodObject<typeof brokerSettings>>;

/** How to reach the servers of the setting. User and password are those of the first address that has any. */
export function serversAt({ NATS_URL, NATS_CA_FILE }: Pick<BrokerSettings, 'NATS_URL' | 'NATS_CA_FILE'>): ConnectionOptions {
  const addresses = addressesIn(NATS_URL) ?? [];
  const { username, password } = addresses.find((address) => address.username !== '') ?? { username: '', password: '' };
  return {
    servers: addresses.map(({ host }) => host),
    ...(username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    // With this the client refuses a server that does not speak TLS, before it says its password.
    ...(addresses.some(({ protocol }) => protocol === 'tls:') ? { tls: NATS_CA_FILE === undefined ? {} : { caFile: NATS_CA_FILE } } : {}),
  };
}

/** Undefined if one of them is none. A scheme that is left out is that of the first. */
function addressesIn(text: string): URL[] | undefined {
  const [scheme = ''] = /^\w+:/.exec(text) ?? [];
  const addresses = text.split(',').map((part) => part.trim()).map((part) => (part.includes('://') ? part : `${scheme}//${part}`));
  const parsed = addresses.flatMap((address) => (URL.canParse(address) ? [new URL(address)] : []));
  return parsed.length === addresses.length && parsed.every(({ protocol, hostname }) => schemes.includes(protocol) && hostname !== '') ? parsed : undefined;
}
