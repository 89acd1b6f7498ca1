import { randomUUID } from 'node:crypto';
import { eventually, type Person, soonMs } from '@sheaf/testing';
import {
  acceptedInvitation,
  anyone,
  asMember,
  asOwner,
  asOwnerSignedIn,
  asServiceAccount,
  credentials,
  instanceAdmin,
  signIn,
} from '../../support/people';

const error = (status: number, code: string, message?: string) => ({
  status,
  body: { error: { code, ...(message === undefined ? {} : { message }) } },
});
const members = `/app/v1/workspaces/${credentials.workspace_id}/members`;
const password = 'a good long password';

const newAddress = () => `${randomUUID()}@example.org`;

/** A member whose address and password the test knows. */
async function newMember(): Promise<{ email: string; person: Person }> {
  const email = newAddress();
  const { invitation_url } = (await (await asOwnerSignedIn()).post(members, { email, role: 'editor' })).body as { invitation_url: string };
  const { body } = await anyone.post(`/app/v1/invitations/${invitation_url.split('/').at(-1) ?? ''}`, { name: 'Edith', password });
  return { email, person: anyone.with((body as { token: string }).token) };
}

describe('a profile', () => {
  it('is changed by its owner and shown to the members of the workspace', async () => {
    const { email, person } = await newMember();
    const { id } = (await person.get('/app/v1/me')).body as { id: string };
    const changed = {
      id,
      email,
      name: 'Edith E.',
      avatar_url: 'https://example.org/edith.png',
      default_workspace_id: credentials.workspace_id,
      has_password: true,
    };

    expect(await person.patch('/app/v1/me', { name: 'Edith E.', avatar_url: 'https://example.org/edith.png' })).toMatchObject({
      status: 200,
      body: changed,
    });
    expect(await person.get('/app/v1/me')).toMatchObject({ status: 200, body: changed });
    const { data } = (await asOwner.get(`/api/v1/workspaces/${credentials.workspace_id}/members`)).body as { data: unknown[] };
    expect(data).toContainEqual(expect.objectContaining({ user_id: id, name: 'Edith E.', avatar_url: 'https://example.org/edith.png' }));
  });

  it('with a new password ends all other sessions within a second, but neither this one nor the keys', async () => {
    const { email, person } = await newMember();
    const elsewhere = await signIn(email, password);
    const { key } = (await person.post('/app/v1/api-keys', { name: 'CI' })).body as { key: string };
    for (const who of [person, elsewhere, anyone.with(key)]) expect(await who.get('/api/v1/auth/me')).toMatchObject({ status: 200 });

    const change = (current_password: string) => person.patch('/app/v1/me', { current_password, password: 'another good long one' });
    expect(await change('wrong')).toMatchObject(error(400, 'bad_request', 'current_password: is not your password'));
    expect(await change(password)).toMatchObject({ status: 200 });

    await eventually(async () => expect(await elsewhere.get('/api/v1/auth/me')).toMatchObject(error(401, 'unauthorized')), soonMs);
    for (const who of [person, anyone.with(key)]) expect(await who.get('/api/v1/auth/me')).toMatchObject({ status: 200 });
    expect(await anyone.post('/app/v1/sessions', { email, password })).toMatchObject(error(401, 'unauthorized'));
    expect(await anyone.post('/app/v1/sessions', { email, password: 'another good long one' })).toMatchObject({ status: 201 });
  });

  it('is closed to keys', async () => {
    expect(await asOwner.get('/app/v1/me')).toMatchObject(error(403, 'forbidden'));
    expect(await asOwner.patch('/app/v1/me', { name: 'Mine' })).toMatchObject(error(403, 'forbidden'));
  });
});

describe('a workspace', () => {
  it('is created by an admin of the instance, who owns it and can switch to it at once', async () => {
    const { person: admin } = await instanceAdmin('viewer');
    const name = `Field work ${randomUUID()}`;
    const made = await admin.post('/app/v1/workspaces', { name, color: 'teal' });
    expect(made).toMatchObject({
      status: 201,
      body: { name, color: 'teal', role: 'owner', slug: name.toLowerCase().replaceAll(' ', '-') },
    });

    const { id, slug } = made.body as { id: string; slug: string };
    expect(await admin.patch('/api/v1/auth/workspace', { workspace_id: id })).toMatchObject({ status: 200, body: { id, role: 'owner' } });
    expect(await admin.post('/api/v1/forms', { title: 'The first one' })).toMatchObject({ status: 201, body: { role: 'owner' } });
    expect(await admin.patch('/app/v1/me', { default_workspace_id: id })).toMatchObject({ body: { default_workspace_id: id } });
    expect(await admin.patch(`/app/v1/workspaces/${id}`, { name: 'Renamed', color: null })).toMatchObject({
      status: 200,
      body: { id, name: 'Renamed', color: '', slug },
    });

    expect(await admin.post('/app/v1/workspaces', { name, slug })).toMatchObject(error(400, 'bad_request', 'slug: is taken'));
    expect(await asOwner.patch(`/app/v1/workspaces/${id}`, { name: 'Mine' })).toMatchObject(error(403, 'forbidden'));
  });
});

describe('the role of a member', () => {
  it('applies within a second of its change', async () => {
    const { userId, person } = await acceptedInvitation('viewer');
    expect(await person.post('/api/v1/forms', { title: 'Mine' })).toMatchObject(error(403, 'forbidden'));
    expect(await (await asOwnerSignedIn()).patch(`${members}/${userId}`, { role: 'editor' })).toMatchObject({
      status: 200,
      body: { user_id: userId, role: 'editor' },
    });
    await eventually(async () => expect(await person.post('/api/v1/forms', { title: 'Mine' })).toMatchObject({ status: 201 }), soonMs);
  });

  it('of an owner cannot be changed by an admin, and the last owner remains an owner', async () => {
    const admin = await asMember('admin');
    const { id } = credentials.user;
    expect(await admin.patch(`${members}/${id}`, { role: 'viewer' })).toMatchObject(
      error(403, 'forbidden', 'Only an owner can change the role of an owner.'),
    );
    expect(await admin.delete(`${members}/${id}`)).toMatchObject(error(403, 'forbidden', 'Only an owner can remove an owner.'));
    expect(await (await asOwnerSignedIn()).patch(`${members}/${id}`, { role: 'admin' })).toMatchObject(
      error(400, 'bad_request', 'role: the last owner must remain an owner'),
    );
  });
});

it('a repeated invitation replaces the previous one', async () => {
  const email = newAddress();
  const invite = async () =>
    ((await (await asOwnerSignedIn()).post(members, { email, role: 'viewer' })).body as { invitation_url: string }).invitation_url
      .split('/')
      .at(-1) ?? '';
  const accept = (token: string) => anyone.post(`/app/v1/invitations/${token}`, { name: 'Edith', password });
  const [first, second] = [await invite(), await invite()];
  expect(await accept(first)).toMatchObject(error(404, 'not_found'));
  expect(await accept(second)).toMatchObject({ status: 201 });
  expect(await accept(second)).toMatchObject(error(404, 'not_found'));
});

describe('a pending invitation whose invitee gains access elsewhere', () => {
  const accept = (url = '') => anyone.post(`/app/v1/invitations/${url.split('/').at(-1) ?? ''}`, { name: 'Edith', password });
  const add = async (who: Person, workspace: string, email: string, role: string) =>
    (await who.post(`/app/v1/workspaces/${workspace}/members`, { email, role })).body as {
      user_id: string;
      invitation?: string;
      invitation_url?: string;
    };

  /** The owner of another workspace, without a role in the first one, who runs the instance. */
  async function ownerElsewhere(): Promise<{ owner: Person; workspace: string }> {
    const { userId, person } = await instanceAdmin();
    const { id } = (await person.post('/app/v1/workspaces', { name: `Elsewhere ${randomUUID()}` })).body as { id: string };
    await (await asOwnerSignedIn()).delete(`${members}/${userId}`);
    await eventually(async () =>
      expect(await person.get(`/api/v1/workspaces/${credentials.workspace_id}/members`)).toMatchObject({ status: 403 }),
    );
    return { owner: person, workspace: id };
  }

  it('ends when someone else gives the invitee a role, and is replaced by a new one', async () => {
    const { owner, workspace } = await ownerElsewhere();
    const email = newAddress();
    const old = await add(await asMember('admin'), credentials.workspace_id, email, 'viewer');
    const added = await add(owner, workspace, email, 'owner');
    expect(added).toMatchObject({ user_id: old.user_id, invitation: 'made' });

    expect(await accept(old.invitation_url)).toMatchObject(error(404, 'not_found'));
    expect(await accept(added.invitation_url)).toMatchObject({ status: 201, body: { user: { id: old.user_id } } });
  });

  it('ends within a second of a grant on a form', async () => {
    const { owner, workspace } = await ownerElsewhere();
    await owner.patch('/api/v1/auth/workspace', { workspace_id: workspace });
    const { id: form } = (await owner.post('/api/v1/forms', { title: 'Theirs' })).body as { id: string };
    const email = newAddress();
    const invited = await add(await asMember('admin'), credentials.workspace_id, email, 'viewer');
    expect(await owner.put(`/app/v1/forms/${form}/grants/${invited.user_id}`, { role: 'owner' })).toMatchObject({ status: 200 });

    const again = async () => (await asOwnerSignedIn()).post(members, { email, role: 'viewer' });
    await eventually(async () => expect(await again()).toMatchObject(error(409, 'conflict')), soonMs);
    expect(await accept(invited.invitation_url)).toMatchObject(error(404, 'not_found'));
  });
});

describe('a service account', () => {
  it('gets changed scopes within a second', async () => {
    const robot = await asServiceAccount('forms:read');
    expect(await robot.get('/api/v1/forms')).toMatchObject({ status: 200 });
    expect(await (await asOwnerSignedIn()).patch(`/app/v1/service-accounts/${robot.id}`, { scopes: ['hooks:manage'] })).toMatchObject({
      status: 200,
      body: { scopes: ['hooks:manage'] },
    });
    await eventually(async () => expect(await robot.get('/api/v1/forms')).toMatchObject(error(403, 'insufficient_scope')), soonMs);
  });

  it('can replace its key, and the old one is invalid within a second of its revocation', async () => {
    const owner = await asOwnerSignedIn();
    const robot = await asServiceAccount('forms:read');
    const second = (await owner.post(`/app/v1/service-accounts/${robot.id}/keys`, {})).body as { id: string; key: string };
    for (const who of [robot, anyone.with(second.key)])
      expect(await who.get('/api/v1/auth/me')).toMatchObject({ status: 200, body: { id: robot.id } });
    expect(await owner.post(`/app/v1/service-accounts/${robot.id}/keys`)).toMatchObject(error(400, 'bad_request'));

    const { data } = (await owner.get('/app/v1/service-accounts')).body as { data: { id: string; keys: { id: string }[] }[] };
    const keys = data.find(({ id }) => id === robot.id)?.keys ?? [];
    expect(keys.map(({ id }) => id)).toContain(second.id);
    expect(JSON.stringify(keys)).not.toContain(second.key);

    const first = keys.find(({ id }) => id !== second.id)?.id ?? '';
    expect(await owner.delete(`/app/v1/service-accounts/${robot.id}/keys/${first}`)).toMatchObject({ status: 204 });
    await eventually(async () => expect(await robot.get('/api/v1/auth/me')).toMatchObject(error(401, 'unauthorized')), soonMs);
    expect(await anyone.with(second.key).get('/api/v1/auth/me')).toMatchObject({ status: 200 });
  });
});

describe('signing in', () => {
  it.each([
    ['a known', async () => (await newMember()).email],
    ['an unknown', () => Promise.resolve(newAddress())],
  ])('too often with a wrong password is refused for a stated time: %s address', async (_, addressOf) => {
    // Accepting an invitation counts as a sign-in, so the person's address is already known.
    const email = await addressOf();
    const attempt = () => anyone.post('/app/v1/sessions', { email, password: 'wrong' });
    for (let made = 0; made < 10; made += 1) expect(await attempt()).toMatchObject(error(401, 'unauthorized'));

    const reply = await attempt();
    expect(reply).toMatchObject(error(429, 'too_many_requests', 'Too many failed attempts. Please try again later.'));
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(30);
  });
});

describe('signing in', () => {
  it.each([
    [{}, 'email: is required without a link'],
    [{ email: 'ada@example.org' }, 'password: is required without a link'],
    [{ link: 'x', password }, 'password: must be absent with a link'],
    [{ link: '' }, 'link: must have between 1 and 200 characters'],
  ])('with %j names the field that is wrong', async (body, message) => {
    expect(await anyone.offTheMap.post('/app/v1/sessions', body)).toMatchObject(error(400, 'bad_request', message));
  });
});
