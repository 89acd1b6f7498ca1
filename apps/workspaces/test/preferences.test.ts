import { newId } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { erasePerson } from '../src/people/erase-person';
import { commandOutbox } from '@sheaf/events';
import { client, clock, db, newPerson, owner, useService, workspaceId } from './stage';

useService();

const aPerson = () => newPerson(newId(), { [workspaceId]: 'viewer' });
type Person = Awaited<ReturnType<typeof aPerson>>;
const set = (as: Person, key: string, value: unknown) =>
  client.setPreference(callAs(as), { key, value: Buffer.from(JSON.stringify(value)) });
const all = async (as: Person): Promise<Record<string, unknown>> => {
  const { preferences } = await client.getPreferences(callAs(as), {});
  return Object.fromEntries(preferences.map(({ key, value }) => [key, JSON.parse(value.toString()) as unknown]));
};

describe('preferences', () => {
  it('keep any JSON for their person alone, until they are removed', async () => {
    const [me, other] = [await aPerson(), await aPerson()];
    await set(me, 'forms.columns', ['title', 'status']);
    await set(me, 'theme', 'dark');
    await set(me, 'theme', { name: 'a\u0000b', dark: null });

    expect(await all(me)).toEqual({ 'forms.columns': ['title', 'status'], theme: { name: 'a\u0000b', dark: null } });
    expect(await all(other)).toEqual({});
    await expect(client.removePreference(callAs(other), { key: 'theme' })).rejects.toEqual(refused('not_found'));

    await client.removePreference(callAs(me), { key: 'theme' });
    expect(await all(me)).toEqual({ 'forms.columns': ['title', 'status'] });
    await expect(client.removePreference(callAs(me), { key: 'theme' })).rejects.toEqual(refused('not_found'));
  });

  it('are at most 200, also after requests at the same time, and can still be changed then', async () => {
    const me = await aPerson();
    for (let count = 0; count < 199; count += 1) await set(me, `key-${count}`, count);

    const results = await Promise.allSettled([set(me, 'one', 1), set(me, 'another', 2)]);

    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const message = expect.stringContaining('key: must be one of at most 200') as string;
    expect(results).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ code: 'bad_request', message }) as unknown });
    await expect(set(me, 'key-0', 'changed')).resolves.toEqual({});
    expect(Object.keys(await all(me))).toHaveLength(200);
  });

  it('take a value of 16 KiB, and no larger one', async () => {
    const me = await aPerson();
    await expect(set(me, 'large', 'x'.repeat(16_384 - 2))).resolves.toEqual({});
    await expect(set(me, 'large', 'x'.repeat(16_384 - 1))).rejects.toEqual(refused('bad_request'));
  });

  it('are erased with their person', async () => {
    const me = await aPerson();
    await set(me, 'theme', 'dark');
    const asked = { caller: owner(), call: { requestId: newId() } };
    await erasePerson({ outbox: commandOutbox(db), clock }, asked, { id: me.id });
    expect(await db('preference').where({ person_id: me.id })).toEqual([]);
  });
});
