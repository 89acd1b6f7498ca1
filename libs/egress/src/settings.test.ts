import { readConfig } from '@sheaf/runtime';
import { z } from 'zod';
import { requireProxy, sendingRules, sendingSettings } from './settings';

const Settings = z.object(sendingSettings).superRefine(requireProxy);
const rules = (env: NodeJS.Dict<string>) => sendingRules(readConfig(Settings, env), () => undefined);

it('a proxy is an address, and its name and password are apart from it', () => {
  expect(rules({ WEBHOOK_PROXY_URL: 'http://proxy.internal:3128', WEBHOOK_PROXY_CREDENTIALS: 'me:a:b@c' })).toMatchObject({
    proxy: { host: 'proxy.internal', port: 3128, credentials: 'me:a:b@c' },
  });
  expect(rules({ WEBHOOK_PROXY_URL: 'http://[fd00::1]' })).toMatchObject({ proxy: { host: 'fd00::1', port: 80 } });
  expect(rules({})).not.toHaveProperty('proxy');
});

it('hosts that only the proxy looks up are names, in small letters', () => {
  const proxy = { WEBHOOK_PROXY_URL: 'http://proxy:3128' };
  expect(rules({ ...proxy, WEBHOOK_PROXY_ALLOW_HOSTS: 'Hooks.example.com, *.make.com' })).toMatchObject({
    proxyHosts: ['hooks.example.com', '*.make.com'],
  });
});

it.each<[string, NodeJS.Dict<string>]>([
  ['WEBHOOK_PROXY_URL: must be http://host:port', { WEBHOOK_PROXY_URL: 'http://me:s3cret@proxy:3128' }],
  ['WEBHOOK_PROXY_URL: must be http://host:port', { WEBHOOK_PROXY_URL: 'socks5://proxy:1080' }],
  ['WEBHOOK_PROXY_CREDENTIALS: must be name:password', { WEBHOOK_PROXY_URL: 'http://proxy', WEBHOOK_PROXY_CREDENTIALS: 's3cret' }],
  ['WEBHOOK_PROXY_CREDENTIALS: needs WEBHOOK_PROXY_URL', { WEBHOOK_PROXY_CREDENTIALS: 'me:s3cret' }],
  ['WEBHOOK_PROXY_ALLOW_HOSTS: needs WEBHOOK_PROXY_URL', { WEBHOOK_PROXY_ALLOW_HOSTS: 'a.example' }],
  ...['10.0.0.1', '*', '*.', 'https://a.example', 'a.example:443', 'a..example', 'a.*.example'].map(
    (host): [string, NodeJS.Dict<string>] => [
      'WEBHOOK_PROXY_ALLOW_HOSTS',
      { WEBHOOK_PROXY_URL: 'http://proxy', WEBHOOK_PROXY_ALLOW_HOSTS: host },
    ],
  ),
  ['WEBHOOK_CA_FILE: ', { WEBHOOK_CA_FILE: '/nowhere/ca.pem' }],
])('is refused, without its value: %s', (fault, env) => {
  expect(() => rules(env)).toThrow(fault);
  expect(() => rules(env)).not.toThrow('s3cret');
});
