import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { apps } from '@sheaf/kernel';
import {
  Documented,
  eventually,
  isRunning,
  newDataDir,
  Person,
  removeDataDir,
  startSubscriber,
  type Subscriber,
  superuserOf,
  System,
} from '@sheaf/testing';
import { Eraser } from '../../support/erasing';
import { logLines } from '../../support/log-lines';

// These tests start, kill and stop their own system.

const supervised = [...apps, 'nats', 'postgres'];
/** The way of a submission. The launcher treats all processes alike, and tools/crash kills every one of them. */
const killed = ['gateway', 'submissions', 'delivery', 'nats', 'postgres'];
const names = ['system', ...supervised];
let dataDir: string;
let system: System;
let subscriber: Subscriber;
let owner: Person;
let anyone: Person;
let form: string;

async function start(): Promise<void> {
  system = await System.start(dataDir, { SAMPLE_FORM: 'true', ERASING_SECOND_LOOK_MS: '500' });
  anyone = new Person(system.origin, undefined, new Documented(system.origin));
  owner = anyone.with(system.credentials.api_key);
}

const pids = async () => (await Promise.all(names.map((name) => system.pid(name)))).filter((pid) => pid !== undefined);
const submit = async (name: string) => {
  const { status, body } = await anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name } }, { 'idempotency-key': name });
  if (status !== 201) throw new Error(`submitting answered ${status} ${JSON.stringify(body)}`);
  return (body as { id: string }).id;
};
const waitForDelivery = (id: string) => subscriber.waitFor(1, ({ body }) => body.includes(id));

beforeAll(async () => {
  dataDir = await newDataDir();
  subscriber = await startSubscriber();
  await start();

  ({ id: form } = (await owner.post('/api/v1/forms', { title: 'Kept' })).body as { id: string });
  await owner.put(`/app/v1/forms/${form}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  await owner.post(`/api/v1/forms/${form}/publish`);
  await owner.post('/api/v1/hooks/subscribe', { form_id: form, target_url: subscriber.url, event: 'submission.created', source: 'zapier' });
});
afterAll(async () => {
  await subscriber.close();
  await system.stop();
  await removeDataDir(dataDir);
});

/** The sample form's title, and its address as the launcher prints it, for as long as the form is there. */
async function sample(): Promise<{ titles: string[]; address: string | undefined }> {
  const { body } = await owner.get('/api/v1/forms');
  const titles = (body as { data: { title: string }[] }).data.map(({ title }) => title).filter((title) => title !== 'Kept');
  return { titles, address: /^ {2}Form {4}(\S+)$/m.exec(system.said)?.[1] };
}

it('prints at its first start the address of a page that is ready to be filled in', async () => {
  const { titles, address = '' } = await sample();
  expect(titles).toEqual(['Workshop feedback']);
  expect(address).toBe(`${system.origin}/f/workshop-feedback`);
  const page = await fetch(address);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Which workshop did you take part in?');
});

it('keeps its credentials private and writes its logs as JSON lines', async () => {
  expect((await stat(join(dataDir, 'credentials.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);

  for (const file of await readdir(join(dataDir, 'log'))) {
    const lines = await logLines(dataDir, file);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ time: expect.any(String) as unknown, level: expect.any(String) as unknown });
    expect(lines.join()).not.toContain(system.credentials.api_key);
  }
});

it('rejects a second launcher on the same data', async () => {
  await expect(System.start(dataDir)).rejects.toThrow(/did not start/);
  expect(await owner.get('/api/v1/auth/me')).toMatchObject({ status: 200 });
});

it.each(killed)('restarts %s after it was killed, and delivers the submissions accepted before and after', async (name) => {
  const before = await submit(`before-${name}`);
  const pid = (await system.pid(name)) ?? 0;
  process.kill(pid, 'SIGKILL');

  const after = await eventually(() => submit(`after-${name}`));
  await waitForDelivery(before);
  await waitForDelivery(after);
  await eventually(async () => {
    const next = await system.pid(name);
    expect(next).toBeDefined();
    expect(next).not.toBe(pid);
  });
});

it('answers 503 before the deadline while a service does not respond', async () => {
  const pid = (await system.pid('forms')) ?? 0;
  process.kill(pid, 'SIGSTOP');
  try {
    // The client's timeout is 10 s.
    expect(await owner.get(`/api/v1/forms/${form}`)).toMatchObject({ status: 503, body: { error: { code: 'internal_error' } } });
    expect(await owner.get('/api/v1/auth/me')).toMatchObject({ status: 200 });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await eventually(async () => expect(await owner.get(`/api/v1/forms/${form}`)).toMatchObject({ status: 200 }));
});

it('reports only the request id of an internal failure to the client, and the cause in the log', async () => {
  const postgres = await superuserOf(dataDir, 'sheaf_submissions');
  try {
    await postgres.query('alter table submission rename to renamed');
    const { status, body, headers } = await owner.get(`/api/v1/forms/${form}/submissions`);
    expect({ status, body }).toEqual({
      status: 500,
      body: { error: { code: 'internal_error', message: 'Something went wrong on our side.' } },
    });

    const requestId = headers.get('x-request-id') ?? 'none';
    // The launcher writes what a process logs a moment after the process has answered.
    await eventually(async () => {
      const logged = (await logLines(dataDir, 'submissions')).find((line) => line.includes(requestId));
      expect(logged).toContain('relation \\"submission\\" does not exist');
    });
  } finally {
    await postgres.query('alter table renamed rename to submission');
    await postgres.end();
  }
});

it('has neither lost nor duplicated a submission after all these failures', async () => {
  const { body } = await owner.get(`/api/v1/forms/${form}/submissions?limit=100`);
  const { data, total } = body as { data: { data: { name: string } }[]; total: number };
  const sent = killed.flatMap((name) => [`before-${name}`, `after-${name}`]);

  expect(total).toBe(sent.length);
  expect(data.map(({ data: { name } }) => name).sort()).toEqual(sent.sort());
});

it('exits with 0, leaves no process running, and keeps its data for the next start, where a sample form that was deleted does not come back', async () => {
  const { body } = await owner.get('/api/v1/forms?q=feedback');
  expect(await owner.delete(`/api/v1/forms/${(body as { data: { id: string }[] }).data[0]?.id ?? ''}`)).toMatchObject({ status: 204 });
  const before = await pids();
  expect(before.filter((pid) => isRunning(pid))).toHaveLength(names.length);

  expect(await system.stop()).toBe(0);
  expect(before.filter((pid) => isRunning(pid))).toEqual([]);
  expect(await pids()).toEqual([]);

  await start();
  expect(await owner.get(`/api/v1/forms/${form}`)).toMatchObject({ status: 200, body: { title: 'Kept', current_version: 1 } });
  await waitForDelivery(await submit('after-the-restart'));
  expect(await sample()).toEqual({ titles: [], address: undefined });
});

it('submissions that a form or its instance keeps only for a time are nowhere any more after that, and the rest is everywhere it was', async () => {
  const eraser = new Eraser(system, subscriber);
  const { send, placesWith } = eraser;
  const [ofForm, ofInstance, stays] = [`kept${Date.now()}`, `default${Date.now()}`, `newer${Date.now()}`];
  const [form, silent] = [await eraser.aForm(), await eraser.aForm()];
  await send('PATCH', `/app/v1/forms/${form}`, { retention: { trash_days: 30 } });
  await send('PATCH', '/app/v1/instance/retention', { trash_days: 60 });
  const overTime = [await eraser.markedSubmission(form, ofForm), await eraser.markedSubmission(silent, ofInstance)];
  const newer = await eraser.markedSubmission(silent, stays);
  for (const [of, id] of [
    [form, overTime[0]],
    [silent, overTime[1]],
    [silent, newer],
  ])
    await send('DELETE', `/api/v1/forms/${of}/submissions/${id}`);
  for (const marker of [ofForm, ofInstance, stays])
    await eventually(async () => expect(await placesWith(marker)).toEqual(expect.arrayContaining(['submissions.search_entry'])));
  const db = await superuserOf(dataDir, 'sheaf_submissions');
  const inTrashFor = (days: number, ids: readonly string[]) =>
    db.query(`update submission set deleted_at = now() - $1 * interval '1 day' where id = any($2)`, [days, ids]);
  await inTrashFor(31, [overTime[0] ?? '', newer]);
  await inTrashFor(61, [overTime[1] ?? '']);
  // The days were decided so long ago that they are in force.
  await eventually(async () => expect((await db.query('select from form_keeping where form_id = $1', [form])).rows).toHaveLength(1));
  for (const table of ['form_keeping', 'instance_keeping'])
    await db.query(
      `update ${table} set decided = (select jsonb_agg(each || '{"since": "1970-01-01T00:00:00.000Z"}') from jsonb_array_elements(decided) each)
        where decided <> '[]'`,
    );
  await db.end();
  const others = await placesWith(stays);

  // A process looks for what is over its time when it starts.
  process.kill((await system.pid('submissions')) ?? 0, 'SIGKILL');
  for (const marker of [ofForm, ofInstance]) await eventually(async () => expect(await placesWith(marker)).toEqual([]));
  expect(await placesWith(stays)).toEqual(others);
  for (const target of [form, silent]) {
    const { body: log } = await send('GET', `/app/v1/audit-log?action=submissions.erased&target_id=${target}`);
    expect(log).toMatchObject({ total: 1, data: [{ actor: { kind: 'service', id: 'submissions' }, details: { count: 1 } }] });
  }
});

it('leaves no process running when the launcher is killed', async () => {
  const before = await pids();
  system.launcher.kill('SIGKILL');
  await eventually(() => expect(before.filter((pid) => isRunning(pid))).toEqual([]));
});
