import { newId } from '@sheaf/kernel';
import { callAs } from '@sheaf/testing';
import { resolveHost } from '../src/instances/resolve-host';
import { client, db, gateway, instanceId, newPerson, password, useService, workspaceId } from './stage';

useService();

const signInAt = (origin: string, email = 'olga@example.org') =>
  client.signIn(callAs(gateway), { instance_id: instanceId, email, password, origin });
const linkOrigin = async () => (await client.resolveHost(callAs(gateway), { host: 'foreign.example' })).link_origin ?? undefined;

beforeEach(() => db('instance').where({ id: instanceId }).update({ proven_origin: null }));

describe('without a configured address, links lead to', () => {
  it('no known address before anybody has signed in', async () => {
    expect(await linkOrigin()).toBeUndefined();
  });

  it('the first one at which somebody who manages the instance signed in, whatever they or others use later', async () => {
    await signInAt('https://forms.example.org');
    await signInAt('https://foreign.example');
    expect(await linkOrigin()).toBe('https://forms.example.org');
  });

  it('none at which only somebody else signed in', async () => {
    const id = newId();
    await newPerson(id, { [workspaceId]: 'viewer' });
    await signInAt('https://foreign.example', `${id}@example.org`);
    expect(await linkOrigin()).toBeUndefined();
  });

  it('none at which signing in failed', async () => {
    await expect(
      client.signIn(callAs(gateway), {
        instance_id: instanceId,
        email: 'olga@example.org',
        password: 'wrong',
        origin: 'https://foreign.example',
      }),
    ).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await linkOrigin()).toBeUndefined();
  });

  it.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])(
    'another one than %s, which means each machine, as soon as there is one',
    async (here) => {
      await signInAt(here);
      expect(await linkOrigin()).toBe(here);
      await signInAt('https://forms.example.org');
      await signInAt(here);
      expect(await linkOrigin()).toBe('https://forms.example.org');
    },
  );

  it('the configured address, if there is one', async () => {
    await signInAt('https://forms.example.org');
    const settings = { PUBLIC_URL: 'https://surveys.example.org' };
    expect(await resolveHost({ db, settings }, { host: 'foreign.example' })).toMatchObject({ linkOrigin: 'https://surveys.example.org' });
  });
});
