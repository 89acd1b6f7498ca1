import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, startNats } from '@sheaf/embedded';
import { Documented, eventually, newDataDir, Person, removeDataDir, superuserOf, System } from '@sheaf/testing';
import { sheaf, sheafJson } from '../../support/operator';

interface Replayed {
  complete: boolean;
  ended: { action: string; id: string; done: boolean }[];
  erased: { submission_ids: string[]; done: boolean }[];
}

it('a key that was revoked and a person and a submission that were erased after the backup are ended again after its restore, by the stream that survived', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-replay-'));
  const [lost, restored] = [await newDataDir(), await newDataDir()];
  // NATS stands elsewhere, as in a cluster, so the disaster does not reach it.
  const [port = 0] = await freePorts(1);
  const account = { user: 'sheaf', password: 'secret' };
  const nats = await startNats({ storeDir: join(folder, 'nats'), port, ...account, onLine: () => undefined });
  const settings = { NATS_URL: `nats://${account.user}:${account.password}@127.0.0.1:${port}` };
  const running: System[] = [];
  try {
    const first = await System.start(lost, settings);
    running.push(first);
    const owner = new Person(first.origin, first.credentials.api_key, new Documented(first.origin));
    const { id: form } = (await owner.post('/api/v1/forms', { title: 'Replayed' })).body as { id: string };
    const fields = [{ key: 'email', label: 'E-mail', type: 'email' }];
    await owner.put(`/app/v1/forms/${form}/draft`, { fields, revision: 0 });
    await owner.post(`/api/v1/forms/${form}/publish`);
    const submit = async (email: string) =>
      ((await new Person(first.origin).post(`/public/v1/forms/${form}/submissions`, { data: { email } })).body as { id: string }).id;
    const [erased, kept] = [await submit('ada@example.org'), await submit('grace@example.org')];
    const workspace = first.credentials.workspace_id;
    const added = await sheafJson<{ id: string }>(
      lost,
      ...['users', 'create', '--email', 'mira@example.org', '--workspace', workspace, '--role', 'viewer'],
    );
    const key = await sheafJson<{ id: string; key: string }>(lost, 'keys', 'create', '--user', first.credentials.user.email);
    const backup = join(folder, 'backup');
    const { started_at: since } = await sheafJson<{ started_at: string }>(lost, 'backup', 'create', '--output', backup);

    await sheafJson(lost, 'keys', 'revoke', key.id, '--yes');
    await sheafJson(lost, 'people', 'erase', added.id, '--yes');
    await eventually(async () => {
      const answer = (await owner.post('/app/v1/subjects/erase', { value: 'ada@example.org' })).body as { unsearched_form_ids: string[] };
      expect(answer.unsearched_form_ids).toEqual([]);
    });
    // The stream has it once each service has confirmed it.
    for (const database of ['workspaces', 'submissions'])
      await eventually(async () => {
        const db = await superuserOf(lost, `sheaf_${database}`);
        try {
          expect((await db.query(`select type from outbox where awaiting <> '{}'`)).rows).toEqual([]);
        } finally {
          await db.end();
        }
      });

    await first.stop('SIGKILL');
    await removeDataDir(lost);
    expect(await sheaf(restored, ['backup', 'restore', backup])).toMatchObject({ code: 0 });
    const second = await System.start(restored, settings);
    running.push(second);
    const again = (credential?: string) => new Person(second.origin, credential, new Documented(second.origin));
    expect((await again(key.key).get('/api/v1/workspaces')).status).toBe(200);

    const before = await sheafJson<Replayed>(restored, 'backup', 'replay', '--since', since);
    expect(before.complete).toBe(true);
    expect(before.ended).toMatchObject([
      { action: 'api_key.revoked', id: key.id, done: false },
      { action: 'person.erased', id: added.id, done: false },
    ]);
    expect(before.erased).toMatchObject([{ submission_ids: [erased], done: false }]);
    expect((await again(key.key).get('/api/v1/workspaces')).status).toBe(200);

    const applied = await sheafJson<Replayed>(restored, 'backup', 'replay', '--since', since, '--apply', '--yes');
    expect([...applied.ended, ...applied.erased].map(({ done }) => done)).toEqual([true, true, true]);
    expect((await again(key.key).get('/api/v1/workspaces')).status).toBe(401);
    const restoredOwner = again(second.credentials.api_key);
    const listed = (await restoredOwner.get(`/api/v1/forms/${form}/submissions`)).body as { data: { id: string }[] };
    expect(listed.data.map(({ id }) => id)).toEqual([kept]);
    const users = await sheafJson<{ data: { id: string }[] }>(restored, 'users', 'list');
    expect(users.data.map(({ id }) => id)).not.toContain(added.id);

    // Once more: nothing is left, and a stream that begins later is not passed off as a whole one.
    await expect(sheafJson<Replayed>(restored, 'backup', 'replay', '--since', since, '--apply', '--yes')).resolves.toMatchObject({
      ended: [],
      erased: [],
    });
    const earlier = await sheaf(restored, ['backup', 'replay', '--since', '2020-01-01T00:00:00Z']);
    expect(earlier).toMatchObject({ code: 3 });
    expect(earlier.stderr).toContain('The stream begins only at');
  } finally {
    for (const system of running) await system.stop();
    await nats.stop();
    for (const dataDir of [lost, restored, folder]) await removeDataDir(dataDir);
  }
});
