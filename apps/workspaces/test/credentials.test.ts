import { newId } from '@sheaf/kernel';
import { aUser, callAs, eventually, refused } from '@sheaf/testing';
import { authenticate, client, clock, instanceId, owner, ownerId, patched, useService, workspaceId } from './stage';

useService();

const anHour = 3_600_000;
const inAnHour = () => new Date(clock.now().getTime() + anHour).toISOString();

describe('API keys', () => {
  it('are shown once, act as their owner, and are invalid once revoked', async () => {
    const created = await client.createApiKey(callAs(owner()), { name: 'CI' });
    expect(created.key).toMatch(/^shf_u_/);
    await expect(authenticate(created.key ?? '')).resolves.toMatchObject({ id: ownerId, via: 'api_key', workspace_id: workspaceId });

    const { api_keys } = await client.listApiKeys(callAs(owner()), {});
    expect(api_keys.find(({ id }) => id === created.id)).toEqual(expect.not.objectContaining({ key: expect.anything() as unknown }));

    await client.revokeApiKey(callAs(owner()), { id: created.id });
    await expect(authenticate(created.key ?? '')).rejects.toEqual(refused('unauthorized'));
    await expect(client.revokeApiKey(callAs(owner()), { id: created.id })).rejects.toEqual(refused('not_found'));
  });

  it('show when they were last used, to the minute', async () => {
    const { id, key } = await client.createApiKey(callAs(owner()), { name: 'CI' });
    await authenticate(key ?? '');

    await eventually(async () => {
      const { api_keys } = await client.listApiKeys(callAs(owner()), {});
      expect(api_keys.find((listedKey) => listedKey.id === id)?.last_used_at).toBe(clock.now().toISOString());
    });
  });

  it('are invalid in another instance, or with a wrong character', async () => {
    const { key = '' } = await client.createApiKey(callAs(owner()), { name: 'CI' });

    await expect(authenticate(key, newId())).rejects.toEqual(refused('unauthorized'));
    await expect(authenticate(`${key.slice(0, -1)}-`)).rejects.toEqual(refused('unauthorized'));
  });

  it('can expire, but not in the past', async () => {
    const expiresAt = inAnHour();
    const { key = '' } = await client.createApiKey(callAs(owner()), { name: 'CI', expires_at: expiresAt });
    await expect(authenticate(key)).resolves.toMatchObject({ expires_at: expiresAt });

    clock.advance(anHour + 1);
    await expect(authenticate(key)).rejects.toEqual(refused('unauthorized'));
    await expect(client.createApiKey(callAs(owner()), { name: 'CI', expires_at: expiresAt })).rejects.toEqual(refused('bad_request'));
  });
});

describe('service accounts', () => {
  it('have their scopes and no workspace', async () => {
    const account = await client.createServiceAccount(callAs(owner()), { name: 'Importer', scopes: ['forms:read'] });

    const principal = await authenticate(account.key ?? '');
    expect(principal).toMatchObject({ id: account.id, kind: 'service_account', scopes: ['forms:read'], roles: {} });
    expect(principal.workspace_id).toBeUndefined();
  });

  it('are created only by owners and admins of the instance', async () => {
    const ofWorkspace = { ...owner(), instanceRole: undefined };
    await expect(client.createServiceAccount(callAs(ofWorkspace), { name: 'X', scopes: [] })).rejects.toEqual(
      refused('forbidden', 'Only owners and admins of the instance can manage service accounts.'),
    );
    await expect(client.listServiceAccounts(callAs(ofWorkspace), {})).rejects.toEqual(refused('forbidden'));
    const admin = aUser({ instanceId, instanceRole: 'admin', via: 'session' });
    await expect(client.createServiceAccount(callAs(admin), { name: 'X', scopes: [] })).resolves.toMatchObject({ name: 'X' });
  });

  it('lose their keys when they are deleted', async () => {
    const { id, key = '' } = await client.createServiceAccount(callAs(owner()), { name: 'Importer', scopes: [] });
    await client.deleteServiceAccount(callAs(owner()), { id });
    await expect(authenticate(key)).rejects.toEqual(refused('unauthorized'));
  });
});

describe('a service account', () => {
  const create = async () => client.createServiceAccount(callAs(owner()), { name: 'Robot', scopes: ['forms:read'] });
  const addKey = (service_account_id: string, expires_at?: string, as = owner()) =>
    client.createServiceAccountKey(callAs(as), { service_account_id, ...(expires_at === undefined ? {} : { expires_at }) });
  const revoke = (service_account_id: string, id: string) => client.revokeServiceAccountKey(callAs(owner()), { service_account_id, id });
  const listed = async (id: string) =>
    (await client.listServiceAccounts(callAs(owner()), {})).service_accounts.find((account) => account.id === id);

  it('gets a new name and new scopes, which apply immediately', async () => {
    const { id, key = '' } = await create();
    const changed = await client.updateServiceAccount(callAs(owner()), { id, ...patched({ scopes: ['forms:write', 'forms:write'] }) });
    expect(changed).toMatchObject({ name: 'Robot', scopes: ['forms:write'] });
    await expect(authenticate(key)).resolves.toMatchObject({ scopes: ['forms:write'] });

    await expect(client.updateServiceAccount(callAs(owner()), { id, ...patched({ name: 'Importer' }) })).resolves.toMatchObject({
      name: 'Importer',
      scopes: ['forms:write'],
    });
    await expect(client.updateServiceAccount(callAs(owner()), { id, ...patched({ scopes: [] }) })).resolves.toMatchObject({ scopes: [] });
    await expect(client.updateServiceAccount(callAs(owner()), { id, patch: { scopes: ['all'] }, set: ['scopes'] })).rejects.toEqual(
      refused('bad_request'),
    );
  });

  it('can replace its key without a gap: two keys may be valid at once, never three', async () => {
    const { id, key = '', keys } = await create();
    const second = await addKey(id);
    for (const good of [key, second.key ?? '']) await expect(authenticate(good)).resolves.toMatchObject({ id });
    await expect(addKey(id)).rejects.toEqual(refused('bad_request', 'The service account already has 2 keys; revoke one of them first.'));

    await revoke(id, keys[0]?.id ?? '');
    await expect(authenticate(key)).rejects.toEqual(refused('unauthorized'));
    await expect(authenticate(second.key ?? '')).resolves.toMatchObject({ id });
    await expect(revoke(id, keys[0]?.id ?? '')).rejects.toEqual(refused('not_found'));
    await expect(addKey(id)).resolves.toMatchObject({ key: expect.stringMatching(/^shf_s_/) as unknown });
  });

  it('keeps a key that is revoked under the name of another account', async () => {
    const [one, other] = [await create(), await create()];
    await expect(revoke(other.id, one.keys[0]?.id ?? '')).rejects.toEqual(refused('not_found'));
    await expect(authenticate(one.key ?? '')).resolves.toMatchObject({ id: one.id });
  });

  it('never has more than two keys, even after concurrent requests', async () => {
    const { id } = await create();
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => addKey(id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('lists its valid keys and when they were last used, but never the keys themselves', async () => {
    const { id, key = '' } = await create();
    const second = await addKey(id, inAnHour());
    await authenticate(key);
    await eventually(async () =>
      expect((await listed(id))?.keys).toEqual([
        {
          id: expect.any(String) as unknown,
          prefix: key.slice(0, 12),
          created_at: clock.now().toISOString(),
          last_used_at: clock.now().toISOString(),
        },
        { id: second.id, prefix: second.key?.slice(0, 12), created_at: clock.now().toISOString(), expires_at: second.expires_at },
      ]),
    );

    clock.advance(anHour);
    await expect(authenticate(second.key ?? '')).rejects.toEqual(refused('unauthorized'));
    expect((await listed(id))?.keys).toHaveLength(1);
    await expect(addKey(id, clock.now().toISOString())).rejects.toEqual(refused('bad_request', 'expires_at: must be in the future'));
  });

  it('records the use of a key at most once a minute', async () => {
    const { id, key = '' } = await create();
    const lastUsed = async () => (await listed(id))?.keys[0]?.last_used_at;
    const first = clock.now().toISOString();
    await authenticate(key);
    await eventually(async () => expect(await lastUsed()).toBe(first));
    clock.advance(59_000);
    await authenticate(key);
    expect(await lastUsed()).toBe(first);
    clock.advance(2_000);
    await authenticate(key);
    await eventually(async () => expect(await lastUsed()).toBe(clock.now().toISOString()));
  });

  it('is managed only by owners and admins of its own instance', async () => {
    const { id } = await create();
    const ofWorkspace = aUser({ instanceId, roles: { [workspaceId]: 'admin' }, via: 'session' });
    await expect(addKey(id, undefined, ofWorkspace)).rejects.toEqual(refused('forbidden'));
    await expect(client.updateServiceAccount(callAs(ofWorkspace), { id, ...patched({ name: 'Mine' }) })).rejects.toEqual(
      refused('forbidden'),
    );
    const stranger = aUser({ instanceId: newId(), instanceRole: 'owner', via: 'session' });
    await expect(addKey(id, undefined, stranger)).rejects.toEqual(refused('not_found'));
    for (const other of [newId(), 'nonsense']) {
      await expect(client.updateServiceAccount(callAs(owner()), { id: other, ...patched({ name: 'Mine' }) })).rejects.toEqual(
        refused('not_found'),
      );
      await expect(revoke(id, other)).rejects.toEqual(refused('not_found'));
    }
  });
});
