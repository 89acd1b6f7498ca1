import { createHash } from 'node:crypto';
import { newId, type Caller } from '@sheaf/kernel';
import { aServiceAccount, callAs, refused } from '@sheaf/testing';
import { eraseHeard, keepForListeners, removeEnded } from '../src/listening/listening.queries';
import { plan } from '../src/planning/plan';
import { startService, type Service } from './support/service';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => service.reset());

const events = ['submission.created', 'submission.status_changed'];
/** A developer who listens to a form, and has received nothing yet. */
function developer(form_id = newId(), as: Caller = service.member('editor'), listener_id = newId()) {
  const ask = (received: string[] = [], choice: { events?: string[]; payload?: string; fields?: Buffer } = {}) =>
    service.client.receiveFormEvents(callAs(as), { form_id, listener_id, events, received, ...choice });
  return { form_id, listener_id, ask };
}
const bodies = ({ data }: { data: readonly { body: string }[] }) => data.map(({ body }) => body);

it('a listener receives what a webhook receives: the same body, headers and signature', async () => {
  const { form_id, ask } = developer();
  const { id } = service.subscription({ form_id });
  expect(await ask()).toMatchObject({ data: [], went_on: false });
  await service.planAsQuick([service.event(form_id)]);
  await service.run();

  const { data } = await ask();
  const [sent] = service.subscriber.received;
  expect(bodies({ data })).toEqual([sent?.body]);
  const headers = Object.fromEntries((data[0]?.headers ?? []).map(({ name, value }) => [name.toLowerCase(), value]));
  expect(headers['webhook-id']).toBe(data[0]?.id);
  expect(headers['webhook-signature']).toMatch(/^v1a,/);
  // But for what is of the connection, of the webhook, and of the moment.
  const own = ['host', 'connection', 'content-length', 'webhook-id', 'webhook-signature', 'webhook-timestamp', 'x-webhook-id'];
  const rest = (given: Record<string, unknown>) => Object.fromEntries(Object.entries(given).filter(([name]) => !own.includes(name)));
  expect(rest(headers)).toEqual(rest(sent?.headers ?? {}));
  expect(Object.keys(headers).toSorted()).toEqual(
    Object.keys(sent?.headers ?? {})
      .filter((name) => !['host', 'connection', 'content-length'].includes(name))
      .toSorted(),
  );
  expect((await service.deliveries({ id })).length).toBe(1);
});

it('an event comes until it was received, once for each listener, and nothing of it stays then', async () => {
  const [one, other] = [developer(), developer()];
  const second = developer(one.form_id);
  for (const { ask } of [one, other, second]) await ask();
  const event = service.event(one.form_id, { body: '"first"' });
  // Once more, as after a process has died in the middle.
  await keepForListeners(service.db, service.clock, [
    {
      id: event.id,
      type: event.type,
      form_id: one.form_id,
      submission_id: null,
      occurred_at: event.occurredAt,
      body: event.body,
      traceparent: null,
    },
  ]);
  await plan(service.deps, [event]);
  await plan(service.deps, [event]);
  const { data } = await one.ask();
  expect(bodies({ data })).toEqual(['"first"']);
  expect(await one.ask()).toMatchObject({ data, went_on: true, has_more: false });
  expect(bodies(await one.ask([data[0]?.id ?? '', 'no id']))).toEqual([]);
  expect(bodies(await second.ask())).toEqual(['"first"']);
  expect(bodies(await other.ask())).toEqual([]);
  expect(await service.db('heard').where({ listener_id: one.listener_id })).toEqual([]);
  // Those that nobody else wants have no body in the log either.
  expect(await service.db('event').where({ id: event.id }).first('body')).toEqual({ body: '' });
});

it('a listener that has not asked for a minute is gone, with all that waited for it', async () => {
  const { form_id, listener_id, ask } = developer();
  await ask();
  await plan(service.deps, [service.event(form_id)]);
  service.clock.advance(59_000);
  await ask();
  service.clock.advance(60_000);
  await plan(service.deps, [service.event(form_id)]);
  await removeEnded(service.db, service.clock);
  for (const [table, where] of [
    ['listener', { id: listener_id }],
    ['heard', { listener_id }],
  ] as const)
    expect(await service.db(table).where(where)).toEqual([]);
  expect(await ask()).toMatchObject({ data: [], went_on: false });
});

it('answers that are erased do not wait for anybody', async () => {
  const { form_id, ask } = developer();
  await ask();
  const [erased, kept] = [service.event(form_id, { body: '"erased"' }), service.event(form_id, { body: '"kept"' })];
  await plan(service.deps, [erased, kept]);
  await eraseHeard(service.db, form_id, erased.subject);
  expect(bodies(await ask())).toEqual(['"kept"']);
});

it('too many that wait are left out and counted, and the others are received in pages', async () => {
  const { form_id, ask } = developer();
  await ask();
  await plan(
    service.deps,
    Array.from({ length: 1_003 }, (_, at) => service.event(form_id, { body: `"${at}"` })),
  );
  const first = await ask();
  expect(first).toMatchObject({ has_more: true, missed: 3 });
  expect(first.data).toHaveLength(50);
  // A page has about a megabyte, whatever the number.
  const long = developer();
  await long.ask();
  const body = `"${createHash('sha256').update('long').digest('hex').repeat(10_000)}"`;
  await plan(
    service.deps,
    [1, 2, 3].map(() => service.event(long.form_id, { body })),
  );
  const page = await long.ask();
  expect(page).toMatchObject({ has_more: true });
  expect(page.data).toHaveLength(2);
});

it('only those who may change webhooks of the form listen, each to what they began', async () => {
  const editor = developer();
  await editor.ask();
  await plan(service.deps, [service.event(editor.form_id)]);
  await expect(developer(editor.form_id, service.member('viewer'), editor.listener_id).ask()).rejects.toEqual(refused('forbidden'));
  await expect(developer(editor.form_id, service.member('owner'), editor.listener_id).ask()).rejects.toEqual(refused('not_found'));
  const robot = aServiceAccount({ instanceId: service.instanceId, scopes: ['hooks:manage'] });
  const account = developer(editor.form_id, robot);
  await expect(account.ask()).rejects.toEqual(refused('insufficient_scope'));
  expect(await account.ask([], { events: ['submission.deleted'] })).toMatchObject({ went_on: false });
});

it('at most five programs listen to a form at a time', async () => {
  const form = newId();
  for (let count = 0; count < 5; count += 1) await developer(form).ask();
  await expect(developer(form).ask()).rejects.toEqual(refused('conflict'));
  service.clock.advance(60_000);
  await developer(form).ask();
});

it('a listener that its program ends leaves nothing, and makes room for another one at once', async () => {
  const [form_id, as] = [newId(), service.member('editor')];
  const listeners = Array.from({ length: 5 }, () => developer(form_id, as));
  await Promise.all(listeners.map(({ ask }) => ask()));
  await plan(service.deps, [service.event(form_id)]);
  const [{ listener_id, ask }, other] = listeners as [ReturnType<typeof developer>, ReturnType<typeof developer>];
  const end = (caller: Caller, id: string) => service.client.endFormListener(callAs(caller), { form_id, listener_id: id });

  // It stays if somebody else asks.
  await end(service.member('owner'), listener_id);
  await expect(end(service.member('viewer'), listener_id)).rejects.toEqual(refused('forbidden'));
  await expect(developer(form_id).ask()).rejects.toEqual(refused('conflict'));
  for (const id of [listener_id, listener_id, 'nonsense']) await end(as, id);
  expect(await service.db('heard').where({ listener_id })).toEqual([]);
  expect(await developer(form_id).ask()).toMatchObject({ went_on: false });
  expect((await other.ask()).data).toHaveLength(1);
  await expect(ask()).rejects.toEqual(refused('conflict'));
});

it('at most five listen also if more begin at the same moment', async () => {
  const form = newId();
  const begun = await Promise.allSettled(Array.from({ length: 8 }, () => developer(form).ask()));
  expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
});

it('events that a listener does not want any more are not in the way of those it wants', async () => {
  const { form_id, ask } = developer();
  await ask();
  await plan(
    service.deps,
    Array.from({ length: 60 }, () => service.event(form_id)),
  );
  await plan(service.deps, [service.event(form_id, { type: 'submission.status_changed', body: '"wanted"' })]);
  const page = await ask([], { events: ['submission.status_changed'] });
  expect(page).toMatchObject({ has_more: false });
  expect(bodies(page)).toEqual(['"wanted"']);
});

it('bodies have the chosen payload and answers', async () => {
  const { form_id, ask } = developer();
  await ask();
  service.neighbours.forms.fields.set(`${form_id} 3`, [{ key: 'city', label: 'City', type: 'short_text', required: false }]);
  const submission = { id: newId(), form_id, schema_version: 3, created_at: service.clock.now().toISOString() };
  const body = JSON.stringify({ event: 'submission.created', form_id, data: { city: 'Berlin', name: 'Ada' }, submission });
  await plan(service.deps, [service.event(form_id, { body })]);
  const [named] = bodies(await ask([], { payload: 'named', fields: Buffer.from('["city"]') }));
  expect(JSON.parse(named ?? '')).toMatchObject({ data: { city: 'Berlin' }, answers: { city: { label: 'City', text: 'Berlin' } } });
  expect(named).not.toContain('Ada');
});
