import type { ConnectionOptions } from '@nats-io/transport-node';
import { whole } from '@sheaf/runtime';
import { urlIn } from '@sheaf/kernel';
import { z } from 'zod';

const schemes = ['nats:', 'tls:'];

/** The settings of a process that sends or receives events. */
export const brokerSettings = {
  /** One server or several servers of a cluster, separated by commas: `nats://user:password@a:4222,nats://b:4222`. */
  NATS_URL: z
    .string()
    .refine((text) => addressesIn(text) !== undefined, 'must be one nats:// or tls:// address or several, separated by commas'),
  /** The CA certificates for the servers' certificates; by default those that Node trusts. */
  NATS_CA_FILE: z.string().min(1).optional(),
  /** The number of replicas of the stream. By default a new stream has one, and an existing stream is not changed. */
  NATS_STREAM_REPLICAS: z.coerce
    .number()
    .refine((count) => [1, 3, 5].includes(count), 'must be 1, 3 or 5')
    .optional(),
  /** The maximum age and size of the stream. By default a new stream gets a day and 1 GiB, and an existing stream is not changed. */
  NATS_STREAM_MAX_AGE_MS: whole(60_000, 31 * 86_400_000).optional(),
  NATS_STREAM_MAX_BYTES: whole(16 * 1024 * 1024, Number.MAX_SAFE_INTEGER).optional(),
  /** The maximum number of messages in hand at all copies of a service together; each copy has up to 200. */
  NATS_MAX_ACK_PENDING: whole(200, 100_000).default(4_000),
};

export type BrokerSettings = z.output<z.ZodObject<typeof brokerSettings>>;

/** Returns the connection options for the configured servers. The first address with a user sets user and password for all. */
export function serversAt({ NATS_URL, NATS_CA_FILE }: Pick<BrokerSettings, 'NATS_URL' | 'NATS_CA_FILE'>): ConnectionOptions {
  const addresses = addressesIn(NATS_URL) ?? [];
  const { username, password } = addresses.find((address) => address.username !== '') ?? { username: '', password: '' };
  return {
    servers: addresses.map(({ host }) => host),
    ...(username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    // With this option the client refuses a server without TLS before it sends its password.
    ...(addresses.some(({ protocol }) => protocol === 'tls:') ? { tls: NATS_CA_FILE === undefined ? {} : { caFile: NATS_CA_FILE } } : {}),
  };
}

/** Parses the addresses; undefined if one is not valid. A missing scheme defaults to that of the first address. */
function addressesIn(text: string): URL[] | undefined {
  const [scheme = ''] = /^\w+:/.exec(text) ?? [];
  const addresses = text
    .split(',')
    .map((part) => part.trim())
    .map((part) => (part.includes('://') ? part : `${scheme}//${part}`));
  const parsed = addresses.flatMap((address) => urlIn(address) ?? []);
  return parsed.length === addresses.length && parsed.every(({ protocol, hostname }) => schemes.includes(protocol) && hostname !== '')
    ? parsed
    : undefined;
}
