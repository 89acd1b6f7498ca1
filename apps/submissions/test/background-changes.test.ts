import type { DomainEvent } from '@sheaf/events';
import { newId, type User } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { endUnentitled } from '../src/bulk/entitlement';
import { removeBulkChanges, runBulkChanges } from '../src/bulk/run-bulk-changes';
import type { Deps } from '../src/deps';
import { knownNeeds } from '../src/search/needs';
import { Started } from './started';

const started = new Started();
const { owner, editor, viewer, outsider, clock, instanceId, workspaceId } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());
// Nothing of an earlier test is left to be made.
beforeEach(() => started.db('bulk_change').delete());

const never = () => new AbortController().signal;
type Wanted = Partial<Parameters<typeof started.client.startBulkChange>[1]>;
const start = (form_id: string, wanted: Wanted = {}, as: User = editor) =>
  started.client.startBulkChange(callAs(as), { form_id, action: 'set_status', new_status: 'approved', ...wanted });
const act = (form_id: string, action: string, wanted: Wanted = {}) => start(form_id, { action, new_status: undefined, ...wanted });
const run = (stopping = never(), overrides: Partial<Deps> = {}) =>
  runBulkChanges({ ...started.deps, log: started.log, ...overrides }, stopping);
const get = (form_id: string, id: string) => started.client.getBulkChange(callAs(viewer), { form_id, id });
const undo = (form_id: string, id: string, as: User = editor) => started.client.undoBulkChange(callAs(as), { form_id, id });

/** The steps of a run, each a transaction. */
type Steps = (number: number, step: () => Promise<unknown>) => Promise<unknown>;
function inSteps(steps: Steps): Pick<Deps, 'outbox'> {
  let number = 0;
  const { outbox } = started.deps;
  return {
    outbox: new Proxy(outbox, {
      get: (target, name) =>
        name === 'transaction' ? (work: never) => steps(++number, () => target.transaction(work)) : (Reflect.get(target, name) as unknown),
    }),
  };
}
/** Does something between the first step and the second. */
const between = (deed: () => Promise<unknown>): Pick<Deps, 'outbox'> =>
  inSteps(async (number, step) => {
    if (number === 2) await deed();
    return step();
  });

async function formWith(count: number, more: object = {}): Promise<{ form: string; ids: string[] }> {
  const form = started.aForm();
  const ids = Array.from({ length: count }, newId);
  const rows = ids.map((id, n) => ({
    id,
    instance_id: instanceId,
    form_id: form,
    data: JSON.stringify({ name: `Ada ${n}` }),
    schema_version: 3,
    status: 'new',
    created_at: new Date(clock.now().getTime() - 1_000 * (n + 1)),
    announced_at: clock.now(),
    ...more,
  }));
  await started.db.transaction(async (trx) => {
    for (let at = 0; at < rows.length; at += 500) await trx('submission').insert(rows.slice(at, at + 500));
    await trx('listed_count').insert({ form_id: form, status: 'new', listed: count });
  });
  return { form, ids };
}
const statusesOf = async (form: string) => {
  const rows = await started.db('submission').where({ form_id: form }).select<{ id: string; status: string }[]>('id', 'status');
  return new Map(rows.map(({ id, status }) => [id, status]));
};
const countOf = async (form: string, status: string) => [...(await statusesOf(form)).values()].filter((each) => each === status).length;
/** The submissions that status events name, with repetitions. */
async function toldOf(form: string): Promise<string[]> {
  const rows = await started.db('outbox').where({ subject: form, type: 'submission.status_changed' }).select<{ body: string }[]>('body');
  return rows.flatMap(({ body }) => (JSON.parse(body) as { submission_ids: string[] }).submission_ids).sort();
}
const historyOf = async (ids: readonly string[]) =>
  (await started.db('status_change').whereIn('submission_id', ids).select<{ submission_id: string }[]>('submission_id'))
    .map(({ submission_id }) => submission_id)
    .sort();

it('changes all submissions that a search finds, each once, with the events, history and audit entries of a change of several', async () => {
  const { form, ids } = await formWith(450);
  const rejected = ids.slice(0, 20);
  await started.db('submission').whereIn('id', rejected).update({ status: 'rejected' });
  const { id, state, by } = await start(form, { statuses: ['new'] });
  expect({ state, by }).toMatchObject({ state: 'waiting', by: { kind: 'user', id: editor.id } });
  const { id: later } = await started.submit(form);
  expect(await run()).toBe(1);

  expect(await get(form, id)).toMatchObject({ state: 'done', total: 430, done: 430, changed: 430 });
  const changed = ids.slice(20).sort();
  expect(await countOf(form, 'approved')).toBe(430);
  expect((await statusesOf(form)).get(later)).toBe('new');
  expect(await toldOf(form)).toEqual(changed);
  expect(await historyOf(ids)).toEqual(changed);
  expect(await started.auditOf(changed[0] ?? '')).toEqual([['submission.status_changed', editor.id]]);
  expect(await started.auditOf(id)).toEqual([['bulk_change.started', editor.id]]);
});

it('is left alone by a process that does not know what it needs', async () => {
  const { form } = await formWith(1);
  const { id } = await start(form);
  await started
    .db('bulk_change')
    .where({ id })
    .update({ needs: knownNeeds + 1 });
  expect(await run()).toBe(0);
  expect(await get(form, id)).toMatchObject({ state: 'waiting', changed: 0 });
  await started.db('bulk_change').where({ id }).update({ needs: knownNeeds });
  expect(await run()).toBe(1);
});

describe('a process that ends in the middle', () => {
  it('leaves whole steps, and another one goes on after them once the lease is over', async () => {
    const { form, ids } = await formWith(450);
    const { id } = await start(form);
    const stopping = new AbortController();
    await run(
      stopping.signal,
      inSteps(async (_, step) => (await step(), stopping.abort())),
    );
    expect(await get(form, id)).toMatchObject({ state: 'running', done: 200, changed: 200 });
    // As a process leaves it that was killed.
    await started
      .db('bulk_change')
      .where({ id })
      .update({ run_id: newId(), leased_until: new Date(clock.now().getTime() + 60_000) });
    expect(await run()).toBe(0);
    clock.advance(60_001);
    expect(await run()).toBe(1);
    expect(await get(form, id)).toMatchObject({ state: 'done', total: 450, changed: 450 });
    expect(await toldOf(form)).toEqual([...ids].sort());
    expect(await historyOf(ids)).toEqual([...ids].sort());
  });

  it('before the commit of a step leaves nothing of it, neither changes nor events', async () => {
    const { form, ids } = await formWith(450);
    const { id } = await start(form);
    const { outbox } = started.deps;
    let steps = 0;
    const dying = new Proxy(outbox, {
      get: (target, name) =>
        name === 'transaction'
          ? (work: (trx: never) => Promise<unknown>) =>
              target.transaction(async (trx) => {
                const result = await work(trx as never);
                if (++steps === 2) throw new Error('killed');
                return result;
              })
          : (Reflect.get(target, name) as unknown),
    });
    expect(await run(never(), { outbox: dying })).toBe(0);
    expect(await get(form, id)).toMatchObject({ done: 200, changed: 200 });
    expect(await toldOf(form)).toHaveLength(200);
    clock.advance(30_001);
    expect(await run()).toBe(1);
    expect(await toldOf(form)).toEqual([...ids].sort());
    expect(await historyOf(ids)).toEqual([...ids].sort());
  });

  it('or sleeps and wakes when another one has its bulk change, changes nothing more', async () => {
    const { form } = await formWith(450);
    const { id } = await start(form);
    const taken = { run_id: newId(), leased_until: new Date(clock.now().getTime() + 60_000) };
    expect(
      await run(
        never(),
        between(() => started.db('bulk_change').where({ id }).update(taken)),
      ),
    ).toBe(0);
    expect(await countOf(form, 'approved')).toBe(200);
    expect(await started.db('bulk_change').where({ id }).first<object>()).toMatchObject({ run_id: taken.run_id, state: 'running' });
  });

  it('five times in the same step is not followed by a sixth', async () => {
    const { form } = await formWith(3);
    const { id } = await start(form);
    await started.db('bulk_change').where({ id }).update({ runs: 5 });
    await run();
    expect(await get(form, id)).toMatchObject({ state: 'failed', reason: 'failed', changed: 0 });
  });
});

const event = (type: DomainEvent['type'], body: object): DomainEvent => ({
  id: newId(),
  type,
  instanceId,
  subject: newId(),
  occurredAt: clock.now(),
  body: JSON.stringify(body),
});
const hear = (type: DomainEvent['type'], body: object) => endUnentitled(started.deps, started.log, [event(type, body)]);
const standing = (person: User, roles: object) => hear('standing.changed', { kind: 'user', id: person.id, roles, scopes: [] });
const aMember = (): User => ({ ...editor, id: newId() });

describe('the right to a bulk change', () => {
  const losses: Record<string, [(form: string, by: User) => Promise<unknown>, string]> = {
    'a role': [(_, by) => standing(by, { [workspaceId]: 'viewer' }), 'access_ended'],
    'a membership': [(_, by) => standing(by, {}), 'access_ended'],
    'the form, which is moved to another workspace': [(form_id) => hear('form.moved', { form_id, workspace_id: newId() }), 'access_ended'],
    'the form, which is moved to the trash': [(form_id) => hear('form.changed', { form_id, slugs: [], trashed: true }), 'form_trashed'],
    'the form, which is erased': [
      (form_id) => hear('form.erased', { form_id, erasure_id: newId(), workspace_id: workspaceId }),
      'form_erased',
    ],
  };
  it.each(Object.entries(losses))('ends with the loss of %s, and what is not changed yet stays', async (_, [lose, reason]) => {
    const { form } = await formWith(450);
    const by = aMember();
    const { id } = await start(form, {}, by);
    expect(
      await run(
        never(),
        between(() => lose(form, by)),
      ),
    ).toBe(0);
    expect(await get(form, id)).toMatchObject({ state: 'failed', reason, done: 200, changed: 200 });
    expect(await countOf(form, 'approved')).toBe(200);
    expect(await run()).toBe(0);
  });

  it('stays with what still gives it, and ends once nothing does', async () => {
    const { form } = await formWith(1);
    const by = aMember();
    const { id } = await start(form, {}, by);
    await hear('grant.changed', { form_id: form, workspace_id: workspaceId, user_id: by.id, role: 'editor' });
    await standing(by, { [workspaceId]: 'viewer' });
    await hear('form.changed', { form_id: form, slugs: [] });
    expect(await get(form, id)).toMatchObject({ state: 'waiting' });
    await hear('grant.changed', { form_id: form, workspace_id: workspaceId, user_id: by.id });
    expect(await get(form, id)).toMatchObject({ state: 'failed', reason: 'access_ended' });
  });

  it('is not given by a token with a role that was lost since', async () => {
    const { form } = await formWith(1);
    const by = aMember();
    await standing(by, { [workspaceId]: 'viewer' });
    await expect(start(form, {}, by)).rejects.toEqual(refused('forbidden'));
  });

  it('is that of owners and editors, for forms that are not in the trash', async () => {
    const { form } = await formWith(1);
    for (const as of [viewer, outsider]) await expect(start(form, {}, as)).rejects.toEqual(refused('forbidden'));
    const { id } = await start(form);
    await expect(started.client.endBulkChange(callAs(viewer), { form_id: form, id })).rejects.toEqual(refused('forbidden'));
    await expect(undo(form, id, viewer)).rejects.toEqual(refused('forbidden'));
    await expect(start(started.aForm({ status: 'trashed' }))).rejects.toEqual(
      refused('conflict', 'The form is in the trash. Restore it first.'),
    );
  });
});

it('that was asked for after a restore is not ended by a move to the trash that is heard late', async () => {
  const { form } = await formWith(1);
  const late = event('form.changed', { form_id: form, slugs: [], trashed: true });
  clock.advance(61_000);
  const { id } = await start(form);
  await endUnentitled(started.deps, started.log, [late]);
  expect(await get(form, id)).toMatchObject({ state: 'waiting' });
});

describe('a look-up', () => {
  /** Does something before a look-up has read anything, or before its commit. */
  const beside = (deeds: { first?: () => Promise<unknown>; last?: () => Promise<unknown> }): Pick<Deps, 'db'> => ({
    db: new Proxy(started.db, {
      get: (target, name) =>
        name === 'transaction'
          ? (work: (trx: never) => Promise<unknown>, options: never) =>
              target.transaction(async (trx) => {
                await deeds.first?.();
                const result = await work(trx as never);
                await deeds.last?.();
                return result;
              }, options)
          : (Reflect.get(target, name) as unknown),
    }),
  });
  const itemsOf = (id: string) => started.db('bulk_change_item').where({ bulk_change_id: id }).select<object[]>('number');

  it('holds up neither an end nor news of a right, and is not followed by a step then', async () => {
    const { form } = await formWith(3);
    const { id } = await start(form);
    const stop = async () => {
      await hear('grant.changed', { form_id: form, workspace_id: workspaceId, user_id: editor.id, role: 'editor' });
      await started.client.endBulkChange(callAs(owner), { form_id: form, id });
    };
    expect(await run(never(), beside({ last: stop }))).toBe(0);
    expect(await get(form, id)).toMatchObject({ state: 'cancelled', changed: 0 });
    expect(await countOf(form, 'new')).toBe(3);
  });

  it('leaves nothing if another process has the bulk change meanwhile', async () => {
    const { form } = await formWith(3);
    const { id } = await start(form);
    const taken = { run_id: newId(), leased_until: new Date(clock.now().getTime() + 60_000) };
    const take = () => started.db('bulk_change').where({ id }).update(taken);
    expect(await run(never(), beside({ first: take }))).toBe(0);
    expect(await itemsOf(id)).toEqual([]);
    expect(await started.db('bulk_change').where({ id }).first<object>()).toMatchObject({ run_id: taken.run_id, total: null });
  });

  it('is forgotten at the end, but for what was changed', async () => {
    const { form } = await formWith(450);
    const { id } = await start(form);
    await run(
      never(),
      between(() => started.client.endBulkChange(callAs(owner), { form_id: form, id })),
    );
    expect(await itemsOf(id)).toHaveLength(200);
  });
});

it('waits until the one of the form before it is over, and takes what is found then', async () => {
  const { form } = await formWith(450);
  const { id: first } = await start(form, { new_status: 'in_review' });
  clock.advance(1);
  const { id: second } = await start(form, { statuses: ['new'] });
  const aside = inSteps(async (number, step) => {
    if (number === 2) {
      expect(await run()).toBe(0);
      expect(await get(form, second)).toMatchObject({ state: 'waiting' });
    }
    return step();
  });
  expect(await run(never(), aside)).toBe(2);
  expect(await get(form, first)).toMatchObject({ state: 'done', changed: 450 });
  expect(await get(form, second)).toMatchObject({ state: 'done', total: 0, changed: 0 });
});

it('can be ended early by anybody who may change submissions, and what it has changed stays', async () => {
  const { form } = await formWith(450);
  const { id } = await start(form);
  await run(
    never(),
    between(() => started.client.endBulkChange(callAs(owner), { form_id: form, id })),
  );
  expect(await get(form, id)).toMatchObject({ state: 'cancelled', done: 200, changed: 200 });
  expect(await started.auditOf(id)).toEqual([
    ['bulk_change.started', editor.id],
    ['bulk_change.ended', owner.id],
  ]);
  expect(await run()).toBe(0);
});

describe('taking back a bulk change', () => {
  it('gives each submission what it had, but for those that somebody has changed since', async () => {
    const { form, ids } = await formWith(250);
    const [first = '', second = '', third = '', erased = ''] = ids;
    await started.db('submission').where({ id: first }).update({ status: 'in_review' });
    await started.db('submission').where({ id: second }).update({ status: 'approved' });
    const { id } = await start(form);
    await expect(undo(form, id)).rejects.toEqual(refused('conflict', 'The bulk change is not over yet.'));
    await run();
    expect(await get(form, id)).toMatchObject({ total: 250, changed: 249 });
    clock.advance(1_000);
    await started.client.changeStatus(callAs(owner), { form_id: form, id: third, status: 'rejected' });
    await started.client.deleteSubmission(callAs(owner), { form_id: form, id: erased });
    await started.client.eraseSubmission(callAs(owner), { form_id: form, id: erased });
    expect(await started.db('bulk_change_item').where({ submission_id: erased })).toEqual([]);

    const back = await undo(form, id, owner);
    expect(back).toMatchObject({ undoes: id, action: 'set_status', by: { id: owner.id } });
    await expect(undo(form, id)).rejects.toEqual(refused('conflict', 'The bulk change is being taken back already.'));
    await run();
    expect(await get(form, back.id)).toMatchObject({ state: 'done', total: 248, changed: 247 });
    const statuses = await statusesOf(form);
    expect([first, second, third].map((each) => statuses.get(each))).toEqual(['in_review', 'approved', 'rejected']);
    expect(await countOf(form, 'new')).toBe(246);
    await expect(undo(form, back.id)).rejects.toEqual(
      refused('conflict', 'The bulk change takes back another one, and cannot be taken back.'),
    );
  });

  it('is completed after the day in which it could be asked for', async () => {
    const { form } = await formWith(450);
    const { id } = await start(form);
    await run();
    clock.advance(24 * 3_600_000 - 1_000);
    const { id: back } = await undo(form, id);
    const aDayLater = async () => {
      clock.advance(2_000);
      await removeBulkChanges(started.deps);
    };
    await run(never(), between(aDayLater));
    expect(await get(form, back)).toMatchObject({ state: 'done', total: 450, changed: 450 });

    const { id: other } = await start(form);
    await run();
    clock.advance(24 * 3_600_000);
    await expect(undo(form, other)).rejects.toEqual(
      refused('conflict', 'The bulk change cannot be taken back any more: its time for that is over.'),
    );
  });

  const roundTrips: Record<string, [Wanted & { action: string }, object]> = {
    assign: [{ action: 'assign', new_assignee: newId() }, {}],
    'assign to nobody': [{ action: 'assign' }, { assignee: newId() }],
    'mark as spam': [{ action: 'mark_spam' }, {}],
    release: [{ action: 'release' }, { spam_at: new Date('2026-01-01'), spam_reason: 'honeypot' }],
    trash: [{ action: 'trash' }, {}],
    restore: [{ action: 'restore' }, { deleted_at: new Date('2026-01-01') }],
  };
  it.each(Object.entries(roundTrips))('leads back from every action: %s', async (_, [wanted, before]) => {
    const { form } = await formWith(3, before);
    const stateOf = () =>
      started
        .db('submission')
        .where({ form_id: form })
        .orderBy('id')
        .select<Record<string, unknown>[]>('id', 'assignee', 'spam_reason', 'deleted_at');
    const placesOf = async () => (await stateOf()).map(({ deleted_at, ...rest }) => ({ ...rest, isInTrash: deleted_at !== null }));
    const earlier = await placesOf();
    const { id } = await act(form, wanted.action, wanted);
    await run();
    expect(await get(form, id)).toMatchObject({ state: 'done', total: 3, changed: 3 });
    expect(await placesOf()).not.toEqual(earlier);
    const { id: back } = await undo(form, id);
    await run();
    expect(await get(form, back)).toMatchObject({ state: 'done', total: 3, changed: 3 });
    expect(await placesOf()).toEqual(earlier);
  });
});

it('changes what is in the list, and not what left it before its turn', async () => {
  const { form, ids } = await formWith(450);
  const { id } = await act(form, 'assign', { new_assignee: editor.id });
  const leave = async () => {
    await started.client.trashSubmissions(callAs(owner), { form_id: form, submission_ids: ids.slice(300, 302) });
    await started.client.markSubmissionsSpam(callAs(owner), { form_id: form, submission_ids: ids.slice(302, 303), spam: true });
  };
  expect(await run(never(), between(leave))).toBe(1);
  expect(await get(form, id)).toMatchObject({ state: 'done', total: 450, done: 450, changed: 447 });
});

it('announces what it releases, however large the answers are together', async () => {
  const { form } = await formWith(20, { spam_at: new Date('2026-01-01'), spam_reason: 'honeypot', announced_at: null });
  await started
    .db('submission')
    .where({ form_id: form })
    .update({ data: JSON.stringify({ name: 'x'.repeat(1_000_000) }) });
  const { id } = await act(form, 'release');
  expect(await run()).toBe(1);
  expect(await get(form, id)).toMatchObject({ state: 'done', changed: 20 });
  expect(await started.db('submission').where({ form_id: form, announced_at: null })).toEqual([]);
});

it('refuses what would change other submissions than meant, and names the parameter', async () => {
  const { form } = await formWith(1);
  for (const [wanted, message] of [
    [{ new_status: undefined }, 'new_status: is required for set_status'],
    [{ action: 'trash' }, 'new_status: can only be combined with set_status'],
    [{ action: 'restore', new_status: undefined, statuses: ['new'] }, 'status: cannot be combined with restore'],
    [{ action: 'release', new_status: undefined, q: 'ada' }, 'q: cannot be combined with release'],
    [
      { filters: [{ key: '_in', comparison: 'eq', values: ['spam'] }] },
      'filter[_in]: bulk changes are of the list, the spam or the trash by their action',
    ],
    [{ filters: [{ key: 'unknown', comparison: 'eq', values: ['1'] }] }, 'filter[unknown]: no version of the form has this field'],
  ] as [Wanted, string][])
    await expect(start(form, wanted)).rejects.toEqual(refused('bad_request', message));
});

it('waits its turn beside a long one, and so many are under way at once', async () => {
  const { form } = await formWith(1);
  await start(form);
  await start(form);
  await expect(start(form)).rejects.toEqual(
    refused('too_many_requests', 'The form has 2 bulk changes that are waiting or running. End one, or wait until one is over.'),
  );
  for (let others = 0; others < 4; others++) {
    const { form: other } = await formWith(1);
    await start(other);
    await start(other);
  }
  await expect(start((await formWith(1)).form)).rejects.toEqual(
    refused('too_many_requests', 'The workspace has 10 bulk changes that are waiting or running. End one, or wait until one is over.'),
  );
});

it('fails after a day, and is forgotten with what it did a day after its end', async () => {
  const { form } = await formWith(1);
  const { id } = await start(form);
  clock.advance(24 * 3_600_000);
  await removeBulkChanges(started.deps);
  expect(await get(form, id)).toMatchObject({ state: 'failed', reason: 'took_too_long' });
  const { id: done } = await start(form);
  await run();
  clock.advance(24 * 3_600_000);
  expect(await removeBulkChanges(started.deps)).toBe(2);
  expect((await started.client.listBulkChanges(callAs(viewer), { form_id: form })).changes).toEqual([]);
  expect(await started.db('bulk_change_item').where({ bulk_change_id: done })).toEqual([]);
});
