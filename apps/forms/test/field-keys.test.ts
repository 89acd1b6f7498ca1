import { Broker, startRelay } from '@sheaf/events';
import { newId, Problem } from '@sheaf/kernel';
import { problemOf, type Database } from '@sheaf/postgres';
import { connect, Forms, open, serve, Workspaces, type Client, type FormsDefinition } from '@sheaf/rpc';
import { aServiceAccount, aUser, brokerUrl, callAs, freshDatabase, servingSettings, startNeighbour, TestClock, testProcess, verifyTestCaller } from '@sheaf/testing';
import { migrations } from '../src/migrations';
import { doors } from '../src/server';

const own = testProcess('forms');
const clock = new TestClock();
const instanceId = newId();
const workspaceId = newId();
const editor = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'editor' } });

let db: Database;
let client: Client<FormsDefinition>;
beforeAll(async () => {
  ({ db } = await freshDatabase(migrations));
  const broker = await Broker.connect(own, brokerUrl());
  const outbox = startRelay(own, { db, broker, source: 'forms', clock, settings: { OUTBOX_REPUBLISH_MS: 30_000, OUTBOX_POLL_MS: 100 } });
  const workspaces = await startNeighbour(Workspaces, { getFolder: open(['user'], () => Promise.reject(Problem.notFound('folder'))) });
  own.onStop('workspaces', workspaces.stop);
  const port = await serve(own, {
    protocol: Forms, doors: doors({ db, outbox, clock, workspaces: workspaces.client }), verify: verifyTestCaller, settings: servingSettings, problemOf,
  });
  const connection = connect(`127.0.0.1:${port}`, Forms);
  own.onStop('client', () => connection.close());
  client = connection.client;
});
afterAll(async () => {
  await own.stop();
  await db.destroy();
});

async function aForm(...versions: string[][]): Promise<string> {
  const { id } = await client.createForm(callAs(editor), { title: 'Survey' });
  for (const [revision, keys] of versions.entries()) {
    const fields = keys.map((key) => ({ key, label: 'Label', type: 'short_text' }));
    await client.putDraft(callAs(editor), { id, revision, fields: Buffer.from(JSON.stringify(fields)) });
    await client.publishForm(callAs(editor), { id });
  }
  return id;
}
const keysOf = async (form_id: string, as = editor) => (await client.listFieldKeys(callAs(as), { form_id })).keys;

describe('the keys of all versions', () => {
  it('are those of the latest one in its order, then the removed ones, the most recently removed first', async () => {
    expect(await keysOf(await aForm(['a', 'b'], ['c', 'e', 'a'], ['d', 'a']))).toEqual(['d', 'a', 'c', 'e', 'b']);
  });

  it('are none before the first publication', async () => {
    expect(await keysOf(await aForm())).toEqual([]);
  });

  it('are for any role on the form, and a form of another instance is not there', async () => {
    const form = await aForm(['a']);
    expect(await keysOf(form, aUser({ instanceId, roles: { [workspaceId]: 'viewer' } }))).toEqual(['a']);
    await expect(client.listFieldKeys(callAs(aServiceAccount({ instanceId })), { form_id: form })).resolves.toEqual({ keys: ['a'] });
    await expect(keysOf(form, aUser({ instanceId }))).rejects.toMatchObject({ code: 'forbidden' });
    await expect(keysOf(form, aUser({ instanceId: newId(), roles: { [workspaceId]: 'owner' } }))).rejects.toMatchObject({ code: 'not_found' });
  });
});
