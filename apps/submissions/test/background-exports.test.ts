import { Readable } from 'node:stream';
import { exportFacts } from '@sheaf/contracts';
import { newId } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { finishErasures } from '../src/erasing/finish-erasures';
import { followForms } from '../src/erasing/follow-forms';
import { giveBack } from '../src/export/exports.queries';
import { readExport } from '../src/export/form-exports';
import { removeExports, runExports } from '../src/export/run-exports';
import { findUnknownFiles } from '../src/files/compare-files';
import { reportingOutages } from '../src/files/storage/outages';
import { knownNeeds } from '../src/search/needs';
import { StartedWithFiles, hours } from './started-with-files';

const withFiles = new StartedWithFiles();
const { started } = withFiles;
const { viewer, owner, outsider, clock, instanceId, workspaceId } = started;
beforeAll(withFiles.start);
afterAll(withFiles.stop);
// Nothing of an earlier test is left to be made.
beforeEach(() => started.db('form_export').delete());

const never = () => new AbortController().signal;
type Wanted = Partial<NonNullable<Parameters<typeof started.client.startExport>[1]['wanted']>>;
const start = (form_id: string, wanted: Wanted = {}, as = viewer) =>
  started.client.startExport(callAs(as), { wanted: { form_id, format: 'ndjson', ...wanted }, name: 'answers.ndjson' });
const run = (signal = never()) => runExports(started.deps, signal);
/** Runs them with a storage that puts something into the way. */
const runThrough = (put: typeof withFiles.storage.put, signal = never()) => {
  const files = { ...started.deps.files, storage: { ...withFiles.storage, put } };
  return runExports({ ...started.deps, files }, signal);
};
const get = (form_id: string, id: string, as = viewer) => started.client.getExport(callAs(as), { form_id, id });
async function read(form_id: string, id: string, as = viewer): Promise<string> {
  const parts: Buffer[] = [];
  for await (const { bytes } of started.client.readExport(callAs(as), { form_id, id })) if (bytes) parts.push(bytes);
  return Buffer.concat(parts).toString();
}
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

async function formWith(count: number): Promise<{ form: string; ids: string[] }> {
  const form = withFiles.aForm();
  const { rows } = await started.db.raw<{ rows: { id: string }[] }>(
    `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at)
     select gen_random_uuid(), ?, ?, json_build_object('name', 'Ada ' || n), 1, 'new', timestamptz '2026-06-01' - n * interval '1 second'
       from generate_series(1, ?) n returning id`,
    [instanceId, form, count],
  );
  return { form, ids: rows.map(({ id }) => id) };
}

/** Erases a submission as its owner does, but for what takes longer. */
async function erase(form_id: string, id = ''): Promise<void> {
  await started.client.deleteSubmission(callAs(owner), { form_id, id });
  await started.client.eraseSubmission(callAs(owner), { form_id, id });
}
function eraseForm(form: string): Promise<void> {
  const body = JSON.stringify({ erasure_id: newId(), form_id: form, workspace_id: workspaceId });
  const erased = { id: newId(), type: 'form.erased' as const, instanceId, subject: form, formId: form, occurredAt: clock.now(), body };
  return followForms(started.deps, started.log, [erased]);
}
const openErasures = async (form: string) => (await started.db('erasure').where({ form_id: form })).length;
/** The first time through this, then as usual. */
const once = (put: typeof withFiles.storage.put): typeof withFiles.storage.put => {
  let isFirst = true;
  return (key, bytes) => {
    const isThis = isFirst;
    isFirst = false;
    return isThis ? put(key, bytes) : withFiles.storage.put(key, bytes);
  };
};
const finish = () => finishErasures(started.deps, { watchMs: 0 });

it('is made while nobody waits, and is the file that a stream would be, for a day', async () => {
  const { form } = await formWith(1_200);
  const { id, state } = await start(form);
  expect(state).toBe('waiting');
  await expect(read(form, id)).rejects.toEqual(refused('conflict', 'The export is not ready yet.'));
  expect(await run()).toBe(1);

  const ready = await get(form, id);
  expect(ready).toMatchObject({ state: 'ready', done: 1_200, name: 'answers.ndjson', format: 'ndjson' });
  const text = await read(form, id);
  expect(text).toHaveLength(ready.size ?? 0);
  const streamed: Buffer[] = [];
  for await (const { data } of started.client.exportSubmissions(callAs(viewer), { form_id: form, format: 'ndjson' })) streamed.push(data);
  expect(text).toBe(Buffer.concat(streamed).toString());
  expect((await findUnknownFiles({ db: started.db, storage: withFiles.storage }, { limit: 100 })).unknown).toEqual([]);

  clock.advance(hours(25));
  await removeExports(started.deps);
  await expect(get(form, id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await withFiles.bytesOf(form)).toEqual([]);
});

it('is left alone by a process that does not know what it needs', async () => {
  const { form } = await formWith(1);
  const { id } = await start(form);
  await started
    .db('form_export')
    .where({ id })
    .update({ needs: knownNeeds + 1 });
  expect(await run()).toBe(0);
  expect(await get(form, id)).toMatchObject({ state: 'waiting' });
  await started.db('form_export').where({ id }).update({ needs: knownNeeds });
  expect(await run()).toBe(1);
});

it('is made with every column that a file can have', async () => {
  const { form } = await formWith(1);
  const { id } = await start(form, { format: 'csv', columns: exportFacts.map((fact) => ({ id: fact })) });
  expect(await run()).toBe(1);
  expect(await read(form, id)).toContain(exportFacts.join(','));
});

it.each(['csv', 'xlsx', 'zip'])(
  'makes a file of the format %s as well, with the labels of the moment in which it was asked for',
  async (format) => {
    const labels = [{ key: 'name', label: 'Your name', options: {} }];
    const form = withFiles.aForm({ labels });
    await withFiles.submit(form, { name: 'Zoë' });
    const { id, total } = await start(form, { format, labels: true, language: 'en' });
    expect(total).toBe(1);
    labels.splice(0, 1);
    await run();
    expect(await get(form, id)).toMatchObject({ state: 'ready', done: 1 });
    const text = await read(form, id);
    if (format === 'csv') expect(text).toMatch(/Your name,.*Zoë/s);
    else expect(text).toMatch(/^PK/);
  },
);

it('is for the caller who asked for it, and only while they may read the form', async () => {
  const { form } = await formWith(1);
  const { id } = await start(form);
  await run();
  await expect(get(form, id, owner)).rejects.toMatchObject({ code: 'not_found' });
  await expect(read(form, id, owner)).rejects.toMatchObject({ code: 'not_found' });
  expect((await started.client.listExports(callAs(owner), { form_id: form })).exports).toEqual([]);
  expect((await started.client.listExports(callAs(viewer), { form_id: form })).exports).toMatchObject([{ id, state: 'ready' }]);
  const without = { ...viewer, roles: {} };
  await expect(read(form, id, without)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(start(form, {}, outsider)).rejects.toMatchObject({ code: 'forbidden' });
});

describe('an erasure', () => {
  it('takes back every finished export of the form, at once, and removes its bytes before it is complete', async () => {
    const { form, ids } = await formWith(3);
    const other = await formWith(1);
    const [{ id }, { id: spared }] = [await start(form), await start(other.form)];
    await run();
    await erase(form, ids[0]);
    const gone = 'Something of the form was erased after the export was begun, so its file is gone. Begin another export.';
    await expect(read(form, id)).rejects.toEqual(refused('conflict', gone));
    expect(await get(form, id)).toMatchObject({ state: 'erased' });
    await finish();
    expect(await withFiles.bytesOf(form)).toEqual([]);
    expect(linesOf(await read(other.form, spared))).toHaveLength(1);

    const { id: again } = await start(form);
    await run();
    expect(linesOf(await read(form, again))).toHaveLength(2);
  });

  it('makes an export that is under way begin anew, without what was erased', async () => {
    const { form, ids } = await formWith(600);
    const { id } = await start(form);
    let isFirst = true;
    const put = (key: string, bytes: AsyncIterable<Uint8Array>) =>
      withFiles.storage.put(
        key,
        (async function* () {
          for await (const chunk of bytes) {
            yield chunk;
            if (isFirst) {
              isFirst = false;
              await erase(form, ids[0]);
            }
          }
        })(),
      );
    expect(await runThrough(put)).toBe(1);
    const text = await read(form, id);
    expect(text).not.toContain(ids[0]);
    expect(linesOf(text)).toHaveLength(599);
    await removeExports(started.deps);
    expect(await withFiles.bytesOf(form)).toHaveLength(1);
  });

  it('is not complete while a process may still write what was erased', async () => {
    const { form, ids } = await formWith(3);
    const { id } = await start(form);
    const put = async (key: string, bytes: AsyncIterable<Uint8Array>) => {
      const parts: Uint8Array[] = [];
      for await (const chunk of bytes) parts.push(chunk);
      // As a bucket, which has nothing of a small file before all of it is there.
      await erase(form, ids[0]);
      await finish();
      expect(await openErasures(form)).toBe(1);
      await withFiles.storage.put(key, Readable.from(parts));
    };
    expect(await runThrough(once(put))).toBe(1);
    expect(linesOf(await read(form, id))).toHaveLength(2);
    await finish();
    expect(await openErasures(form)).toBe(0);
    expect(await withFiles.bytesOf(form)).toHaveLength(1);
  });

  it('of the form is not complete while a process may still write', async () => {
    const { form } = await formWith(2);
    await start(form);
    const put = async (key: string, bytes: AsyncIterable<Uint8Array>) => {
      await eraseForm(form);
      await finish();
      expect(await openErasures(form)).toBe(1);
      await withFiles.storage.put(key, bytes);
    };
    expect(await runThrough(put)).toBe(0);
    await finish();
    expect(await openErasures(form)).toBe(0);
    expect(await withFiles.bytesOf(form)).toEqual([]);
  });

  it('ends a download that is under way', async () => {
    const { form, ids } = await formWith(2);
    const { id } = await start(form);
    await run();
    const twoParts = (key: string) =>
      withFiles.storage.open(key).then(async function* (bytes) {
        yield* bytes;
        await erase(form, ids[0]);
        clock.advance(1_000);
        yield Buffer.from('the rest');
      });
    const files = { ...started.deps.files, storage: { ...withFiles.storage, open: twoParts } };
    const asked = { caller: viewer, call: callAs(viewer) };
    const { bytes } = await readExport({ ...started.deps, files }, asked, { formId: form, id, head: false });
    const parts: string[] = [];
    const reading = (async () => {
      for await (const chunk of bytes ?? []) parts.push(Buffer.from(chunk).toString());
    })();
    await expect(reading).rejects.toMatchObject({ code: 'conflict' });
    expect(parts).not.toContain('the rest');
  });

  it('that is still going on keeps an export from beginning', async () => {
    const { form, ids } = await formWith(2);
    const { id } = await start(form);
    await started.db.transaction(async (trx) => {
      const erasure = {
        id: newId(),
        instance_id: instanceId,
        form_id: form,
        whole_form: false,
        submissions: 0,
        files: 0,
        begun_at: clock.now(),
      };
      await trx('erasure').insert(erasure);
      await trx('submission').where({ id: ids[0] }).delete();
      expect(await run()).toBe(0);
    });
    expect(await run()).toBe(1);
    expect(linesOf(await read(form, id))).toHaveLength(1);
  });

  it('of the form leaves neither exports nor bytes', async () => {
    const { form } = await formWith(2);
    await start(form);
    await run();
    await start(form);
    await eraseForm(form);
    await finish();
    expect(await started.db('form_export').where({ form_id: form })).toEqual([]);
    expect(await withFiles.bytesOf(form)).toEqual([]);
  });
});

it('is taken over once its process is gone, begins anew, and leaves no bytes of the other', async () => {
  const { form } = await formWith(700);
  const { id } = await start(form);
  // As a process leaves it that was killed in the middle.
  const lost = newId();
  await started
    .db('form_export')
    .where({ id })
    .update({ state: 'running', file_id: lost, runs: 1, done: 500, leased_until: new Date(clock.now().getTime() + 60_000) });
  await started.db('export_file').insert({ id: lost, instance_id: instanceId, form_id: form });
  await withFiles.storage.put(`${instanceId}/${form}/${lost}`, Readable.from([Buffer.from('{"half')]));
  expect(await run()).toBe(0);
  clock.advance(60_001);
  expect(await run()).toBe(1);
  expect(linesOf(await read(form, id))).toHaveLength(700);
  await removeExports(started.deps);
  expect(await withFiles.bytesOf(form)).toHaveLength(1);
});

it('is given back by a process that stops, and another one makes it at once', async () => {
  const { form } = await formWith(1_100);
  const { id } = await start(form);
  const stopping = new AbortController();
  const put = (key: string, bytes: AsyncIterable<Uint8Array>) => (stopping.abort(), withFiles.storage.put(key, bytes));
  expect(await runThrough(put, stopping.signal)).toBe(0);
  expect(await get(form, id)).toMatchObject({ state: 'waiting', done: 0 });
  expect(await run()).toBe(1);
});

it('can be cancelled while it is made, and leaves nothing', async () => {
  const { form } = await formWith(600);
  const { id } = await start(form);
  const put = async (key: string, bytes: AsyncIterable<Uint8Array>) => {
    await started.client.deleteExport(callAs(viewer), { form_id: form, id });
    return withFiles.storage.put(key, bytes);
  };
  expect(await runThrough(put)).toBe(0);
  await expect(get(form, id)).rejects.toMatchObject({ code: 'not_found' });
  await removeExports(started.deps);
  expect(await withFiles.bytesOf(form)).toEqual([]);
});

it('waits while the storage is down, and fails if it is larger than allowed', async () => {
  const { form } = await formWith(1_000);
  const { id } = await start(form);
  expect(await runThrough(() => Promise.reject(new Error('down')))).toBe(0);
  expect(await get(form, id)).toMatchObject({ state: 'waiting' });
  clock.advance(30_001);
  const small = { ...started.deps, files: { ...started.deps.files, storage: reportingOutages(withFiles.storage), exportMaxBytes: 10_000 } };
  expect(await runExports(small, never())).toBe(0);
  expect(await get(form, id)).toMatchObject({ state: 'failed', reason: 'too_large' });
  await removeExports(started.deps);
  expect(await withFiles.bytesOf(form)).toEqual([]);
});

it('stays ready if its process does not learn that it is', async () => {
  const { form } = await formWith(2);
  const { id } = await start(form);
  await run();
  const { file_id: fileId } = await started.db('form_export').where({ id }).first<{ file_id: string }>('file_id');
  await started.db.transaction((trx) =>
    giveBack(
      trx,
      { export_id: id, id: fileId, instance_id: instanceId, form_id: form, format: 'ndjson', plan: '{}', runs: 1 },
      { after: null, counts: true },
    ),
  );
  await removeExports(started.deps);
  expect(linesOf(await read(form, id))).toHaveLength(2);
});

it('refuses what an export refuses, and more than the workspace may have at once', async () => {
  const { form } = await formWith(1);
  await expect(start(form, { labels: true })).rejects.toEqual(
    refused('bad_request', 'labels: can only be combined with the formats csv, xlsx and zip'),
  );
  for (let count = 0; count < 5; count++) await start(form);
  await expect(start(form)).rejects.toMatchObject({
    code: 'too_many_requests',
    message: 'The workspace has 5 exports that are waiting or running. Cancel one, or wait until one is ready.',
  });
});
