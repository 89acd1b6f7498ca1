import { newId } from '@sheaf/kernel';
import { rowsOf, type Transaction } from '@sheaf/postgres';
import { callAs, countRowsRead, expectCursorsChecked, forged, refused } from '@sheaf/testing';
import fc from 'fast-check';
import { deleteOldChanges } from '../src/feed/delete-old-changes';
import { readChanges } from '../src/feed/read-changes';
import { Started } from './started';

const started = new Started();
const { owner, clock } = started;
beforeAll(() => started.start({ SUBMIT_PER_FORM_PER_MINUTE: 0 }));
afterAll(() => started.stop());

interface Change {
  type: string;
  submission_id: string;
  at: string;
  submission?: { id: string; status: string; revision: number; data: unknown };
}

async function read(form_id: string, cursor?: string, limit = 100) {
  const { json, ...page } = await started.client.listSubmissionChanges(callAs(owner), {
    form_id,
    limit,
    ...(cursor !== undefined && { cursor }),
  });
  return { data: JSON.parse(json.toString()) as Change[], ...page };
}

/** All changes that a client reads until there is nothing more. */
async function readAll(form: string, from?: string, limit = 100) {
  const changes: Change[] = [];
  let cursor = from;
  for (let more = true; more;) {
    const page = await read(form, cursor, limit);
    changes.push(...page.data);
    ({ has_more: more, next_cursor: cursor } = page);
  }
  return { changes, cursor };
}

const expired = refused('cursor_expired');
const named = (form_id: string, id: string) => ({ form_id, id });
const kinds = (changes: readonly Change[]) => changes.map(({ type, submission_id }) => [type, submission_id]);
const erase = (form: string, id: string) => started.client.eraseSubmission(callAs(owner), named(form, id));

describe('the feed of changes', () => {
  it('begins with the submissions that are listed, and goes on with each change in order', async () => {
    const form = started.aForm();
    const { client } = started;
    const { id: a } = await started.submit(form, { name: 'Ada' });
    const { id: b } = await started.submit(form, { name: 'Bea' });
    await client.deleteSubmission(callAs(owner), named(form, b));

    const first = await readAll(form);
    expect(first.changes).toMatchObject([
      { type: 'created', submission_id: a, submission: { id: a, data: { name: 'Ada' }, status: 'new' } },
    ]);
    expect(await read(form, first.cursor)).toMatchObject({ data: [], has_more: false });

    await client.restoreSubmission(callAs(owner), named(form, b));
    await client.changeStatus(callAs(owner), { ...named(form, a), status: 'approved' });
    await client.correctSubmission(callAs(owner), { ...named(form, a), data: Buffer.from('{"name":"Ada L."}'), revision: 0 });
    await client.assignSubmission(callAs(owner), { ...named(form, a), user_id: owner.id });
    const note = await client.addNote(callAs(owner), { ...named(form, a), text: 'Called her.' });
    clock.advance(1_000);
    await client.updateNote(callAs(owner), { ...named(form, a), note_id: note.id, text: 'Wrote her.' });
    await client.markSpam(callAs(owner), { ...named(form, b), spam: true });
    await client.markSpam(callAs(owner), { ...named(form, b), spam: false });
    await client.deleteSubmission(callAs(owner), named(form, b));
    await erase(form, b);
    const { changes, cursor } = await readAll(form, first.cursor, 3);
    expect(kinds(changes)).toEqual([
      ['restored', b],
      ...Array.from({ length: 5 }, () => ['changed', a]),
      ['marked_as_spam', b],
      ['released', b],
      ['trashed', b],
      ['erased', b],
    ]);
    // As they are now.
    expect(changes[0]).not.toHaveProperty('submission');
    expect(changes[1]?.submission).toMatchObject({
      status: 'approved',
      revision: 1,
      data: { name: 'Ada L.' },
      notes: 1,
      assignee: owner.id,
    });
    expect((await readAll(form, cursor)).changes).toEqual([]);
  });

  it('has each submission that many requests bring at the same time', async () => {
    const form = started.aForm();
    const { cursor } = await readAll(form);
    const made = await Promise.all(Array.from({ length: 60 }, () => started.submit(form)));
    const { changes } = await readAll(form, cursor, 7);
    expect(changes.map(({ submission_id }) => submission_id).sort()).toEqual(made.map(({ id }) => id).sort());
  });

  it('shows what changed while a client was still reading the submissions that were there before', async () => {
    const form = started.aForm();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      clock.advance(1_000);
      ids.push((await started.submit(form)).id);
    }
    const page = await read(form, undefined, 2);
    expect(page).toMatchObject({ has_more: true });
    await started.client.deleteSubmission(callAs(owner), named(form, ids[0] ?? ''));
    await started.client.deleteSubmission(callAs(owner), named(form, ids[3] ?? ''));
    const { changes } = await readAll(form, page.next_cursor, 2);
    expect(kinds(changes)).toEqual([
      ['created', ids[2]],
      ['created', ids[4]],
      ['trashed', ids[0]],
      ['trashed', ids[3]],
    ]);
  });

  it('ends a page before its answers get too long, and has at least one change', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    const fields = keys.map((key) => ({ key, label: key, type: 'long_text', required: false }));
    const form = started.aForm({ fields: Buffer.from(JSON.stringify(fields)) });
    const { cursor } = await readAll(form);
    const long = Object.fromEntries(keys.map((key) => [key, 'x'.repeat(99_000)]));
    for (let n = 0; n < 3; n++) await started.submit(form, long);
    const sizes = [];
    for (let at = cursor, more = true; more;) {
      const page = await read(form, at);
      sizes.push(page.data.length);
      ({ next_cursor: at, has_more: more } = page);
    }
    expect(sizes).toEqual([2, 1]);
  });

  it('is for those who may read the form, also with a cursor that they got before', async () => {
    const form = started.aForm();
    const { next_cursor: cursor } = await read(form);
    const asked = { form_id: form, limit: 10, cursor };
    await expect(started.client.listSubmissionChanges(callAs(started.viewer), asked)).resolves.toMatchObject({ has_more: false });
    await expect(started.client.listSubmissionChanges(callAs(started.outsider), asked)).rejects.toEqual(refused('forbidden'));
    await expect(started.client.listSubmissionChanges(callAs(started.stranger), asked)).rejects.toEqual(refused('not_found'));
    await expect(read(started.aForm(), cursor)).rejects.toEqual(refused('bad_request', 'cursor: must be a next_cursor of this list'));
  });
});

describe('a cursor', () => {
  const days = (count: number) => clock.advance(count * 86_400_000);
  const tidy = () => deleteOldChanges(started.deps, new AbortController().signal);
  /** The log has the times of the database. */
  const followDatabase = () => clock.advance(Date.now() - clock.now().getTime());

  it('is good for a month, and refused once changes after it are deleted', async () => {
    const form = started.aForm();
    await started.submit(form);
    const { cursor: old } = await readAll(form);
    await started.submit(form);
    const { cursor: recent } = await readAll(form);
    followDatabase();

    days(31);
    await tidy();
    expect((await readAll(form, old)).changes).toHaveLength(1);

    days(10);
    await tidy();
    // Nothing has happened since, so whoever has read all has missed nothing.
    expect((await readAll(form, recent)).changes).toEqual([]);
    await started.client.deleteSubmission(callAs(owner), named(form, (await started.submit(form)).id));
    await rowsOf(started.db, `update submission_change set at = at + interval '41 days' where form_id = ? and last > 2`, [form]);
    await tidy();
    expect((await readAll(form, recent)).changes).toHaveLength(2);
    await expect(read(form, old)).rejects.toEqual(expired);
  });

  it('leads to a place that exists: any other is refused, even with the right checksum', async () => {
    const form = started.aForm();
    await started.submit(form);
    const now = '2026-03-02T09:30:00.123456Z';
    const inLog = [forged.number(), forged.number(), forged.time()];
    const readAt = (cursor: string) =>
      read(form, cursor).catch((error: unknown) => {
        // A place in a log that has been tidied, or that belongs to another copy of the database.
        if ((error as { code?: string }).code !== 'cursor_expired') throw error;
      });
    await expectCursorsChecked({ list: ['changes', form], real: [0, 0, now], place: inLog }, readAt);
    await expectCursorsChecked(
      { list: ['changes', form], real: [0, 0, now, now, newId()], place: [...inLog, forged.time(), forged.id()] },
      readAt,
    );
  });

  it('is deleted for in steps, and leaves every other form alone', async () => {
    const [busy, quiet] = [started.aForm(), started.aForm()];
    const { id } = await started.submit(quiet);
    const { cursor } = await readAll(quiet);
    const submission = await started.submit(busy);
    for (let n = 0; n < 450; n++) await rowsOf(started.db, 'update submission set notes = notes + 1 where id = ?', [submission.id]);
    followDatabase();
    days(41);
    expect(await tidy()).toBeGreaterThanOrEqual(450);
    expect(await rowsOf(started.db, 'select last from submission_change where form_id = ?', [busy])).toEqual([{ last: 451 }]);
    await started.client.deleteSubmission(callAs(owner), named(quiet, id));
    expect(kinds((await readAll(quiet, cursor)).changes)).toEqual([['trashed', id]]);
  });

  it('is refused by a database that was restored to a moment before it, even if as much has happened there since', async () => {
    const form = started.aForm();
    await started.submit(form);
    const { cursor: before } = await readAll(form);
    const lost = await started.submit(form);
    const { cursor: after } = await readAll(form);

    // The backup has neither the submission nor its change.
    await rowsOf(started.db, 'alter table submission disable trigger user');
    await rowsOf(started.db, 'delete from outbox where subject = ?', [lost.id]);
    await rowsOf(started.db, 'delete from submission where id = ?', [lost.id]);
    await rowsOf(started.db, 'delete from submission_change where form_id = ? and last = 2', [form]);
    await rowsOf(started.db, 'alter table submission enable trigger user');
    await expect(read(form, after)).rejects.toEqual(expired);

    const { id } = await started.submit(form);
    await expect(read(form, after)).rejects.toEqual(expired);
    expect(kinds((await readAll(form, before)).changes)).toEqual([['created', id]]);
  });

  it('of a form without changes is refused once the log begins anew', async () => {
    const form = started.aForm();
    const { cursor } = await readAll(form);
    await rowsOf(started.db, 'update submission_change_start set at = clock_timestamp()');
    await expect(read(form, cursor)).rejects.toEqual(expired);
  });
});

const kindsOfChange = ['status', 'trash', 'restore', 'spam', 'release', 'erase'] as const;
const sets = {
  status: `status = case status when 'new' then 'approved' else 'new' end`,
  trash: 'deleted_at = now()',
  restore: 'deleted_at = null',
  spam: 'spam_at = now()',
  release: 'spam_at = null',
};

interface Step {
  worker: number;
  arrive: number;
  change: (typeof kindsOfChange)[number];
  picked: number[];
  lingers: number;
  isRolledBack: boolean;
}

/** One transaction: submissions that arrive, and one kind of change of some that are there. */
const step: fc.Arbitrary<Step> = fc.record({
  worker: fc.nat(3),
  arrive: fc.nat(3),
  change: fc.constantFrom(...kindsOfChange),
  picked: fc.array(fc.nat(30), { maxLength: 4 }),
  /** Statements in which it keeps the others waiting, or its changes invisible. */
  lingers: fc.nat(3),
  isRolledBack: fc.boolean(),
});

it('changes that concurrent transactions make come out whole, once and in order, whenever a client reads', async () => {
  const run = async (steps: readonly Step[], limit: number) => {
    const form = newId();
    const ids: string[] = [];
    const done: string[] = [];
    const copy = new Map<string, unknown>();
    const read: string[] = [];
    let cursor: string | undefined;
    const over = new AbortController();
    const poll = async () => {
      const page = await readChanges({ db: started.db, forms: anyForm }, { caller: owner, call: {} } as never, {
        formId: form,
        cursor,
        limit,
      });
      for (const change of JSON.parse(page.json) as Change[]) {
        if (change.submission) copy.set(change.submission_id, change.submission.status);
        else copy.delete(change.submission_id);
        read.push(`${change.type} ${change.submission_id}`);
      }
      cursor = page.nextCursor;
      return page.hasMore;
    };
    await poll();
    const reader = (async () => {
      while (!over.signal.aborted) await poll();
      while (await poll());
    })();
    await Promise.all(
      [0, 1, 2, 3].map(async (worker) => {
        for (const step of steps) if (step.worker === worker) await transact(form, ids, step, done);
      }),
    );
    over.abort();
    await reader;

    const rows = await rowsOf<{ id: string; status: string }>(
      started.db,
      'select id, status from submission where form_id = ? and deleted_at is null and spam_at is null',
      [form],
    );
    expect(copy).toEqual(new Map(rows.map(({ id, status }) => [id, status])));
    expect([...read].sort()).toEqual([...done].sort());
    for (const id of ids) expect(read.filter((line) => line.endsWith(id))).toEqual(done.filter((line) => line.endsWith(id)));
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), fc.integer({ min: 1, max: 20 }), (steps, limit) =>
      run(steps, limit),
    ),
    { numRuns: 15 },
  );
});

const anyForm = { roleOn: () => Promise.resolve('owner' as const) } as unknown as Parameters<typeof readChanges>[0]['forms'];

/** Notes what it did in the order in which the rows were locked, and only if it was committed. */
async function transact(form: string, ids: string[], step: Step, done: string[]): Promise<void> {
  const trx = await started.db.transaction();
  const made: string[] = [];
  const did: string[] = [];
  const linger = async () => {
    for (let n = 0; n < step.lingers; n++) await rowsOf(trx, 'select 1');
  };
  const picked = [...new Set(step.picked.flatMap((at) => ids[at % Math.max(ids.length, 1)] ?? []))].sort();
  const found = await rowsOf<{ id: string; deleted: boolean; spam: boolean }>(
    trx,
    'select id, deleted_at is not null as deleted, spam_at is not null as spam from submission where id = any(cast(? as uuid[])) order by id for update',
    [picked],
  );
  await linger();
  const due = found.filter(({ deleted, spam }) => {
    if (step.change === 'trash') return !deleted;
    if (step.change === 'restore') return deleted;
    if (step.change === 'spam') return !spam && !deleted;
    return step.change === 'release' ? spam && !deleted : true;
  });
  if (due.length > 0) {
    await change(
      trx,
      step.change,
      due.map(({ id }) => id),
    );
    const type = { status: 'changed', trash: 'trashed', restore: 'restored', spam: 'marked_as_spam', release: 'released', erase: 'erased' };
    did.push(...due.map(({ id }) => `${type[step.change]} ${id}`));
    await linger();
  }
  if (step.arrive > 0) {
    const rows = await rowsOf<{ id: string }>(
      trx,
      `with counted as (
         insert into intake as i (form_id, accepted) values (cast(:form as uuid), 1)
         on conflict (form_id) do update set accepted = i.accepted + 1 returning form_id
       )
       insert into submission (id, instance_id, form_id, data, schema_version, status, created_at)
       select gen_random_uuid(), :instance, form_id, '{}', 1, 'new', now() from counted, generate_series(1, :arrive) returning id`,
      { instance: started.instanceId, form, arrive: step.arrive },
    );
    made.push(...rows.map(({ id }) => id));
    did.push(...made.map((id) => `created ${id}`));
    await linger();
  }
  if (step.isRolledBack) {
    await trx.rollback();
    return;
  }
  // Before the commit is known here, as others may change the same submissions right after it.
  done.push(...did);
  await trx.commit();
  ids.push(...made);
}

const change = (trx: Transaction, kind: (typeof kindsOfChange)[number], ids: string[]): Promise<unknown> =>
  rowsOf(
    trx,
    kind === 'erase'
      ? 'delete from submission where id = any(cast(? as uuid[]))'
      : `update submission set ${sets[kind]} where id = any(cast(? as uuid[]))`,
    [ids],
  );

it('a page reads the same few rows, however many submissions and changes a form has', () =>
  started.db.transaction(async (trx) => {
    const form = newId();
    const add = (count: number) =>
      rowsOf(
        trx,
        `insert into submission (id, instance_id, form_id, data, schema_version, status, created_at)
         select gen_random_uuid(), ?, ?, '{}', 1, 'new', now() - n * interval '1 second' from generate_series(1, ?) n`,
        [started.instanceId, form, count],
      );
    const page = (cursor?: string) =>
      readChanges({ db: trx, forms: anyForm }, { caller: owner, call: {} } as never, { formId: form, cursor, limit: 10 });
    const tables = ['submission', 'submission_change'];
    const { nextCursor } = await page();
    await add(3);
    await page(nextCursor);
    for (let n = 0; n < 60; n++) await add(50);
    // Otherwise the plan depends on whether the database has counted the table meanwhile.
    await rowsOf(trx, 'analyze submission');
    expect(await countRowsRead(trx, tables, () => page(nextCursor))).toBeLessThan(60);
    expect(await countRowsRead(trx, tables, () => page())).toBeLessThan(60);
  }));
