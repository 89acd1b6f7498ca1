import { randomUUID } from 'node:crypto';
import { eventually, soonMs, type Person } from '@sheaf/testing';
import { acceptedInvitation, asOwner, asOwnerSignedIn, asServiceAccount, credentials, instanceAdmin } from '../../support/people';

const error = (status: number, code: string) => ({ status, body: { error: { code } } });
const members = '/app/v1/instance/members';
const workspaceMembers = `/app/v1/workspaces/${credentials.workspace_id}/members`;

/** A person who owns a workspace and runs nothing else. */
async function ownerOfWorkspace(): Promise<{ person: Person; userId: string; workspace: string }> {
  const { person, userId } = await instanceAdmin();
  const { id: workspace } = (await person.post('/app/v1/workspaces', { name: `Own ${randomUUID()}` })).body as { id: string };
  const owner = await asOwnerSignedIn();
  for (const path of [members, workspaceMembers]) expect(await owner.delete(`${path}/${userId}`)).toMatchObject({ status: 204 });
  await eventually(async () => expect(await person.post('/app/v1/workspaces', { name: 'More' })).toMatchObject({ status: 403 }), soonMs);
  return { person, userId, workspace };
}

it('an owner of a workspace has no power outside of it', async () => {
  const { person, workspace } = await ownerOfWorkspace();
  const robot = await asServiceAccount('forms:read');
  const { userId: stranger } = await acceptedInvitation('viewer');
  const webhook = { event: 'submission.created', target_url: 'https://hooks.example.org/all' };
  const attempts: [method: string, path: string, body?: object][] = [
    ['GET', '/app/v1/service-accounts'],
    ['POST', '/app/v1/service-accounts', { name: 'Robot', scopes: ['submissions:read'] }],
    ['PATCH', `/app/v1/service-accounts/${robot.id}`, { scopes: ['submissions:read'] }],
    ['DELETE', `/app/v1/service-accounts/${robot.id}`],
    ['POST', `/app/v1/service-accounts/${robot.id}/keys`, {}],
    ['DELETE', `/app/v1/service-accounts/${robot.id}/keys/${randomUUID()}`],
    ['GET', '/app/v1/webhooks'],
    ['POST', '/app/v1/webhooks', webhook],
    ['GET', `/app/v1/webhooks/${randomUUID()}`],
    ['PATCH', `/app/v1/webhooks/${randomUUID()}`, { active: false }],
    ['DELETE', `/app/v1/webhooks/${randomUUID()}`],
    ['GET', `/app/v1/webhooks/${randomUUID()}/deliveries`],
    ['POST', '/app/v1/webhook-keys/rotate'],
    ['PATCH', '/app/v1/instance/retention', { submissions_days: 1 }],
    ['DELETE', `/app/v1/people/${stranger}?forever=true`],
    ['POST', '/app/v1/workspaces', { name: 'More' }],
    ['GET', members],
    ['POST', members, { email: credentials.user.email, role: 'admin' }],
    ['PUT', `${members}/${credentials.user.id}`, { role: 'admin' }],
    ['DELETE', `${members}/${credentials.user.id}`],
  ];
  for (const [method, path, body] of attempts)
    expect({ method, path, ...(await person.send(method, path, body)) }).toMatchObject({ method, path, ...error(403, 'forbidden') });

  await eventually(async () => {
    const { body } = await person.get('/app/v1/audit-log?limit=100');
    const entries = (body as { data: { workspace_id?: string }[] }).data;
    expect(entries.length).toBeGreaterThan(0);
    expect(new Set(entries.map(({ workspace_id }) => workspace_id))).toEqual(new Set([workspace]));
  });
  expect(await person.get('/app/v1/sessions/current')).toMatchObject({ body: { instance: { manages: false } } });
});

it('a role in the instance is given and taken in every process within a second', async () => {
  const owner = await asOwnerSignedIn();
  const { person, userId, email } = await acceptedInvitation('viewer');
  const mayList = (status: number) =>
    eventually(async () => expect(await person.get('/app/v1/service-accounts')).toMatchObject({ status }), soonMs);
  await mayList(403);
  expect(await owner.post(members, { email, role: 'admin' })).toMatchObject({ status: 200, body: { user_id: userId, role: 'admin' } });
  await mayList(200);
  expect(await person.get('/app/v1/sessions/current')).toMatchObject({ body: { instance: { manages: true, role: 'admin' } } });
  expect(await person.put(`${members}/${userId}`, { role: 'owner' })).toMatchObject(error(403, 'forbidden'));
  expect(await person.patch('/app/v1/instance/retention', {})).toMatchObject({ status: 200 });
  expect(await owner.delete(`${members}/${userId}`)).toMatchObject({ status: 204 });
  await mayList(403);
  await eventually(async () => {
    const { body } = await owner.get(`/app/v1/audit-log?target_id=${userId}&action=instance_member.added,instance_member.removed`);
    const actions = (body as { data: { action: string }[] }).data.map(({ action }) => action);
    expect(actions).toEqual(['instance_member.removed', 'instance_member.added']);
  });
});

it('the last owner of the instance can be neither removed nor demoted, and a key reaches none of it', async () => {
  const owner = await asOwnerSignedIn();
  const path = `${members}/${credentials.user.id}`;
  expect(await owner.get(members)).toMatchObject({
    status: 200,
    body: { data: expect.arrayContaining([expect.objectContaining({ user_id: credentials.user.id, role: 'owner' })]) as unknown },
  });
  expect(await owner.delete(path)).toMatchObject(error(400, 'bad_request'));
  expect(await owner.put(path, { role: 'admin' })).toMatchObject(error(400, 'bad_request'));
  expect(await asOwner.put(path, { role: 'owner' })).toMatchObject(error(403, 'forbidden'));
});
