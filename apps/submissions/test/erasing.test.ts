import { newId, type Caller } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import { callAs, connectionsDieAt, countRowsRead, eventually, refused } from '@sheaf/testing';
import { someIds } from '../src/erasing/erasing.queries';
import { finishErasures } from '../src/erasing/finish-erasures';
import { followForms } from '../src/erasing/follow-forms';
import { removeUnclaimed } from '../src/files/remove-files';
import { exportSubmissions } from '../src/export/export-submissions';
import { countWaiting } from '../src/insights/count-waiting';
import { indexWaiting } from '../src/search/search-index';
import { StartedWithFiles } from './started-with-files';

const service = new StartedWithFiles();
const { started, aForm, upload, bytesOf, expectNothingLeft } = service;
const { owner, editor, instanceId, workspaceId, clock } = started;
beforeAll(() => service.start());
afterAll(() => service.stop());

const watchMs = 60_000;
const nothingElse = {
  q: undefined,
  statuses: undefined,
  assignee: undefined,
  from: undefined,
  to: undefined,
  changedSince: undefined,
};
const finish = () => finishErasures(started.deps, { watchMs });
const idleCounts = () => countWaiting(started.deps, new AbortController().signal);
const idleSearch = async () => {
  await indexWaiting(started.deps, new AbortController().signal);
  await started.searchBlocks.idle();
};

const eraseOne = (form_id: string, id: string, as: Caller = owner) => started.client.eraseSubmission(callAs(as), { form_id, id });
const eraseSeveral = (form_id: string, submission_ids: string[], as: Caller = owner) =>
  started.client.eraseSubmissions(callAs(as), { form_id, submission_ids });
const trash = (form_id: string, id: string) => started.client.deleteSubmission(callAs(owner), { form_id, id });
const trashTotal = async (form_id: string) => (await started.client.listTrash(callAs(owner), { form_id, limit: 10, offset: 0 })).total;

/** A submission with a revision, a file, a status change, an idempotency key and entries in the search index, each of which has the marker. */
async function markedSubmission(marker: string, form = aForm()) {
  const { file_id } = await upload(form, { name: `${marker}.txt`, chunks: [Buffer.from(marker)] });
  const { id } = await service.submit(form, { name: `Before ${marker}`, cv: file_id }, `key-${marker}`);
  const corrected = { name: `After ${marker}`, cv: file_id };
  await started.client.correctSubmission(callAs(owner), { form_id: form, id, data: Buffer.from(JSON.stringify(corrected)), revision: 0 });
  await started.client.changeStatus(callAs(owner), { form_id: form, id, status: 'approved' });
  await started.client.addNote(callAs(owner), { form_id: form, id, text: `A note about ${marker}` });
  await idleSearch();
  return { form, id };
}

/** The tables of the database in which a text is found, whatever the column. */
async function tablesWith(db: Database, text: string): Promise<string[]> {
  const { rows: tables } = await db.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.raw<{ rows: unknown[] }>('select from ?? as r where r::text ilike ? limit 1', [name, `%${text}%`]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

const formErased = (form: string, erasureId: string) => ({
  id: newId(),
  type: 'form.erased' as const,
  instanceId,
  subject: form,
  formId: form,
  occurredAt: clock.now(),
  body: JSON.stringify({ erasure_id: erasureId, form_id: form, workspace_id: workspaceId }),
});
const follow = (...events: ReturnType<typeof formErased>[]) => followForms(started.deps, started.deps.files.log, events);
const confirmations = (erasureId: string) => started.db('outbox').where({ subject: erasureId, type: 'erasure.confirmed' });

describe('an erased submission', () => {
  it('leaves nothing of its answers in any table, nor the bytes of its files, nor the trash count', async () => {
    const marker = `marker${newId().slice(-8)}`;
    const { form, id } = await markedSubmission(marker);
    expect(await tablesWith(started.db, marker)).toEqual(
      expect.arrayContaining(['file', 'idempotency_key', 'note', 'outbox', 'search_entry', 'submission', 'submission_revision']),
    );
    await trash(form, id);
    expect(await trashTotal(form)).toBe(1);

    const { erasure_id } = await eraseOne(form, id);
    await finish();

    expect(await tablesWith(started.db, marker)).toEqual([]);
    await expectNothingLeft(form);
    expect(await trashTotal(form)).toBe(0);
    await idleCounts();
    // The log of changes keeps the id, for the copies of clients.
    expect(await tablesWith(started.db, id)).toEqual(['outbox', 'submission_change']);
    expect(await started.db('erasure').where({ id: erasure_id })).toEqual([]);
    await expect(started.client.getSubmissionDetail(callAs(owner), { form_id: form, id })).rejects.toEqual(refused('not_found'));
  });

  it('leaves the words of others in the same block of the search index, and none of its own', async () => {
    const marker = `marker${newId().slice(-8)}`;
    const form = aForm();
    const { id } = await markedSubmission(marker, form);
    for (let n = 0; n < 256; n++) await service.submit(form, { name: `Other${n}` });
    clock.advance(120_000);
    await idleSearch();
    started.searchBlocks.request(form);
    await idleSearch();
    expect(await tablesWith(started.db, marker)).toContain('search_entry');

    await trash(form, id);
    await eraseOne(form, id);
    await finish();

    expect(await tablesWith(started.db, marker)).toEqual([]);
    const found = await started.client.findSubmissions(callAs(owner), {
      form_id: form,
      q: '"other17"',
      statuses: [],
      filters: [],
      sort: '-created',
      limit: 10,
    });
    expect(found.submissions).toHaveLength(1);
  });

  it('leaves none of its numbers in the search index, and those of others', async () => {
    const fields = [{ key: 'age', label: 'Age', type: 'integer', required: false }];
    const form = aForm({ fields: Buffer.from(JSON.stringify(fields)) });
    const { id } = await service.submit(form, { age: 37 });
    const { id: other } = await service.submit(form, { age: 42 });
    await idleSearch();
    const numbers = () => started.db('search_number').where({ form_id: form }).orderBy('number').select('submission_id', 'number');
    expect(await numbers()).toEqual([
      { submission_id: id, number: 37 },
      { submission_id: other, number: 42 },
    ]);
    await trash(form, id);
    await eraseOne(form, id);
    expect(await numbers()).toEqual([{ submission_id: other, number: 42 }]);
  });

  it('keeps its place in the limit of the form', async () => {
    const form = aForm({ max_submissions: 1 });
    const { id } = await service.submit(form, { name: 'Ada' });
    await trash(form, id);
    await eraseOne(form, id);
    await expect(service.submit(form, { name: 'Grace' })).rejects.toEqual(refused('forbidden'));
  });

  it('is announced to those with copies, and to the audit log, without answers', async () => {
    const form = aForm();
    const { id } = await service.submit(form, { name: 'Ada' });
    await trash(form, id);
    const { erasure_id } = await eraseOne(form, id);
    const rows = await started
      .db<{ type: string; body: string; position: number }>('outbox')
      .whereIn('subject', [id, erasure_id])
      .orderBy('position');
    expect(rows.map(({ type, body }) => [type, JSON.parse(body) as object]).slice(-3)).toMatchObject([
      ['erasure.begun', { erasure_id, kind: 'submission', target_id: id, reason: 'requested', awaited: ['submissions', 'delivery'] }],
      ['submission.erased', { erasure_id, form_id: form, submission_id: id }],
      ['audit.recorded', { action: 'submission.erased', target: { kind: 'submission', id }, details: { erasure: erasure_id } }],
    ]);
    await finish();
    const confirmed = await started
      .db<{ type: string; subject: string; body: string }>('outbox')
      .where({ subject: erasure_id, type: 'erasure.confirmed' });
    expect(confirmed.map(({ body }) => JSON.parse(body) as object)).toEqual([
      { erasure_id, service: 'submissions', counts: { submissions: 1, files: 0 } },
    ]);
  });
});

it('an export that is under way leaves out what is erased before it gets there, and ends as any other', async () => {
  const form = aForm();
  const ids: string[] = [];
  for (let n = 0; n < 520; n++) ids.push((await service.submit(form, { name: `Ada ${n}` })).id);
  const wanted = { formId: form, format: 'ndjson', labels: false, head: false, filters: [], ...nothingElse } as const;
  const parts = exportSubmissions(started.deps, { caller: owner, call: callAs(owner) }, wanted);
  const first = await parts.next();
  // The newest come first.
  const [oldest = ''] = ids;
  await trash(form, oldest);
  await eraseOne(form, oldest);
  await finish();
  const exported: string[] = [];
  for (let part = first; part.done !== true; part = await parts.next()) exported.push(part.value.toString());
  const lines = exported
    .join('')
    .split('\n')
    .filter((line) => line !== '');
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(ids.slice(1).reverse());
});

describe('erasing is refused', () => {
  it('unless the submission is in the trash', async () => {
    const form = aForm();
    const { id } = await service.submit(form, { name: 'Ada' });
    await expect(eraseOne(form, id)).rejects.toEqual(refused('conflict'));
    expect(await started.list(form)).toMatchObject({ total: 1 });
  });

  it('under legal hold, whether forms says so now or said so before', async () => {
    const held = aForm({ legal_hold: true });
    const { id } = await service.submit(held, { name: 'Ada' });
    await trash(held, id);
    await expect(eraseOne(held, id)).rejects.toEqual(refused('conflict'));

    const form = aForm();
    const { id: other } = await service.submit(form, { name: 'Ada' });
    await trash(form, other);
    await started.db('form_keeping').insert({ form_id: form, instance_id: instanceId, workspace_id: workspaceId, legal_hold: true });
    await expect(eraseOne(form, other)).rejects.toEqual(refused('conflict'));
    expect(await trashTotal(form)).toBe(1);
  });

  it('to all but owners of the form', async () => {
    const form = aForm();
    const { id } = await service.submit(form, { name: 'Ada' });
    await trash(form, id);
    await expect(eraseOne(form, id, editor)).rejects.toEqual(refused('forbidden'));
  });

  it('as a whole if one of several submissions is unknown, of another form or not in the trash', async () => {
    const form = aForm();
    const ids = await Promise.all(['Ada', 'Grace'].map(async (name) => (await service.submit(form, { name })).id));
    const [first = '', second = ''] = ids;
    await trash(form, first);
    await expect(eraseSeveral(form, [first, second])).rejects.toEqual(refused('conflict'));
    await expect(eraseSeveral(form, [first, newId()])).rejects.toEqual(refused('bad_request'));
    await expect(eraseSeveral(form, [first, 'x'])).rejects.toEqual(refused('bad_request'));
    expect(await trashTotal(form)).toBe(1);
    await trash(form, second);
    await eraseSeveral(form, [first, second]);
    expect(await trashTotal(form)).toBe(0);
  });
});

describe('an erasure that was interrupted', () => {
  const finishWithoutStorage = () => {
    const { files } = started.deps;
    const broken = { ...files, storage: { ...files.storage, remove: () => Promise.reject(new Error('storage is down')) } };
    return finishErasures({ ...started.deps, files: broken }, { watchMs });
  };

  it('goes on when the storage of files is back', async () => {
    const { form, id } = await markedSubmission(`marker${newId().slice(-8)}`);
    await trash(form, id);
    const { erasure_id } = await eraseOne(form, id);
    await finishWithoutStorage();
    expect(await bytesOf(form)).toHaveLength(1);
    expect(await started.db('erasure').where({ id: erasure_id })).toHaveLength(1);

    await finish();
    await expectNothingLeft(form);
    expect(await started.db('erasure').where({ id: erasure_id })).toEqual([]);
  });

  it('has left nothing of files but their bytes while the storage is down, neither names nor who sent them', async () => {
    const [marker, address] = [`marker${newId().slice(-8)}`, '198.51.100.7'];
    const { form } = await markedSubmission(marker);
    await upload(form, { name: `${marker}.txt`, address });
    await follow(formErased(form, newId()));
    await finishWithoutStorage();
    for (const text of [marker, address]) expect(await tablesWith(started.db, text)).toEqual([]);
    expect(await bytesOf(form)).toHaveLength(2);

    await finish();
    await expectNothingLeft(form);
  });

  it.each([
    'before insert on erasure',
    'before delete on search_entry',
    'before insert on erased_file',
    'before delete on submission_revision',
    'before delete on submission',
    'before insert on outbox',
  ])('by a process that died %s has not begun, and can be repeated', async (point) => {
    const marker = `marker${newId().slice(-8)}`;
    const { form, id } = await markedSubmission(marker);
    await trash(form, id);
    const breaking = await connectionsDieAt(started.db, point);
    await expect(eraseOne(form, id)).rejects.toMatchObject({ code: 'unavailable' });
    await eventually(async () => expect(await breaking.deaths()).toBe(1));
    await breaking.end();
    expect(await trashTotal(form)).toBe(1);

    await eraseOne(form, id);
    await finish();
    expect(await tablesWith(started.db, marker)).toEqual([]);
    await expectNothingLeft(form);
  });

  it.each([
    'before delete on submission',
    'before delete on search_entry',
    'before delete on idempotency_key',
    'before delete on intake',
    'before delete on file',
    'before insert on outbox',
  ])('by a process that died %s while it erased a form goes on with the next round', async (point) => {
    const marker = `marker${newId().slice(-8)}`;
    const { form } = await markedSubmission(marker);
    const erasureId = newId();
    await follow(formErased(form, erasureId));
    const breaking = await connectionsDieAt(started.db, point);
    await finish();
    await eventually(async () => expect(await breaking.deaths()).toBeGreaterThan(0));
    await breaking.end();
    expect(await confirmations(erasureId)).toHaveLength(0);

    await eventually(async () => {
      await finish();
      expect(await confirmations(erasureId)).toHaveLength(1);
    });
    expect(await tablesWith(started.db, marker)).toEqual([]);
    await expectNothingLeft(form);
  });

  it('is completed even if the files were removed by the cleanup of uploads', async () => {
    const { form, id } = await markedSubmission(`marker${newId().slice(-8)}`);
    await trash(form, id);
    const { erasure_id } = await eraseOne(form, id);
    await removeUnclaimed(started.deps);
    await finish();
    expect(await started.db('erasure').where({ id: erasure_id })).toEqual([]);
  });
});

describe('an erased form', () => {
  it('takes its submissions, files, counts and saved answers with it, wherever they are, and is confirmed once', async () => {
    const marker = `marker${newId().slice(-8)}`;
    const form = aForm();
    const { id: trashed } = await markedSubmission(marker, form);
    await trash(form, trashed);
    for (let n = 0; n < 210; n++) await service.submit(form, { name: `${marker} ${n}` });
    await upload(form, { name: `${marker}.txt` });
    const erasureId = newId();
    const event = formErased(form, erasureId);
    await follow(event, event);
    await finish();
    await idleCounts();
    await finish();

    expect(await tablesWith(started.db, marker)).toEqual([]);
    await expectNothingLeft(form);
    expect((await tablesWith(started.db, form)).filter((table) => table !== 'outbox')).toEqual(['erasure', 'file_bytes']);
    expect(await confirmations(erasureId)).toHaveLength(1);
  });

  it('loses also what was stored for it a moment later', async () => {
    const form = aForm();
    const erasureId = newId();
    await follow(formErased(form, erasureId));
    await finish();
    await service.submit(form, { name: 'Late' });
    await finish();
    expect(await started.list(form)).toMatchObject({ total: 0 });

    clock.advance(watchMs);
    await finish();
    expect(await started.db('erasure').where({ id: erasureId })).toEqual([]);
    expect(await confirmations(erasureId)).toHaveLength(1);
  });

  it('is found without reading the submissions of other forms', async () => {
    const [small, large] = [aForm(), aForm()];
    for (let n = 0; n < 3; n++) await service.submit(small, { name: `Few ${n}` });
    const { id: trashed } = await service.submit(small, { name: 'Trashed' });
    await trash(small, trashed);
    await started.db.raw(
      `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at, announced_at)
       select gen_random_uuid(), ?, ?, '{}', 1, 'new', now() - n * interval '1 second', now() from generate_series(1, 20000) n`,
      [started.instanceId, large],
    );
    await started.db.raw('analyze submission');
    await started.db.transaction(async (trx) => {
      const read = await countRowsRead(trx, ['submission'], async () => expect(await someIds(trx, small, 200)).toHaveLength(4));
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThan(20);
      expect(await someIds(trx, large, 200)).toHaveLength(200);
    });
  });
});
