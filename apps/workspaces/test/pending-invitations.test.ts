import { newId, type User } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { client, clock, db, gateway, instanceId, newPerson, newWorkspace, owner, ownerId, useService, workspaceId } from './stage';

useService();

const someone = () => `${newId()}@example.org`;

async function invited(as: User, role = 'editor', email = someone()) {
  const { member, invitation_token } = await client.addMember(callAs(as), { workspace_id: workspaceId, email, role });
  const { invitations } = await client.listInvitations(callAs(as), { workspace_id: workspaceId });
  const invitation = invitations.find((pending) => pending.email === email);
  if (!invitation) throw new Error('the invitation is not in the list');
  return { ...invitation, personId: member?.user_id ?? '', token: invitation_token ?? '' };
}
const admin = () => newPerson(newId(), { [workspaceId]: 'admin' });
const seen = (token: string) => client.getInvitation(callAs(gateway), { instance_id: instanceId, token });
const accept = (token: string) =>
  client.acceptInvitation(callAs(gateway), { instance_id: instanceId, token, name: 'Vera', password: 'a good long password' });
const renew = (as: User, id: string) => client.renewInvitationLink(callAs(as), { workspace_id: workspaceId, id });
const revoke = (as: User, id: string) => client.revokeInvitation(callAs(as), { workspace_id: workspaceId, id });

describe('a pending invitation', () => {
  it('is shown to the person who has its token', async () => {
    const { email, token } = await invited(owner());
    expect(await seen(token)).toEqual({
      email,
      role: 'editor',
      workspace_name: 'Main',
      invited_by_name: 'Olga',
      expires_at: new Date(clock.now().getTime() + 7 * 86_400_000).toISOString(),
    });
    await expect(seen('another token')).rejects.toEqual(refused('not_found'));
    await accept(token);
    await expect(seen(token)).rejects.toEqual(refused('not_found'));
  });

  it('keeps the name that its sender wrote', async () => {
    const wanted = { workspace_id: workspaceId, email: someone(), role: 'editor', name: 'Vera Rubin' };
    const { invitation_token: token = '' } = await client.addMember(callAs(owner()), wanted);
    expect(await seen(token)).toMatchObject({ name: 'Vera Rubin' });
    const { token: unnamed } = await invited(owner());
    expect(await seen(unnamed)).not.toHaveProperty('name');
  });

  it('is listed with its sender until it is accepted', async () => {
    const { id, email, token } = await invited(owner(), 'viewer');
    const listed = async () =>
      (await client.listInvitations(callAs(owner()), { workspace_id: workspaceId })).invitations.find((pending) => pending.id === id);
    expect(await listed()).toMatchObject({
      email,
      role: 'viewer',
      inviter_kind: 'user',
      inviter_id: ownerId,
      inviter_name: 'Olga',
      valid: true,
    });

    await accept(token);
    expect(await listed()).toBeUndefined();
  });

  it('is listed as not valid, and hidden from the invited, once its sender may not assign the role any more', async () => {
    const sender = await admin();
    const { id, token } = await invited(sender);
    await db('member').where({ person_id: sender.id }).update({ role: 'viewer' });

    const { invitations } = await client.listInvitations(callAs(owner()), { workspace_id: workspaceId });
    expect(invitations.find((pending) => pending.id === id)).toMatchObject({ valid: false });
    await expect(seen(token)).rejects.toEqual(refused('not_found'));
  });

  it('gets a new link, and the earlier one stops working', async () => {
    const { id, token } = await invited(owner());
    clock.advance(86_400_000);

    const renewed = await renew(await admin(), id);

    expect(renewed.expires_at).toBe(new Date(clock.now().getTime() + 7 * 86_400_000).toISOString());
    await expect(accept(token)).rejects.toEqual(refused('not_found'));
    await expect(accept(renewed.token)).resolves.toHaveProperty('token');
    await expect(renew(owner(), id)).rejects.toEqual(refused('not_found'));
  });

  it('gets no link from somebody who could not assign all roles that await the person', async () => {
    const { id, email, token } = await invited(owner());
    const other = await newWorkspace();
    const both: User = { ...owner(), roles: { [workspaceId]: 'owner', [other]: 'owner' } };
    await db('member').insert({
      workspace_id: other,
      instance_id: instanceId,
      person_id: ownerId,
      role: 'owner',
      is_default: false,
      created_at: clock.now(),
    });
    const again = await client.addMember(callAs(both), { workspace_id: other, email, role: 'admin' });
    const { invitations } = await client.listInvitations(callAs(owner()), { workspace_id: workspaceId });
    const current = invitations.find((pending) => pending.email === email)?.id ?? '';

    await expect(renew(await admin(), current)).rejects.toEqual(refused('forbidden'));
    await expect(renew(owner(), id)).rejects.toEqual(refused('not_found'));
    await expect(accept(token)).rejects.toEqual(refused('not_found'));
    await expect(accept(again.invitation_token ?? '')).resolves.toHaveProperty('token');
  });

  it('is revoked with the membership, and cannot be accepted any more', async () => {
    const { id, token, personId } = await invited(owner());

    await revoke(await admin(), id);

    await expect(accept(token)).rejects.toEqual(refused('not_found'));
    const { members } = await client.listMembers(callAs(owner()), { workspace_id: workspaceId });
    expect(members.map(({ user_id }) => user_id)).not.toContain(personId);
    await expect(revoke(owner(), id)).rejects.toEqual(refused('not_found'));
  });

  it('of an owner is revoked and renewed only by owners', async () => {
    const { id } = await invited(owner(), 'owner');
    const an = await admin();
    await expect(revoke(an, id)).rejects.toEqual(refused('forbidden'));
    await expect(renew(an, id)).rejects.toEqual(refused('forbidden'));
    await expect(revoke(owner(), id)).resolves.toEqual({});
  });

  it('is out of reach for editors, and from another workspace', async () => {
    const { id } = await invited(owner());
    const editor = await newPerson(newId(), { [workspaceId]: 'editor' });
    await expect(client.listInvitations(callAs(editor), { workspace_id: workspaceId })).rejects.toEqual(refused('forbidden'));
    await expect(renew(editor, id)).rejects.toEqual(refused('forbidden'));
    await expect(revoke(editor, id)).rejects.toEqual(refused('forbidden'));

    const other = await newWorkspace();
    const stranger = await newPerson(newId(), { [other]: 'owner' });
    const there = { workspace_id: other, id };
    await expect(client.renewInvitationLink(callAs(stranger), there)).rejects.toEqual(refused('not_found'));
    await expect(client.revokeInvitation(callAs(stranger), there)).rejects.toEqual(refused('not_found'));
  });
});
