import { commandOutbox } from '@sheaf/events';
import { newId, operatorIn, type User, type WorkspaceRole } from '@sheaf/kernel';
import { aUser, callAs, TestClock } from '@sheaf/testing';
import { createWorkspaceFor } from '../src/workspace/create-workspace';
import { startService, type Service } from './service';

const clock = new TestClock();
const instanceId = newId();
let service: Service;

beforeAll(async () => {
  service = await startService(clock);
  await service.db('instance').insert({ id: instanceId, name: 'Test', created_at: clock.now() });
});
afterAll(() => service.stop());

async function newWorkspace(): Promise<string> {
  const id = newId();
  await service
    .db('workspace')
    .insert({ id, instance_id: instanceId, name: 'Main', slug: id, color: '', created_at: clock.now(), updated_at: clock.now() });
  return id;
}

/** A person with a password and these roles, who also runs the instance. */
async function anAdmin(roles: Record<string, WorkspaceRole>): Promise<User> {
  const user = await aMember(roles);
  await service.db('instance_member').insert({ instance_id: instanceId, person_id: user.id, role: 'admin', created_at: clock.now() });
  return { ...user, instanceRole: 'admin' };
}

/** A person with a password and these roles. */
async function aMember(roles: Record<string, WorkspaceRole>): Promise<User> {
  const id = newId();
  await service.db('person').insert({
    id,
    instance_id: instanceId,
    email: `${id}@example.org`,
    name: 'Olga',
    avatar_url: '',
    password_hash: 'x',
    created_at: clock.now(),
  });
  for (const [index, [workspace_id, role]] of Object.entries(roles).entries()) {
    await service
      .db('member')
      .insert({ workspace_id, instance_id: instanceId, person_id: id, role, is_default: index === 0, created_at: clock.now() });
  }
  return aUser({ id, instanceId, roles, via: 'session' });
}

const invite = async (as: User, workspace_id: string, email: string, role: WorkspaceRole) => {
  const { member, invitation, invitation_token } = await service.client.addMember(callAs(as), { workspace_id, email, role });
  return { id: member?.user_id ?? '', state: invitation, token: invitation_token };
};
const accept = (token = '') =>
  service.client.acceptInvitation(callAs({ kind: 'service', id: 'gateway' }), {
    instance_id: instanceId,
    token,
    name: 'Vera',
    password: 'a good long password',
  });
const change = (as: User, workspace_id: string, user_id: string, role: WorkspaceRole) =>
  service.client.changeMemberRole(callAs(as), { workspace_id, user_id, role });
const gone = expect.objectContaining({ code: 'not_found', message: 'There is no such invitation.' }) as unknown;
const someone = () => `${newId()}@example.org`;

describe('an invitation', () => {
  it('ends when an owner elsewhere makes the invited person an owner, and a new one replaces it if they also run the instance', async () => {
    const [a, b] = [await newWorkspace(), await newWorkspace()];
    const [adminOfA, ownerOfB] = [await aMember({ [a]: 'admin' }), await anAdmin({ [b]: 'owner' })];
    const email = someone();
    const old = await invite(adminOfA, a, email, 'viewer');
    expect(old).toMatchObject({ state: 'made' });

    const added = await invite(ownerOfB, b, email, 'owner');

    await expect(accept(old.token)).rejects.toEqual(gone);
    expect(added).toMatchObject({ id: old.id, state: 'made' });
    await expect(accept(added.token)).resolves.toMatchObject({ user: { id: old.id } });
  });

  it('ends if no inviter could grant both roles, until one of them is lowered or an inviter can grant both', async () => {
    const [a, b] = [await newWorkspace(), await newWorkspace()];
    const [ownerOfA, ownerOfB, ownerOfBoth] = [
      await anAdmin({ [a]: 'owner' }),
      await aMember({ [b]: 'owner' }),
      await aMember({ [a]: 'owner', [b]: 'owner' }),
    ];
    const email = someone();
    const old = await invite(ownerOfA, a, email, 'admin');

    expect(await invite(ownerOfB, b, email, 'admin')).toEqual({ id: old.id, state: 'needed', token: undefined });
    await expect(accept(old.token)).rejects.toEqual(gone);
    await expect(invite(ownerOfA, a, email, 'admin')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/all of their pending roles/) as unknown,
    });

    await change(ownerOfB, b, old.id, 'editor');
    expect(await invite(ownerOfA, a, email, 'admin')).toMatchObject({ state: 'made' });
    await change(ownerOfB, b, old.id, 'admin');
    const last = await invite(ownerOfBoth, a, email, 'admin');
    await expect(accept(last.token)).resolves.toMatchObject({ user: { id: old.id } });
  });

  it('stays if its inviter could also grant the new role, and the second inviter could not grant the first', async () => {
    const [a, b] = [await newWorkspace(), await newWorkspace()];
    const [ownerOfA, adminOfB] = [await anAdmin({ [a]: 'owner' }), await aMember({ [b]: 'admin' })];
    const email = someone();
    const old = await invite(ownerOfA, a, email, 'owner');
    expect(await invite(adminOfB, b, email, 'viewer')).toEqual({ id: old.id, state: 'pending', token: undefined });
    await expect(accept(old.token)).resolves.toMatchObject({ user: { id: old.id } });
  });

  it('ends when the role changes to one that its inviter could not grant', async () => {
    const a = await newWorkspace();
    const [admin, owner] = [await aMember({ [a]: 'admin' }), await aMember({ [a]: 'owner' })];
    const email = someone();
    const old = await invite(admin, a, email, 'viewer');
    await change(owner, a, old.id, 'owner');
    await expect(accept(old.token)).rejects.toEqual(gone);
    await expect(accept((await invite(owner, a, email, 'owner')).token)).resolves.toMatchObject({ user: { id: old.id } });
  });

  it.each<[string, (a: string, admin: User, owner: User) => Promise<unknown>]>([
    ['was removed', (workspace_id, admin, owner) => service.client.removeMember(callAs(owner), { workspace_id, user_id: admin.id })],
    ['has become a viewer', (a, admin, owner) => change(owner, a, admin.id, 'viewer')],
  ])('grants nothing if its inviter %s', async (_, end) => {
    const a = await newWorkspace();
    const [admin, owner] = [await aMember({ [a]: 'admin' }), await aMember({ [a]: 'owner' })];
    const { token } = await invite(admin, a, someone(), 'viewer');
    await end(a, admin, owner);
    await expect(accept(token)).rejects.toEqual(gone);
  });

  it('ends when the invited person becomes an owner of a form elsewhere, and its inviter cannot replace it', async () => {
    const [a, b] = [await newWorkspace(), await newWorkspace()];
    const [ownerOfA, ownerOfBoth] = [await aMember({ [a]: 'owner' }), await aMember({ [a]: 'owner', [b]: 'owner' })];
    const email = someone();
    const old = await invite(ownerOfA, a, email, 'viewer');
    const grant = { form_id: newId(), workspace_id: b, user_id: old.id };

    await service.hearOfGrant(instanceId, { ...grant, role: 'owner' });
    await service.hearOfGrant(instanceId, { ...grant, role: 'owner' });

    await expect(accept(old.token)).rejects.toEqual(gone);
    await expect(invite(ownerOfA, a, email, 'viewer')).rejects.toMatchObject({ code: 'conflict' });
    const byBoth = await invite(ownerOfBoth, a, email, 'viewer');
    await service.hearOfGrant(instanceId, grant);
    const again = await invite(ownerOfA, a, email, 'viewer');
    await expect(accept(byBoth.token)).rejects.toEqual(gone);
    await expect(accept(again.token)).resolves.toMatchObject({ user: { id: old.id } });

    await service.hearOfGrant(instanceId, { ...grant, role: 'owner' });
    expect(await service.db('promised_form').where({ person_id: old.id })).toEqual([]);
  });

  it.each(['editor', 'viewer'] as const)('ends when the invited person becomes %s of a form elsewhere', async (role) => {
    const [a, b] = [await newWorkspace(), await newWorkspace()];
    const [ownerOfA, adminOfInstance] = [await aMember({ [a]: 'owner' }), await anAdmin({ [a]: 'owner' })];
    const email = someone();
    const old = await invite(ownerOfA, a, email, 'viewer');
    const grant = { form_id: newId(), workspace_id: b, user_id: old.id };

    await service.hearOfGrant(instanceId, { ...grant, role });

    await expect(accept(old.token)).rejects.toEqual(gone);
    await expect(invite(ownerOfA, a, email, 'viewer')).rejects.toMatchObject({ code: 'conflict' });
    const byAdmin = await invite(adminOfInstance, a, email, 'viewer');
    await service.hearOfGrant(instanceId, { ...grant, role: 'owner' });
    await expect(accept(byAdmin.token)).rejects.toEqual(gone);
    await service.hearOfGrant(instanceId, { ...grant, role });
    const again = await invite(adminOfInstance, a, email, 'viewer');
    await expect(accept(again.token)).resolves.toMatchObject({ user: { id: old.id } });
  });

  it.each(['owner', 'editor', 'viewer'] as const)('follows a promised form to another workspace: of the role %s', async (role) => {
    const [a, b] = [await newWorkspace(), await newWorkspace()];
    const admin = await aMember({ [a]: 'admin' });
    const { id, token } = await invite(admin, a, someone(), 'viewer');
    const grant = { form_id: newId(), user_id: id, role };
    await service.hearOfGrant(instanceId, { ...grant, workspace_id: a });
    await service.hearOfGrant(instanceId, { ...grant, workspace_id: b });
    await expect(accept(token)).rejects.toEqual(gone);
  });

  it('stays if the form is in its own workspace', async () => {
    const a = await newWorkspace();
    const admin = await aMember({ [a]: 'admin' });
    const { id, token } = await invite(admin, a, someone(), 'viewer');
    await service.hearOfGrant(instanceId, { form_id: newId(), workspace_id: a, user_id: id, role: 'owner' });
    await expect(accept(token)).resolves.toMatchObject({ user: { id } });
  });

  it('ends when the operator makes the invited person the owner of a workspace', async () => {
    const a = await newWorkspace();
    const email = someone();
    const old = await invite(await aMember({ [a]: 'owner' }), a, email, 'viewer');
    const deps = { db: service.db, outbox: commandOutbox(service.db), clock, settings: { INVITATION_DAYS: 7, SLUG_QUARANTINE_DAYS: 90 } };
    const asked = { caller: operatorIn(instanceId), call: { requestId: newId() } };
    const { invitationToken } = await createWorkspaceFor(deps, asked, { name: 'Theirs', owner: { email, name: undefined } });
    await expect(accept(old.token)).rejects.toEqual(gone);
    await expect(accept(invitationToken)).resolves.toMatchObject({ user: { id: old.id } });
  });

  it('without a recorded inviter, from an older version, grants the one role that it was made for', async () => {
    const [a, b] = [await newWorkspace(), await newWorkspace()];
    const owner = await aMember({ [a]: 'owner', [b]: 'owner' });
    const made = [await invite(owner, a, someone(), 'owner'), await invite(owner, a, someone(), 'owner')];
    await service.db('invitation').update({ inviter_kind: null, inviter_id: null });
    await service.db('member').insert({
      workspace_id: b,
      instance_id: instanceId,
      person_id: made[1]?.id,
      role: 'viewer',
      is_default: false,
      created_at: clock.now(),
    });
    await expect(accept(made[0]?.token)).resolves.toMatchObject({ user: { id: made[0]?.id } });
    await expect(accept(made[1]?.token)).rejects.toEqual(gone);
  });
});
