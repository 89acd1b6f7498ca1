import type { Client, WorkspacesDefinition } from '@sheaf/rpc';
import type { Request } from 'express';
import { linkOrigin } from './link-origin';

const request = { protocol: 'https', headers: { host: 'foreign.example:8443' } } as unknown as Request;
const asked: unknown[] = [];
const from = (instance: { is_named: boolean; link_origin?: string }) =>
  linkOrigin(
    {
      resolveHost: (_: unknown, wanted: unknown) => {
        asked.push(wanted);
        return Promise.resolve({ id: 'i', ...instance });
      },
    } as unknown as Client<WorkspacesDefinition>,
    { request, gatewayCall: () => ({}) as never },
  );

describe('links lead', () => {
  it('to the host of the request if it is the name of the instance', async () => {
    expect(await from({ is_named: true, link_origin: 'https://forms.example.org' })).toBe('https://foreign.example:8443');
    expect(asked).toEqual([{ host: 'foreign.example' }]);
  });

  it('where the instance is known to be, not to the host that a request names, where every host is the instance', async () => {
    expect(await from({ is_named: false, link_origin: 'https://forms.example.org' })).toBe('https://forms.example.org');
  });

  it('to the host of the request as long as nothing is known', async () => {
    expect(await from({ is_named: false })).toBe('https://foreign.example:8443');
  });
});
