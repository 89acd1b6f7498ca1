import { randomUUID } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@sheaf/kernel';
import { commandsOnFreshDatabase, refused, wrongUsage } from '@sheaf/testing';
import { createInstance } from '../src/instances/create-instance';
import { migrations } from '../src/migrations';
import { operatorCommands } from '../src/operator/operator-commands';

// The commands that the operator's tool runs, up to their answer. apps/e2e runs some of them in processes of their own.

const olga = { name: 'Olga', email: 'olga@example.org' };
const run = commandsOnFreshDatabase(operatorCommands, migrations, async (db) => {
  for (const slug of ['acme', 'other'])
    await db.transaction((trx) => createInstance(trx, { name: slug, workspace: { name: slug, slug }, owner: olga }, new Date()));
});

it.each(['instances', 'workspaces', 'users', 'keys'])('list-%s answers with a page, and whether there are more', async (what) => {
  const { data, ...page } = await run(`list-${what}`, '--limit=1');
  expect([data, page]).toEqual([[expect.any(Object)], { limit: 1, offset: 0, more: true }]);
  expect(await run(`list-${what}`, '--offset=1')).toMatchObject({ data: [{}], limit: 100, offset: 1, more: false });
});

it.each([
  [['list-users', '--limit=0'], '--limit: must be at least 1'],
  [['create-user', '--email=nobody', '--workspace=acme', '--role=viewer'], '--email: must be an e-mail address'],
  [['create-workspace', '--name=X', '--owner=a@example.org', '--slug=No_Slug'], '--slug: must be'],
  [['create-service-account', '--name=X', '--scopes=all'], '--scopes.0: must be one of'],
  [['create-key'], '--user, --service-account: give exactly one of them'],
  [['set-password', '--email=olga@example.org'], '--instance: is required if there are several instances'],
])('%j is wrong usage, and the message names the option', async ([name = '', ...args], message) =>
  expect(run(name, ...args)).rejects.toEqual(wrongUsage(message)),
);

it.each([
  [['create-sign-in-link', '--instance=acme', '--email=nobody@example.org'], 'There is no such user'],
  [['create-key', '--instance=acme', '--user=nobody@example.org'], 'There is no such user'],
  [['create-key', `--service-account=${newId()}`], 'There is no such service account'],
  [['revoke-key', '--id=nonsense'], 'There is no such key'],
  [['revoke-key', `--id=${newId()}`], 'There is no such key'],
  [['list-users', '--instance=nobody'], 'There is no such instance'],
  [['show-instance', '--instance=nobody'], 'There is no such instance'],
  [['create-user', '--email=a@example.org', '--workspace=nobody', '--role=viewer'], 'There is no such workspace'],
  [['erase-person', '--instance=acme', '--id=nonsense'], 'There is no such person'],
  [['show-erasure', '--id=nonsense'], 'There is no such erasure'],
])('%j is refused', async ([name = '', ...args], message) =>
  expect(run(name, ...args)).rejects.toEqual(refused('not_found', new RegExp(message))),
);

it('a workspace does not get a slug that is taken', async () => {
  const create = () => run('create-workspace', '--instance=acme', '--name=X', '--owner=a@example.org', '--slug=surveys');
  await create();
  await expect(create()).rejects.toEqual(refused('bad_request', 'slug: is taken'));
});

it('a key that is revoked is there no more', async () => {
  const { id } = await run('create-key', '--instance=acme', '--user=olga@example.org');
  await run('revoke-key', `--id=${String(id)}`);
  await expect(run('revoke-key', `--id=${String(id)}`)).rejects.toEqual(refused('not_found', /There is no such key/));
});

it('a secret is written only into a new private file, and nothing is created where that is not possible', async () => {
  const file = join(tmpdir(), `${randomUUID()}.json`);
  const create = () => run('create-key', '--instance=acme', '--user=olga@example.org', '--name=Written', `--output=${file}`);
  try {
    const made = await create();
    expect(made).toMatchObject({ name: 'Written', output: file });
    expect(made).not.toHaveProperty('key');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const written = await readFile(file, 'utf8');
    expect(JSON.parse(written)).toMatchObject({ key: expect.stringMatching(/^shf_u_/) as string });
    await expect(create()).rejects.toEqual(wrongUsage('already exists'));
    expect(await readFile(file, 'utf8')).toBe(written);
    const { data } = await run('list-keys', '--instance=acme');
    expect((data as { name: string }[]).filter(({ name }) => name === 'Written')).toHaveLength(1);
  } finally {
    await rm(file, { force: true });
  }
});

it('a service account gets a second key beside its first', async () => {
  const { id, key } = await run('create-service-account', '--instance=acme', '--name=Export', '--scopes=forms:read, submissions:read');
  const { key: second } = await run('create-key', `--service-account=${String(id)}`);
  expect(second).not.toBe(key);
  const { data } = await run('list-service-accounts', '--instance=acme');
  expect(data).toMatchObject([{ id, scopes: ['forms:read', 'submissions:read'], keys: [{}, {}] }]);
});
