import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Documented, eventually, newDataDir, Person, removeDataDir, startSubscriber, System } from '@sheaf/testing';
import { sheaf, sheafJson } from '../../support/operator';

/** Retries that follow soon, so that deliveries are pending when the backup is made and are tried again after it. */
const settings = { RETRY_DELAYS_MS: '1000,2000' };
const atOnce = 4;
/** To encrypt a backup takes seconds. */
const pauseMs = 50;

interface Accepted {
  id: string;
  /** When its respondent had the 201. */
  at: Date;
}
interface Delivery {
  state: string;
  reason: string | null;
}

const personOf = (system: System) => new Person(system.origin, system.credentials.api_key, new Documented(system.origin));

/** Sends submissions until it is stopped. */
function startLoad(system: System, form: string) {
  const accepted: Accepted[] = [];
  const anyone = new Person(system.origin);
  let isOver = false;
  const sending = Array.from({ length: atOnce }, async () => {
    while (!isOver) {
      const { status, body } = await anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: `Ada ${accepted.length}` } });
      if (status === 201) accepted.push({ id: (body as { id: string }).id, at: new Date() });
      await sleep(pauseMs);
    }
  });
  const stop = async () => {
    isOver = true;
    await Promise.all(sending);
  };
  return { accepted, stop, has: (count: number) => eventually(() => expect(accepted.length).toBeGreaterThan(count)) };
}

async function upload(origin: string, form: string, content: string): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([content], { type: 'text/plain' }), 'cv.txt');
  const response = await fetch(`${origin}/public/v1/forms/${form}/files?field=cv`, { method: 'POST', body });
  return ((await response.json()) as { file_id: string }).file_id;
}

async function listed(owner: Person, form: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (;;) {
    const { body } = await owner.get(`/api/v1/forms/${form}/submissions?limit=100&offset=${ids.size}`);
    const { data } = body as { data: { id: string }[] };
    for (const { id } of data) ids.add(id);
    if (data.length < 100) return ids;
  }
}

async function deliveriesOf(dataDir: string): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for (;;) {
    const page = await sheafJson<{ data: Delivery[]; more: boolean }>(
      dataDir,
      ...['deliveries', 'list', '--limit', '1000', '--offset', String(found.length)],
    );
    found.push(...page.data);
    if (!page.more) return found;
  }
}

it('a system that was backed up under load comes back after its disk is lost: nothing accepted before is missing, doubled, or sent a fourth time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-drill-'));
  const subscriber = await startSubscriber();
  subscriber.answer(({ path }) => (path === '/sick' ? 500 : 200));
  const [lost, restored] = [await newDataDir(), await newDataDir()];
  const running: System[] = [];
  let load: ReturnType<typeof startLoad> | undefined;
  try {
    // Data.
    const first = await System.start(lost, settings);
    running.push(first);
    const owner = personOf(first);
    const { id: form } = (await owner.post('/api/v1/forms', { title: 'Drill' })).body as { id: string };
    const fields = [
      { key: 'name', label: 'Name', type: 'short_text' },
      { key: 'cv', label: 'CV', type: 'file' },
    ];
    await owner.put(`/app/v1/forms/${form}/draft`, { fields, revision: 0 });
    await owner.post(`/api/v1/forms/${form}/publish`);
    for (const path of ['/well', '/sick'])
      await owner.post(`/app/v1/forms/${form}/webhooks`, { event: 'submission.created', target_url: subscriber.url + path });
    const file = await upload(first.origin, form, 'a curriculum vitae');
    await new Person(first.origin).post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Grace', cv: file } });

    // A backup during the load, which goes on after it.
    load = startLoad(first, form);
    await load.has(50);
    const passphrase = join(folder, 'passphrase');
    await writeFile(passphrase, 'correct horse battery staple\n', { mode: 0o600 });
    const backup = join(folder, 'backup');
    const created = await sheafJson<{ started_at: string; completed_at: string; files: number }>(
      lost,
      ...['backup', 'create', '--output', backup, '--passphrase-file', passphrase],
    );
    expect(created.files).toBe(1);
    await load.has(load.accepted.length + 50);
    await load.stop();
    const { accepted } = load;
    const before = accepted.filter(({ at }) => at < new Date(created.started_at));
    expect(before.length).toBeGreaterThan(40);
    await subscriber.waitFor(accepted.length, ({ path }) => path === '/well');

    // The disaster.
    await first.stop('SIGKILL');
    await removeDataDir(lost);

    // The restore.
    expect(await sheaf(restored, ['backup', 'verify', backup, '--passphrase-file', passphrase])).toMatchObject({ code: 0 });
    const back = await sheaf(restored, ['backup', 'restore', backup, '--passphrase-file', passphrase]);
    expect(back).toMatchObject({ code: 0 });
    const second = await System.start(restored, settings);
    running.push(second);
    expect(second.said).toContain(`restored from the backup of ${created.started_at}`);
    const again = personOf(second);

    // Every submission that was accepted before is listed, with its file.
    const ids = await listed(again, form);
    expect(before.filter(({ id }) => !ids.has(id))).toEqual([]);
    const download = await fetch(`${second.origin}/app/v1/forms/${form}/files/${file}`, {
      headers: { authorization: `Bearer ${second.credentials.api_key}` },
    });
    expect(await download.text()).toBe('a curriculum vitae');

    // Each is delivered, or marked for a person to look at. Nothing is sent again on its own.
    await eventually(async () => {
      const data = await deliveriesOf(restored);
      expect(data).toHaveLength(2 * ids.size);
      expect(data.filter(({ state }) => !['succeeded', 'failed'].includes(state))).toEqual([]);
      expect(data.some(({ reason }) => reason === 'restored')).toBe(true);
    });
    const posts = new Map<string, number>();
    for (const { path, body } of subscriber.received) {
      const { data } = JSON.parse(body) as { data: { id?: string; submission_id?: string } };
      const key = `${path} ${data.id ?? data.submission_id ?? body}`;
      posts.set(key, (posts.get(key) ?? 0) + 1);
    }
    expect([...posts].filter(([key, count]) => count > (key.startsWith('/well') ? 1 : 3))).toEqual([]);

    // Events from then on are delivered, and the audit log says what happened.
    const { body } = await new Person(second.origin).post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Joan' } });
    await subscriber.waitFor(1, (request) => request.path === '/well' && request.body.includes((body as { id: string }).id));
    await eventually(async () => {
      const log = (await again.get('/app/v1/audit-log?action=instance.restored')).body as { data: { details: unknown }[] };
      expect(log.data).toEqual([expect.objectContaining({ details: { backup_at: created.started_at } })]);
    });
  } finally {
    await load?.stop();
    for (const system of running) await system.stop();
    await subscriber.close();
    for (const dataDir of [lost, restored, folder]) await removeDataDir(dataDir);
  }
});
