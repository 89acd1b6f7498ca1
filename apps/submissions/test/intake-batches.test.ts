import { Broker, record, startRelay, type DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { connectTo, problemOf, type Database } from '@sheaf/postgres';
import { brokerUrl, freshDatabase, SilentProxy, TestClock, testProcess } from '@sheaf/testing';
import { Intake } from '../src/intake/batches';
import type { Ready } from '../src/intake/batches.queries';
import { migrations } from '../src/migrations';
import { submissionCreated } from '../src/submission/events';

const process = testProcess('submissions');
const clock = new TestClock();
const instanceId = newId();
let db: Database;
let url: string;
let intake: Intake;
let batches = 0;

beforeAll(async () => {
  ({ db, url } = await freshDatabase(migrations));
  const broker = await Broker.connect(process, brokerUrl());
  const outbox = startRelay(process, {
    db,
    broker,
    source: 'submissions',
    clock,
    settings: { OUTBOX_REPUBLISH_MS: 30_000, OUTBOX_POLL_MS: 100 },
  });
  intake = new Intake({
    db,
    queue,
    outbox: {
      publish: (events) => {
        batches += 1;
        outbox.publish(events);
      },
    },
  });
});
beforeEach(() => (batches = 0));
afterAll(async () => {
  await process.stop();
  await db.destroy();
});

function ready(
  form_id: string,
  options: { limit?: number; key?: string; data?: string; schema_version?: number; trace?: string; requestId?: string } = {},
): Ready & { event: DomainEvent } {
  const now = clock.now();
  const submission = {
    id: newId(),
    instance_id: instanceId,
    form_id,
    data: options.data ?? '{"name":"Ada"}',
    schema_version: options.schema_version ?? 1,
    version_id: null,
    status: 'new',
    created_at: now,
    announced_at: now,
    spam_at: null,
    spam_reason: null,
    holds_place: true,
    deleted_at: null,
    changed_at: null,
    assignee: null,
    revision: 0,
    notes: 0,
    entered_by_kind: null,
    entered_by_id: null,
    fill_seconds: null,
    language: null,
  } as const;
  const key = options.key === undefined ? undefined : { key: options.key, fingerprint: Buffer.from('01', 'hex') };
  return { submission, limit: options.limit, isExact: false, key, event: submissionCreated(instanceId, submission, now, options) };
}

const stored = (form_id: string) => db('submission').where({ form_id }).pluck<string[]>('id');
const counted = async (form_id: string) => ({
  ...(await db('intake').where({ form_id }).first<{ accepted: number }>('accepted')),
  ...(await db('listed_count').where({ form_id, status: 'new' }).first<{ listed: number }>('listed')),
});
const eventsOf = (form_id: string) => db('outbox').where({ form_id, type: 'submission.created' });
const queue = { submissions: 1_000, bytes: 10_000_000 };
const within = (ms: number) => Date.now() + ms;
/** Submits with a long deadline. */
const submit = (one: Ready, by = intake) => by.take(one, within(30_000));
const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Locks a form's count, as a change of its submissions does, until the returned function is called. */
async function lockCount(form_id: string): Promise<() => Promise<unknown>> {
  await db('intake').insert({ form_id, accepted: 0 });
  const trx = await db.transaction();
  await trx('intake').where({ form_id }).forUpdate();
  return () => trx.commit();
}
const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

describe('submissions that arrive together', () => {
  it('share statements, and are each stored and counted', async () => {
    const forms = [newId(), newId(), newId()];
    const all = times(300, (n) => ready(forms[n % 3] ?? ''));
    expect(new Set(await Promise.all(all.map((one) => submit(one))))).toEqual(new Set(['accepted']));

    expect(batches).toBeLessThan(10);
    for (const form of forms) {
      expect((await stored(form)).sort()).toEqual(
        all
          .filter(({ submission }) => submission.form_id === form)
          .map(({ submission }) => submission.id)
          .sort(),
      );
      expect(await counted(form)).toEqual({ accepted: 100, listed: 100 });
    }
  });

  it('are stored byte for byte, whatever their answers contain', async () => {
    const form = newId();
    const data = '{"name":"Zo\\u00eb \\u0000 \\" ☃","n":1.50,"nested":{"a":[1,null]}}';
    await submit(ready(form, { data }));
    expect(await db('submission').where({ form_id: form }).select(db.raw('data::text as data'))).toEqual([{ data }]);
  });

  it.each([
    ['without a key', undefined],
    ['with a key', 'one'],
  ])('%s leave the same outbox row as a recorded event, due after a grace period for this process', async (_, key) => {
    const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const one = ready(newId(), { data: '{"name":"Zo\\u00eb \\" ☃"}', trace, requestId: 'r-1', ...(key === undefined ? {} : { key }) });
    const trx = await db.transaction();
    await submit(one, new Intake({ db: trx, outbox: { publish: () => undefined }, queue }));
    await record(trx, { ...one.event, id: newId() });
    const [stored, recorded] = await trx('outbox')
      .where({ subject: one.submission.id })
      .orderBy('position')
      .select<object[]>(
        'type',
        'instance_id',
        'form_id',
        'occurred_at',
        'body',
        'traceparent',
        'request_id',
        'awaiting',
        'publications',
        'publish_at',
      );
    const announced = await trx('submission').where({ id: one.submission.id }).pluck('announced_at');
    const {
      rows: [{ due }],
    } = await trx.raw<{ rows: [{ due: Date }] }>(`select now() + interval '5 seconds' as due`);
    await trx.rollback();

    expect(stored).toMatchObject({
      type: 'submission.created',
      body: one.event.body,
      traceparent: trace,
      request_id: 'r-1',
      awaiting: ['delivery'],
    });
    expect(stored).toEqual({ ...recorded, publish_at: due });
    expect(announced).toEqual([clock.now()]);
  });

  it('fill a form exactly to its limit, in order of arrival', async () => {
    const form = newId();
    const all = times(120, () => ready(form, { limit: 50 }));
    const outcomes = await Promise.all(all.map((one) => submit(one)));
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(50);
    expect(outcomes.slice(0, 50)).toEqual(times(50, () => 'accepted'));
    expect(await counted(form)).toEqual({ accepted: 50, listed: 50 });
    expect(await stored(form)).toHaveLength(50);
  });

  it('take a key once, and leave it free if the form is full', async () => {
    const form = newId();
    const same = await Promise.all(times(40, () => submit(ready(form, { key: 'the same' }))));
    expect(same.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    expect(same.filter((outcome) => outcome === 'repeated')).toHaveLength(39);

    const refused = await Promise.all(times(5, (n) => submit(ready(form, { key: `key ${n}`, limit: 3 }))));
    expect(refused).toEqual(['accepted', 'accepted', 'full', 'full', 'full']);
    expect(await submit(ready(form, { key: 'key 4', limit: 10 }))).toBe('accepted');
    expect(await db('idempotency_key').where({ form_id: form }).pluck('key')).toEqual(
      expect.arrayContaining(['the same', 'key 0', 'key 1', 'key 4']),
    );
    expect(await stored(form)).toHaveLength(4);
  });

  it('wait for the running batch of their form, and share the next one', async () => {
    const form = newId();
    const release = await lockCount(form);
    const all = [submit(ready(form))];
    for (let n = 0; n < 20; n++) {
      await turn();
      all.push(submit(ready(form)));
    }
    await release();
    expect(new Set(await Promise.all(all))).toEqual(new Set(['accepted']));
    expect(batches).toBe(2);
    expect(await counted(form)).toEqual({ accepted: 21, listed: 21 });
  });

  it('do not wait for another form that is locked', async () => {
    const [held, free] = [newId(), newId()];
    const release = await lockCount(held);
    const first = submit(ready(held));
    await turn();
    const behind = [submit(ready(held)), submit(ready(free))];
    expect(await behind[1]).toBe('accepted');
    expect(await stored(held)).toEqual([]);
    await release();
    expect(await Promise.all([first, ...behind])).toEqual(['accepted', 'accepted', 'accepted']);
  });

  it('are stored even if the database refuses one of them', async () => {
    const form = newId();
    const all = times(10, (n) => submit(ready(form, n === 4 ? { data: 'no JSON at all' } : {})));
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map(({ status }) => status)).toEqual(times(10, (n) => (n === 4 ? 'rejected' : 'fulfilled')));
    expect(await stored(form)).toHaveLength(9);
    expect(await counted(form)).toEqual({ accepted: 9, listed: 9 });
  });

  it('are all refused, and none is stored, while the database is unreachable', async () => {
    const form = newId();
    const nowhere = connectTo('postgres://nobody@127.0.0.1:1/nothing', 'test', 2);
    const away = new Intake({ db: nowhere, outbox: { publish: () => undefined }, queue });
    const outcomes = await Promise.allSettled(times(10, () => submit(ready(form), away)));
    await nowhere.destroy();
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await stored(form)).toEqual([]);
    expect(await eventsOf(form)).toEqual([]);
  });
});

describe('submissions whose senders give up', () => {
  it('are not stored: twenty clients that try three times without a key while their form is locked leave twenty submissions', async () => {
    const form = newId();
    const release = await lockCount(form);
    for (let ask = 0; ask < 2; ask++) {
      const outcomes = await Promise.allSettled(times(20, () => intake.take(ready(form), within(200))));
      expect(outcomes.map((one) => (one.status === 'rejected' ? problemOf(one.reason).code : one.value))).toEqual(
        times(20, () => 'unavailable'),
      );
    }
    const last = times(20, () => submit(ready(form)));
    await release();
    expect(new Set(await Promise.all(last))).toEqual(new Set(['accepted']));
    expect(await stored(form)).toHaveLength(20);
    expect(await counted(form)).toEqual({ accepted: 20, listed: 20 });
    expect(await eventsOf(form)).toHaveLength(20);
  });

  it('are not stored in a form with a limit either', async () => {
    const form = newId();
    const release = await lockCount(form);
    await expect(intake.take(ready(form, { limit: 2, key: 'one' }), within(200))).rejects.toThrow();
    await release();
    expect(await Promise.all(times(3, () => submit(ready(form, { limit: 2 }))))).toEqual(['accepted', 'accepted', 'full']);
    expect(await db('idempotency_key').where({ form_id: form })).toEqual([]);
  });

  it('do not keep others from being stored, even if all batches wait for a lock', async () => {
    const held = [newId(), newId()];
    const releases = await Promise.all(held.map(lockCount));
    const stuck = held.map((form) => intake.take(ready(form), within(20_000)));
    await turn();
    expect(await submit(ready(newId()))).toBe('accepted');
    for (const release of releases) await release();
    expect(await Promise.all(stuck)).toEqual(['accepted', 'accepted']);
  });
});

describe('a full queue', () => {
  it.each([
    ['submissions', { submissions: 3, bytes: 10_000_000 }],
    ['bytes', { submissions: 1_000, bytes: 40 }],
  ])('refuses at once if it is limited by %s, and accepts again once it has room', async (_, full) => {
    const form = newId();
    const small = new Intake({ db, outbox: { publish: () => undefined }, queue: full });
    const release = await lockCount(form);
    const first = submit(ready(form), small);
    await turn();
    const behind = times(3, () => submit(ready(form, { data: '{"n":1234}' }), small));
    await expect(submit(ready(form, { data: '{"n":1234567890}' }), small)).rejects.toMatchObject({ code: 'unavailable' });
    await release();
    expect(await Promise.all([first, ...behind])).toEqual(times(4, () => 'accepted'));
    expect(await submit(ready(form), small)).toBe('accepted');
    expect(await stored(form)).toHaveLength(5);
  });
});

describe('an unresponsive database', () => {
  it('fails the submissions that wait for it, and later ones are stored over new connections', async () => {
    const { proxy, url: far, close } = await SilentProxy.before(url);
    const through = connectTo(far, 'far', 4);
    const distant = new Intake({ db: through, outbox: { publish: () => undefined }, queue });
    await Promise.all(times(2, () => submit(ready(newId()), distant)));
    proxy.silenceOpen();
    const lost = await Promise.allSettled(times(2, () => distant.take(ready(newId()), within(300))));
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await Promise.all(times(3, () => submit(ready(newId()), distant)))).toEqual(times(3, () => 'accepted'));
    await through.destroy();
    await close();
  });
});
