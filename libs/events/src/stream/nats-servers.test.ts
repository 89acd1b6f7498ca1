import { z } from 'zod';
import { brokerSettings, serversAt } from './nats-servers';

const Settings = z.object(brokerSettings);
const at = (NATS_URL: string, more = {}) => serversAt(Settings.parse({ NATS_URL, ...more }));

it('accepts one server with its user', () => {
  expect(at('nats://us%40er:p%2Fw@nats:4222')).toEqual({ servers: ['nats:4222'], user: 'us@er', pass: 'p/w' });
});

it('shares the first user among several servers, which may omit the scheme', () => {
  expect(at('nats://a:4222, nats://sheaf:secret@b:4222,c')).toEqual({ servers: ['a:4222', 'b:4222', 'c'], user: 'sheaf', pass: 'secret' });
});

it('uses TLS for tls://, with the configured CA certificates', () => {
  expect(at('tls://a:4222,b:4222')).toEqual({ servers: ['a:4222', 'b:4222'], tls: {} });
  expect(at('tls://a:4222', { NATS_CA_FILE: '/etc/ca.pem' })).toEqual({ servers: ['a:4222'], tls: { caFile: '/etc/ca.pem' } });
});

it.each(['', 'nats', 'http://a:4222', 'nats://', 'nats://a:4222,', 'nats://a:4222,http://b', 'nats://a:port'])(
  'rejects the address %j',
  (text) => {
    expect(Settings.safeParse({ NATS_URL: text }).success).toBe(false);
  },
);

it.each([{ NATS_STREAM_REPLICAS: '2' }, { NATS_STREAM_MAX_BYTES: '1' }, { NATS_STREAM_MAX_AGE_MS: '0' }, { NATS_MAX_ACK_PENDING: '1' }])(
  'rejects the setting %j',
  (setting) => {
    expect(Settings.safeParse({ NATS_URL: 'nats://a', ...setting }).success).toBe(false);
  },
);
