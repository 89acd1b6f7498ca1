import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Documented,
  eventually,
  newDataDir,
  Person,
  removeDataDir,
  startSubscriber,
  superuserOf,
  System,
  type Subscriber,
} from '@sheaf/testing';
import { sheaf, sheafJson } from '../../support/operator';

// A system of its own, whose databases lose things one by one.

interface Reconciled {
  submissions: number;
  webhooks: number;
  findings: { kind: string; count: number; mended: number; ids: string[] }[];
}

let dataDir: string;
let system: System;
let subscriber: Subscriber;
let owner: Person;
beforeAll(async () => {
  dataDir = await newDataDir();
  subscriber = await startSubscriber();
  system = await System.start(dataDir);
  owner = new Person(system.origin, system.credentials.api_key, new Documented(system.origin));
});
afterAll(async () => {
  await system.stop();
  await subscriber.close();
  await removeDataDir(dataDir);
});

async function aForm(webhook?: string): Promise<string> {
  const { id } = (await owner.post('/api/v1/forms', { title: 'Reconciled' })).body as { id: string };
  await owner.put(`/app/v1/forms/${id}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  await owner.post(`/api/v1/forms/${id}/publish`);
  if (webhook !== undefined)
    await owner.post(`/app/v1/forms/${id}/webhooks`, { event: 'submission.created', target_url: subscriber.url + webhook });
  return id;
}

async function submit(form: string, name = 'Ada'): Promise<string> {
  const { status, body } = await new Person(system.origin).post(`/public/v1/forms/${form}/submissions`, { data: { name } });
  if (status !== 201) throw new Error(`submitting answered ${status}`);
  return (body as { id: string }).id;
}

/** Runs a statement as nothing of Sheaf can: past its triggers and foreign keys. */
async function inDatabase(database: string, sql: string, values: unknown[]) {
  const db = await superuserOf(dataDir, `sheaf_${database}`);
  try {
    await db.query(`set session_replication_role = 'replica'`);
    return await db.query<object>(sql, values);
  } finally {
    await db.end();
  }
}

async function reconcile(...options: string[]): Promise<{ code: number | null; answer: Reconciled }> {
  const { code, stdout, stderr } = await sheaf(dataDir, ['reconcile', '--json', '--age', '0', ...options]);
  if (stdout === '') throw new Error(stderr);
  return { code, answer: JSON.parse(stdout) as Reconciled };
}
const kinds = ({ findings }: Reconciled) => Object.fromEntries(findings.map(({ kind, count, mended }) => [kind, { count, mended }]));

it('finds nothing while submissions arrive, webhooks change and forms are erased, though it leaves out nothing young', async () => {
  const form = await aForm('/load');
  const load = { isOver: false };
  const sending = Array.from({ length: 3 }, async () => {
    while (!load.isOver) {
      await submit(form);
      await sleep(20);
    }
  });
  const changing = (async () => {
    while (!load.isOver) {
      const gone = await aForm('/gone');
      await submit(gone);
      await owner.delete(`/api/v1/forms/${gone}`);
      await owner.delete(`/app/v1/forms/${gone}?forever=true`);
    }
  })();
  try {
    for (let round = 0; round < 3; round += 1) {
      const { code, answer } = await reconcile();
      expect(answer.findings).toEqual([]);
      expect(answer.submissions).toBeGreaterThan(0);
      expect(code).toBe(0);
    }
  } finally {
    load.isOver = true;
    await Promise.all([...sending, changing]);
  }
});

it('finds bytes in the folder of the running system that belong to no submission, and leaves them there', async () => {
  const name = `${randomUUID()}/${randomUUID()}/${randomUUID()}`;
  const path = join(dataDir, 'files', name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'of nobody');
  const { code, answer } = await reconcile();
  expect(answer.findings).toMatchObject([{ kind: 'file_unknown', count: 1, ids: [name] }]);
  expect(code).toBe(3);
  await rm(path);
  expect((await reconcile()).code).toBe(0);
});

it('finds what each database has lost, mends what it can, and sends nothing twice on its own', async () => {
  const [form, silent] = [await aForm('/heard'), await aForm()];
  const heard = await Promise.all(Array.from({ length: 5 }, (_, at) => submit(form, `Ada ${at}`)));
  await submit(silent);
  await subscriber.waitFor(5, ({ path }) => path === '/heard');
  const { data: webhooks } = (await owner.get(`/app/v1/forms/${form}/webhooks`)).body as { data: { id: string }[] };
  const webhook = webhooks[0]?.id ?? '';

  // Delivery loses two events, and its copy of the webhook.
  const lost = heard.slice(0, 2).sort();
  await eventually(async () => {
    const { rows } = await inDatabase('submissions', 'select from outbox where subject = any($1)', [lost]);
    expect(rows).toEqual([]);
  });
  await inDatabase('delivery', 'delete from event where id in (select event_id from delivery where submission_id = any($1))', [lost]);
  await inDatabase('delivery', 'delete from delivery where submission_id = any($1)', [lost]);
  await inDatabase('delivery', `update subscription set state = 'inactive', revision = 0 where id = $1`, [webhook]);
  const found = await reconcile();
  expect(kinds(found.answer)).toEqual({ event_missing: { count: 2, mended: 0 }, subscription_untold: { count: 1, mended: 0 } });
  expect(found.code).toBe(3);
  expect(found.answer.findings[0]?.ids.sort()).toEqual(lost);

  const before = subscriber.received.length;
  const mended = await reconcile('--repair', '--yes');
  expect(kinds(mended.answer)).toEqual({ event_missing: { count: 2, mended: 2 }, subscription_untold: { count: 1, mended: 1 } });
  expect(mended.code).toBe(0);
  await eventually(async () => {
    const held = await sheafJson<{ data: unknown[] }>(dataDir, 'deliveries', 'list', '--reason', 'restored');
    expect(held.data).toHaveLength(2);
  });
  await eventually(async () => expect((await reconcile()).answer.findings).toEqual([]));
  expect(subscriber.received).toHaveLength(before);

  // A person decides that they are sent.
  const range = ['--from', new Date(Date.now() - 3_600_000).toISOString(), '--to', new Date(Date.now() + 60_000).toISOString()];
  await sheafJson(dataDir, 'deliveries', 'redeliver', '--reason', 'restored', ...range, '--yes');
  for (const id of lost) await subscriber.waitFor(2, ({ body }) => body.includes(id));

  // Each of the other databases loses something that only its backup has.
  await inDatabase('forms', 'delete from version where form_id = $1', [silent]);
  await inDatabase('hooks', 'delete from subscription where id = $1', [webhook]);
  await inDatabase('workspaces', 'delete from workspace where id = $1', [system.credentials.workspace_id]);
  const others = await reconcile('--repair', '--yes');
  expect(kinds(others.answer)).toMatchObject({
    version_missing: { count: 1, mended: 0 },
    subscription_lost: { count: 1, mended: 0 },
    workspace_missing: { mended: 0 },
  });
  expect(others.code).toBe(3);
  // It stays visible.
  await eventually(async () => {
    const { data } = await sheafJson<{ data: { name: string; warnings: string[] }[] }>(dataDir, 'health');
    expect(data.find(({ name }) => name === 'submissions')?.warnings).toEqual([
      expect.stringContaining('versions that forms does not have (1)'),
    ]);
  });
});
