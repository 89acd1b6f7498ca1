import type { AuditAction } from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { actions, as, client, db, instanceId, owner, ownerId, read, storeRecorded, useAuditLog, workspaceId } from './audit-stage';

useAuditLog();

describe('a change in this service', () => {
  const recorded = async (): Promise<AuditAction[]> => {
    await storeRecorded();
    return (await actions()).sort() as AuditAction[];
  };
  const gateway = () => ({ ...callAs({ kind: 'service', id: 'gateway' }), address: '203.0.113.9' });

  it('is recorded: keys, accounts, members, folders', async () => {
    const call = () => callAs(owner());
    const key = await client.createApiKey(call(), { name: 'CI' });
    await client.revokeApiKey(call(), { id: key.id });
    const account = await client.createServiceAccount(call(), { name: 'Importer', scopes: [] });
    await client.deleteServiceAccount(call(), { id: account.id });
    const { member } = await client.addMember(call(), { workspace_id: workspaceId, email: `${newId()}@example.org`, role: 'viewer' });
    await client.removeMember(call(), { workspace_id: workspaceId, user_id: member?.user_id ?? '' });
    const folder = await client.createFolder(call(), { label: 'Visits' });
    await client.updateFolder(call(), { id: folder.id, patch: { label: 'Inspections' }, set: ['label'] });
    await client.deleteFolder(call(), { id: folder.id });

    expect(await recorded()).toEqual([
      'api_key.created',
      'api_key.revoked',
      'folder.created',
      'folder.deleted',
      'folder.updated',
      'member.added',
      'member.removed',
      'service_account.created',
      'service_account.deleted',
    ]);
  });

  it('is recorded: profiles, workspaces, roles, the keys of accounts', async () => {
    const call = () => callAs(owner());
    await client.updateProfile(call(), { patch: { name: 'Olga' }, set: ['name'] });
    await client.updateWorkspace(call(), { id: workspaceId, patch: { name: 'Renamed' }, set: ['name'] });
    const made = await client.createWorkspace(call(), { name: `Second ${newId()}` });
    const { member } = await client.addMember(call(), { workspace_id: workspaceId, email: `${newId()}@example.org`, role: 'viewer' });
    await client.changeMemberRole(call(), { workspace_id: workspaceId, user_id: member?.user_id ?? '', role: 'editor' });
    const { id } = await client.createServiceAccount(call(), { name: 'Importer', scopes: [] });
    await client.updateServiceAccount(call(), { id, patch: { scopes: ['forms:read'] }, set: ['scopes'] });
    const key = await client.createServiceAccountKey(call(), { service_account_id: id });
    await client.revokeServiceAccountKey(call(), { service_account_id: id, id: key.id });

    expect(await recorded()).toEqual([
      'member.added',
      'member.role_changed',
      'profile.updated',
      'service_account.created',
      'service_account.key_created',
      'service_account.key_revoked',
      'service_account.updated',
      'workspace.created',
      'workspace.updated',
    ]);
    expect(await actions({}, as('owner', made.workspace?.id))).toEqual(['workspace.created']);
  });

  it('is recorded with the session that it opens or ends: signing in, accepting an invitation, signing out', async () => {
    const { token } = await client.signIn(gateway(), { instance_id: instanceId, email: 'olga@example.org', password: 'correct horse' });
    const { credential_id } = await client.authenticate(gateway(), { instance_id: instanceId, credential: token });
    await client.endSession(callAs({ ...owner(), credentialId: credential_id }), {});
    const { invitation_token = '', member } = await client.addMember(callAs(owner()), {
      workspace_id: workspaceId,
      email: `${newId()}@example.org`,
      role: 'viewer',
    });
    await client.acceptInvitation(gateway(), {
      instance_id: instanceId,
      token: invitation_token,
      name: 'Vera',
      password: 'a long password',
    });

    expect(await recorded()).toEqual(['invitation.accepted', 'member.added', 'session.created', 'session.created', 'session.ended']);
    expect((await read({ target_id: credential_id, actions: ['session.created'] })).entries).toMatchObject([
      { actor: { id: ownerId, via: 'session', credential_id }, address: '203.0.113.9' },
    ]);
    expect((await read({ actions: ['invitation.accepted'] })).entries).toMatchObject([
      { actor: { name: 'Vera' }, target: { kind: 'user', id: member?.user_id } },
    ]);
  });

  it('is also recorded for a failed sign-in, without the input', async () => {
    const fail = (email: string) =>
      expect(client.signIn(gateway(), { instance_id: instanceId, email, password: 'hunter2hunter2' })).rejects.toEqual(
        refused('unauthorized'),
      );
    await fail('olga@example.org');
    await fail('not-an-address-but-a-password');
    await storeRecorded();

    const { entries } = await read({ actions: ['session.failed'] });
    expect(entries.map(({ actor, target }) => [actor?.kind, target])).toEqual(
      expect.arrayContaining([
        ['anonymous', { kind: 'user', id: ownerId }],
        ['anonymous', { kind: 'instance', id: instanceId }],
      ]),
    );
    expect(JSON.stringify(await db('audit_entry').where({ instance_id: instanceId }))).not.toMatch(/hunter2|password/);
  });

  it('is not recorded if it was refused', async () => {
    await expect(client.createServiceAccount(callAs(as('editor')), { name: 'X', scopes: [] })).rejects.toEqual(refused('forbidden'));
    await expect(client.removeMember(callAs(owner()), { workspace_id: workspaceId, user_id: ownerId })).rejects.toEqual(
      refused('bad_request'),
    );
    expect(await recorded()).toEqual([]);
  });
});
