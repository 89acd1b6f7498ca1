import { commandOutbox } from '@sheaf/events';
import { newId, operatorIn, type User } from '@sheaf/kernel';
import { aUser, callAs, refused } from '@sheaf/testing';
import { createSignInLink } from '../src/sessions/sign-in-links';
import { sweep } from '../src/sweep';
import { authenticate, client, clock, db, gateway, instanceId, newPerson, owner, patched, signIn, useService, workspaceId } from './stage';

useService();

const dayMs = 86_400_000;

const linkFor = async (email: string): Promise<string> =>
  (
    await createSignInLink(
      { db, outbox: commandOutbox(db), clock },
      { caller: operatorIn(instanceId), call: { requestId: newId() } },
      { email },
    )
  ).token;
const open = (token: string, address?: string) =>
  client.signInWithLink({ ...callAs(gateway), ...(address === undefined ? {} : { address }) }, { instance_id: instanceId, token });

/** A person who has accepted no invitation. */
async function newInvited(): Promise<{ id: string; email: string; invitation: string }> {
  const email = `${newId()}@example.org`;
  const { member, invitation_token } = await client.addMember(callAs(owner()), { workspace_id: workspaceId, email, role: 'editor' });
  return { id: member?.user_id ?? '', email, invitation: invitation_token ?? '' };
}
const entriesOf = async (subject: string, action: string) =>
  (await db<{ type: string; subject: string; body: string }>('outbox').where({ type: 'audit.recorded', subject }))
    .map(({ body }) => JSON.parse(body) as { action: string; details?: object })
    .filter((entry) => entry.action === action);

describe('a sign-in link', () => {
  it('signs its person in once, and the log says how', async () => {
    const { id, email } = await newPerson(newId(), { [workspaceId]: 'editor' }).then(({ id }) => ({ id, email: `${id}@example.org` }));
    const token = await linkFor(email.toUpperCase());

    const session = await open(token);

    expect(session.user).toMatchObject({ id, email });
    const { credential_id } = await authenticate(session.token);
    expect(await entriesOf(id, 'sign_in_link.created')).toHaveLength(1);
    expect(await entriesOf(credential_id, 'session.created')).toMatchObject([{ details: { signed_in_with: 'link' } }]);
    await expect(open(token)).rejects.toEqual(refused('unauthorized'));
  });

  it('works for exactly one of two concurrent requests', async () => {
    const token = await linkFor((await newInvited()).email);

    const results = await Promise.allSettled([open(token), open(token), open(token)]);

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'unauthorized' });
  });

  it('is stored only as a hash, is removed after 24 hours, and no longer works then', async () => {
    const token = await linkFor((await newInvited()).email);
    expect(JSON.stringify(await db('sign_in_link'))).not.toContain(token);

    clock.advance(dayMs);
    await expect(open(token)).rejects.toEqual(refused('unauthorized'));
    await sweep({ db, clock, settings: { SLUG_QUARANTINE_DAYS: 90 } });
    expect(await db('sign_in_link').where('expires_at', '<=', clock.now())).toEqual([]);
  });

  it('is replaced by the next one for the same person', async () => {
    const { email } = await newInvited();
    const earlier = await linkFor(email);
    const later = await linkFor(email);

    await expect(open(earlier)).rejects.toEqual(refused('unauthorized'));
    await expect(open(later)).resolves.toHaveProperty('token');
  });

  it('is of no use in another instance', async () => {
    const token = await linkFor((await newInvited()).email);
    await expect(client.signInWithLink(callAs(gateway), { instance_id: newId(), token })).rejects.toEqual(refused('unauthorized'));
  });

  it('is created only for members of the instance', async () => {
    await expect(linkFor('nobody@example.org')).rejects.toEqual(refused('not_found'));
  });

  it('that is guessed too often from one address makes it wait, but no other address', async () => {
    const address = '203.6.113.9';
    for (let failures = 0; failures < 50; failures += 1) await expect(open('guessed', address)).rejects.toEqual(refused('unauthorized'));

    await expect(open('guessed', address)).rejects.toEqual(refused('too_many_requests'));
    await expect(open('guessed', '203.6.113.10')).rejects.toEqual(refused('unauthorized'));
    await expect(open('guessed', '10.0.0.9')).rejects.toEqual(refused('unauthorized'));
  });

  it('that is valid opens however often passwords and links were guessed from its address and for its account', async () => {
    const { email } = await newInvited();
    const address = '203.6.113.11';
    for (let failures = 0; failures < 50; failures += 1) {
      await client
        .signIn({ ...callAs(gateway), address }, { instance_id: instanceId, email, password: 'wrong' })
        .catch((error: unknown) => expect(error).toHaveProperty('code'));
      await open('guessed', address).catch((error: unknown) => expect(error).toHaveProperty('code'));
    }
    await expect(open('guessed', address)).rejects.toEqual(refused('too_many_requests'));

    await expect(open(await linkFor(email), address)).resolves.toHaveProperty('token');
  });

  it('ends the invitation of its person, whom nobody can invite again', async () => {
    const { email, invitation } = await newInvited();
    await open(await linkFor(email));

    await expect(
      client.acceptInvitation(callAs(gateway), { instance_id: instanceId, token: invitation, name: 'Eve', password: 'a good long one' }),
    ).rejects.toEqual(refused('not_found'));
    await expect(client.addMember(callAs(owner()), { workspace_id: workspaceId, email, role: 'viewer' })).rejects.toEqual(
      refused('conflict'),
    );
  });
});

describe('a person without a password', () => {
  async function signedInByLink(): Promise<{ me: User; email: string }> {
    const { id, email } = await newInvited();
    const { credential_id } = await authenticate((await open(await linkFor(email))).token);
    const me = aUser({ id, instanceId, workspaceId, roles: { [workspaceId]: 'editor' }, via: 'session' });
    return { me: { ...me, credentialId: credential_id }, email };
  }

  it('sets one without a current one, which ends an open link', async () => {
    const { me, email } = await signedInByLink();
    expect(await client.getProfile(callAs(me), {})).toMatchObject({ has_password: false });
    const token = await linkFor(email);

    await expect(client.updateProfile(callAs(me), patched({ password: 'a good long one' }))).resolves.toMatchObject({ has_password: true });

    await expect(open(token)).rejects.toEqual(refused('unauthorized'));
    await expect(signIn(email, 'a good long one')).resolves.toMatchObject({ user: { id: me.id } });
    await expect(client.updateProfile(callAs(me), patched({ password: 'another good long one' }))).rejects.toEqual(refused('bad_request'));
  });

  it('sets only one of two that are sent at the same time', async () => {
    const { me } = await signedInByLink();
    const results = await Promise.allSettled(
      ['the first good one', 'the second good one'].map((password) => client.updateProfile(callAs(me), patched({ password }))),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
