import { newId, type User } from '@sheaf/kernel';
import { callAs, eventually, refused } from '@sheaf/testing';
import { authenticate, client, clock, gateway, instanceId, newPerson, password, useService, workspaceId } from './stage';

useService();

const page = { limit: 10, offset: 0 };
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Signs a new person in with each of these user agents. */
async function signedIn(...userAgents: string[]): Promise<{ tokens: string[]; callers: User[] }> {
  const person = await newPerson(newId(), { [workspaceId]: 'viewer' });
  const [tokens, callers]: [string[], User[]] = [[], []];
  for (const user_agent of userAgents) {
    const credentials = { instance_id: instanceId, email: `${person.id}@example.org`, password, user_agent };
    const { token } = await client.signIn({ ...callAs(gateway), address: '203.0.113.7' }, credentials);
    tokens.push(token);
    callers.push({ ...person, credentialId: (await authenticate(token)).credential_id });
    clock.advance(minuteMs);
  }
  return { tokens, callers };
}
const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index];
  if (found === undefined) throw new Error(`there is no item ${index}`);
  return found;
};

describe("a person's sessions", () => {
  it('are listed with what they are recognized by, those used last first', async () => {
    const { callers } = await signedIn('Firefox', 'Chrome');
    await signedIn('a stranger');

    const { sessions, total } = await client.listSessions(callAs(at(callers, 0)), page);

    expect(total).toBe(2);
    expect(sessions).toMatchObject([
      { id: at(callers, 1).credentialId, user_agent: 'Chrome', address: '203.0.113.7', current: false },
      { id: at(callers, 0).credentialId, user_agent: 'Firefox', current: true },
    ]);
    expect(await client.listSessions(callAs(at(callers, 0)), { limit: 1, offset: 1 })).toMatchObject({
      total: 2,
      sessions: [{ current: true }],
    });
    expect(await client.listSessions(callAs(at(callers, 0)), { limit: 1, offset: 5 })).toEqual({ total: 2, sessions: [] });
  });

  it('record their use, but not at each request', async () => {
    const { tokens, callers } = await signedIn('Firefox');
    const lastUse = async () => (await client.listSessions(callAs(at(callers, 0)), page)).sessions[0]?.last_used_at;
    const before = await lastUse();

    clock.advance(3 * minuteMs);
    await authenticate(at(tokens, 0));
    expect(await lastUse()).toBe(before);

    clock.advance(3 * minuteMs);
    await authenticate(at(tokens, 0));
    await eventually(async () => expect(await lastUse()).toBe(clock.now().toISOString()));
  });

  it('end after 14 days without use, which they show, and are then no longer listed', async () => {
    const { tokens, callers } = await signedIn('Firefox', 'Chrome');
    const listed = async () => (await client.listSessions(callAs(at(callers, 1)), page)).sessions.map(({ user_agent }) => user_agent);
    const { ends_unused_at } = at((await client.listSessions(callAs(at(callers, 0)), page)).sessions, 1);
    expect(ends_unused_at).toBe(new Date(clock.now().getTime() - 2 * minuteMs + 14 * dayMs).toISOString());

    for (let day = 0; day < 14; day += 7) {
      clock.advance(7 * dayMs);
      await authenticate(at(tokens, 1));
      await eventually(async () => {
        const used = (await client.listSessions(callAs(at(callers, 1)), page)).sessions[0]?.last_used_at;
        expect(used).toBe(clock.now().toISOString());
      });
    }

    await expect(authenticate(at(tokens, 0))).rejects.toEqual(refused('unauthorized'));
    await expect(authenticate(at(tokens, 1))).resolves.toHaveProperty('id', at(callers, 1).id);
    expect(await listed()).toEqual(['Chrome']);
    await expect(client.endOwnSession(callAs(at(callers, 1)), { id: at(callers, 0).credentialId })).rejects.toEqual(refused('not_found'));
  });

  it('show the end of their lifetime where that comes before 14 days without use', async () => {
    const { tokens, callers } = await signedIn('Firefox');
    for (let day = 0; day < 20; day += 10) {
      clock.advance(10 * dayMs);
      await authenticate(at(tokens, 0));
      await eventually(async () => {
        const [session] = (await client.listSessions(callAs(at(callers, 0)), page)).sessions;
        expect(session?.last_used_at).toBe(clock.now().toISOString());
      });
    }
    const [session] = (await client.listSessions(callAs(at(callers, 0)), page)).sessions;
    expect(session?.ends_unused_at).toBe(session?.expires_at);
  });

  it('can be ended one by one, and only by their person', async () => {
    const { tokens, callers } = await signedIn('Firefox', 'Chrome');
    const stranger = at((await signedIn('a stranger')).callers, 0);
    const { credentialId: id } = at(callers, 1);

    await expect(client.endOwnSession(callAs(stranger), { id })).rejects.toEqual(refused('not_found'));
    await client.endOwnSession(callAs(at(callers, 0)), { id });

    await expect(authenticate(at(tokens, 1))).rejects.toEqual(refused('unauthorized'));
    await expect(authenticate(at(tokens, 0))).resolves.toHaveProperty('id');
    await expect(client.endOwnSession(callAs(at(callers, 0)), { id })).rejects.toEqual(refused('not_found'));
    await expect(client.endOwnSession(callAs(at(callers, 0)), { id: 'nonsense' })).rejects.toEqual(refused('not_found'));
  });

  it('can be ended all but the one in use', async () => {
    const { tokens, callers } = await signedIn('Firefox', 'Chrome', 'Safari');

    await client.endOtherSessions(callAs(at(callers, 1)), {});

    await expect(authenticate(at(tokens, 1))).resolves.toHaveProperty('id');
    for (const index of [0, 2]) await expect(authenticate(at(tokens, index))).rejects.toEqual(refused('unauthorized'));
    expect(await client.listSessions(callAs(at(callers, 1)), page)).toMatchObject({ total: 1 });
  });

  it('are not listed once they have expired', async () => {
    const { callers } = await signedIn('Firefox');
    clock.advance(31 * 24 * 60 * minuteMs);
    expect(await client.listSessions(callAs(at(callers, 0)), page)).toEqual({ sessions: [], total: 0 });
  });
});
