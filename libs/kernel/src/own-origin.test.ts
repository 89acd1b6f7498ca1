import { isOwnOrigin } from './own-origin';

const reachable = { ports: ['8080'], isOwnHost: (name: string) => name === 'forms.acme.example' };

it.each([
  'https://forms.acme.example/x',
  'http://FORMS.acme.example',
  'https://forms.acme.example.:443',
  'http://forms.acme.example:443',
  'https://forms.acme.example:8080/x?y',
])('%s leads to the deployment with that host and port', async (url) => expect(await isOwnOrigin(new URL(url), reachable)).toBe(true));

it.each(['https://forms.acme.example:8443/x', 'https://acme.example/x', 'https://forms.acme.example.org/x', 'https://127.0.0.1:8080/'])(
  '%s, at another host or port, does not lead to the deployment',
  async (url) => expect(await isOwnOrigin(new URL(url), reachable)).toBe(false),
);
