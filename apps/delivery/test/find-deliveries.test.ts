import { referenceOf } from '@sheaf/contracts';
import { newId, type Caller } from '@sheaf/kernel';
import { callAs, countRowsRead, expectCursorsChecked, forged, refused } from '@sheaf/testing';
import { findDeliveries } from '../src/log/find-deliveries';
import { copyOf } from '../src/planning/store-planned';
import { upsertCopies } from '../src/subscriptions/subscriptions.queries';
import { startService, type Service } from './support/service';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.reset());
afterAll(() => service.stop());

type Filter = Omit<Parameters<Service['client']['findDeliveries']>[1], 'form_id' | 'limit'>;
const find = (form_id: string, filter: Filter = {}, limit = 25, as: Caller = service.member('viewer')) =>
  service.client.findDeliveries(callAs(as), { form_id, limit, ...filter });

/** A form with deliveries of both events, in turns. */
async function withDeliveries(rounds: number) {
  const created = service.subscription();
  const { form_id: form } = created;
  const deleted = service.subscription({ form_id: form, event: 'submission.deleted', url: `${service.subscriber.url}/deleted` });
  const events: string[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const type of ['submission.created', 'submission.deleted'] as const) {
      const event = service.event(form, { type });
      await service.planAsQuick([event]);
      events.unshift(event.id);
    }
  return { form, created, deleted, events };
}

/** The events of all deliveries, read in pages, and the number of pages. */
async function inPages(form: string, filter: Filter, most: number, limit = 2): Promise<{ found: string[]; pages: number }> {
  const as = service.member('viewer');
  const { subscription_id: subscriptionId, submission_id: submissionId, ...rest } = filter;
  const found: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const search = { formId: form, subscriptionId, submissionId, ...rest, limit, cursor };
    const page = await findDeliveries(service.deps, { caller: as, call: callAs(as) }, search, most);
    found.push(...page.rows.map(({ event_id }) => event_id));
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== undefined);
  return { found, pages };
}

describe('the deliveries of an event', () => {
  it('are found newest first, page by page, whatever a request reads at most', async () => {
    const { form, events, deleted } = await withDeliveries(4);
    const ofDeleted = events.filter((_, index) => index % 2 === 0);
    for (const most of [1, 2, 3, 5, 100]) {
      expect((await inPages(form, { event: 'submission.deleted' }, most)).found).toEqual(ofDeleted);
      expect((await inPages(form, {}, most)).found).toEqual(events);
      expect((await inPages(form, { subscription_id: deleted.id }, most)).found).toEqual(ofDeleted);
    }
    expect((await inPages(form, { event: 'submission.status_changed' }, 3)).pages).toBeGreaterThan(2);
  });

  it('can be narrowed down by state and time', async () => {
    const { form, events } = await withDeliveries(1);
    const { deliveries } = await find(form, { event: 'submission.created', state: 'pending' });
    expect(deliveries).toMatchObject([{ event_id: events[1], event: 'submission.created', state: 'pending', attempts: [] }]);
    expect(await find(form, { state: 'failed' })).toEqual({ deliveries: [] });
    const [past, future] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const found = async (filter: Filter) => (await find(form, filter)).deliveries.length;
    expect(await found({ from: past, to: future })).toBe(2);
    expect(await found({ from: future })).toBe(0);
    expect(await found({ to: past })).toBe(0);
  });

  it('have only the origins of addresses for viewers', async () => {
    const { form } = await withDeliveries(1);
    const { deliveries } = await find(form, { event: 'submission.deleted' });
    expect(deliveries).toMatchObject([{ url: new URL(service.subscriber.url).origin }]);
    expect(await find(form, { event: 'submission.deleted' }, 25, service.member('editor'))).toMatchObject({
      deliveries: [{ url: `${service.subscriber.url}/deleted` }],
    });
  });

  it('refuse a cursor to a place that cannot exist, even with the right checksum', async () => {
    const { form } = await withDeliveries(1);
    await expectCursorsChecked({ list: ['deliveries', form, {}], real: [newId()], place: [forged.id()] }, (cursor) =>
      find(form, { cursor }),
    );
  });

  it('are for people with a role on the form, and a cursor for its list', async () => {
    const { form } = await withDeliveries(2);
    const { next_cursor: cursor = '' } = await find(form, {}, 1);
    const wrong = refused('bad_request', 'cursor: must be a next_cursor of this list');
    await expect(find(form, { cursor, event: 'submission.created' })).rejects.toEqual(wrong);
    await expect(find((await withDeliveries(1)).form, { cursor })).rejects.toEqual(wrong);
    await expect(find(form, { cursor: 'AAAA' })).rejects.toEqual(wrong);
    await expect(find('nonsense')).rejects.toEqual(refused('not_found'));
    expect(await find(form, { subscription_id: 'nonsense' })).toEqual({ deliveries: [] });
    expect(await find(form, { subscription_id: newId() })).toEqual({ deliveries: [] });
  });
});

describe('the deliveries of a submission', () => {
  /** Two subscriptions to a form with two submissions, of which the first one is deleted. */
  async function withSubmissions() {
    const created = service.subscription();
    const { form_id: form } = created;
    service.subscription({ form_id: form, event: 'submission.deleted' });
    const alsoCreated = service.subscription({ form_id: form });
    const [first, second] = [newId(), newId()];
    const events = [
      service.event(form, { subject: first }),
      service.event(form, { subject: second }),
      service.event(form, { subject: first, type: 'submission.deleted' }),
    ];
    for (const event of events) await service.planAsQuick([event]);
    return { form, created, alsoCreated, first, second, events: events.map(({ id }) => id) };
  }

  it('are found by its reference, and by its id as people paste it: without hyphens, in capitals, among spaces', async () => {
    const { form, first, events } = await withSubmissions();
    const spoken = referenceOf(first);
    for (const pasted of [first.replaceAll('-', ''), ` ${first.toUpperCase()} `, first.replaceAll('-', ' '), spoken, spoken.toLowerCase()])
      expect((await find(form, { submission_id: pasted })).deliveries.map(({ event_id }) => event_id)).toEqual([
        events[2],
        events[0],
        events[0],
      ]);
  });

  it('are found newest first, page by page, without those of others', async () => {
    const { form, first, second, events } = await withSubmissions();
    const [made, other, deleted] = events;
    for (const most of [1, 2, 100]) expect((await inPages(form, { submission_id: first }, most)).found).toEqual([deleted, made, made]);
    expect((await inPages(form, { submission_id: second }, 100, 1)).found).toEqual([other, other]);
  });

  it('can be narrowed down by event, state, subscription and time', async () => {
    const { form, first, events, alsoCreated } = await withSubmissions();
    const found = async (filter: Filter) =>
      (await find(form, { submission_id: first, ...filter })).deliveries.map(({ event_id }) => event_id);
    expect(await found({ event: 'submission.created' })).toEqual([events[0], events[0]]);
    expect(await found({ subscription_id: alsoCreated.id })).toEqual([events[0]]);
    expect(await found({ state: 'pending', event: 'submission.deleted' })).toEqual([events[2]]);
    expect(await found({ state: 'failed' })).toEqual([]);
    expect(await found({ from: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
  });

  it('are those of the form only, and none of an unknown or malformed submission', async () => {
    const { first } = await withSubmissions();
    const other = (await withSubmissions()).form;
    for (const submission_id of [first, newId(), 'nonsense', '']) expect(await find(other, { submission_id })).toEqual({ deliveries: [] });
  });

  it('do not contain changes of several submissions at once, which are those of the form', async () => {
    const { form } = await withSubmissions();
    service.subscription({ form_id: form, event: 'submission.status_changed' });
    await service.planAsQuick([service.event(form, { subject: form, type: 'submission.status_changed' })]);
    expect(await find(form, { submission_id: form })).toEqual({ deliveries: [] });
    expect((await find(form, { event: 'submission.status_changed' })).deliveries).toHaveLength(1);
  });

  it('are read by themselves, however many the form has', async () => {
    const { form, created, first } = await withSubmissions();
    await service.db.transaction(async (trx) => {
      await trx.raw(
        `insert into delivery (id, event_id, subscription_id, form_id, submission_id, state, attempts, created_at)
         select cast(substr(recent, 1, 13) || substr(cast(gen_random_uuid() as text), 14) as uuid), cast(recent as uuid), :subscription, :form,
                gen_random_uuid(), 'succeeded', 1, now()
           from generate_series(1, 5000) cross join (select cast(:recent as text) as recent) as r`,
        { subscription: created.id, form, recent: newId() },
      );
      const { rows: days } = await trx.raw<{ rows: { name: string }[] }>(
        `select relname as name from pg_class where relname ~ '^delivery_[0-9]'`,
      );
      const search = { formId: form, subscriptionId: undefined, submissionId: first, state: 'pending', limit: 10 };
      const as = service.member('viewer');
      const read = await countRowsRead(
        trx,
        days.map(({ name }) => name),
        async () => {
          const { rows } = await findDeliveries({ ...service.deps, db: trx }, { caller: as, call: callAs(as) }, search);
          expect(rows).toHaveLength(3);
        },
      );
      expect(read).toBeLessThan(30);
    });
  });
});

describe('the deliveries with an answer', () => {
  /** A form with a delivery that ended as each of these, oldest first: the statuses of its attempts, null for no answer. */
  async function withAnswers(...answers: [state: string, ...statuses: (number | null)[]][]) {
    const listener = service.subscription();
    const { form_id: form, id: subscription_id } = listener;
    await upsertCopies(service.db, [copyOf(listener)]);
    const ids = answers.map(() => newId());
    for (const [place, [state, ...statuses]] of answers.entries()) {
      const id = ids[place] ?? '';
      await service.db('event').insert({
        id,
        type: 'submission.created',
        instance_id: service.instanceId,
        form_id: form,
        occurred_at: service.clock.now(),
        body: '{}',
      });
      await service.db('delivery').insert({
        id,
        event_id: id,
        subscription_id,
        form_id: form,
        state,
        attempts: statuses.length,
        created_at: service.clock.now(),
        reason: { cancelled: 'ended', failed: statuses.length === 0 ? 'restored' : null }[state] ?? null,
      });
      for (const [index, status] of statuses.entries())
        await service.db('attempt').insert({
          delivery_id: id,
          number: index + 1,
          started_at: service.clock.now(),
          duration_ms: 1,
          status,
          error: status === null ? 'timeout' : status < 300 ? null : 'status',
        });
    }
    return { form, listener, ids };
  }

  it('are found by its status, its class or that there was none, as the newest attempt got it', async () => {
    const { form, listener, ids } = await withAnswers(
      ['succeeded', 503, 200],
      ['failed', 200, 503, 500],
      ['failed', 500, null],
      ['cancelled', 404],
      ['skipped'],
      ['failed'],
      ['pending', 502],
    );
    const found = async (filter: Filter) => (await find(form, filter)).deliveries.map(({ event_id }) => ids.indexOf(event_id));
    expect(await found({ answer: '5xx' })).toEqual([6, 1]);
    expect(await found({ answer: '500' })).toEqual([1]);
    expect(await found({ answer: '503' })).toEqual([]);
    expect(await found({ answer: '2xx' })).toEqual([0]);
    expect(await found({ answer: '404', subscription_id: listener.id })).toEqual([3]);
    expect(await found({ answer: 'none' })).toEqual([2]);
    expect(await found({ answer: '5xx', state: 'failed' })).toEqual([1]);
    expect(await found({ answer: '5xx', state: 'succeeded' })).toEqual([]);
    expect(await found({ reason: 'restored' })).toEqual([5]);
    expect(await found({ reason: 'ended' })).toEqual([3]);
    expect(await found({ reason: 'ended', answer: '5xx' })).toEqual([]);
    for (const most of [1, 2, 3, 100]) {
      const { found: events } = await inPages(form, { answer: '5xx' }, most, 1);
      expect(events).toEqual([ids[6], ids[1]]);
    }
  });

  it('do not contain one whose attempt is in flight, until it is lost', async () => {
    const { form, ids } = await withAnswers(['pending', null]);
    await service.db('attempt').where({ delivery_id: ids[0] }).update({ error: 'interrupted', duration_ms: null });
    expect((await find(form, { answer: 'none' })).deliveries).toEqual([]);
    service.clock.advance(60_000);
    expect((await find(form, { answer: 'none' })).deliveries).toMatchObject([{ id: ids[0] }]);
  });

  it('are those of the form only, also to a webhook of several', async () => {
    const { listener, form } = await withAnswers(['failed', 500]);
    expect((await find(newId(), { subscription_id: listener.id, answer: '5xx' })).deliveries).toEqual([]);
    expect((await find(form, { subscription_id: listener.id, answer: '5xx' })).deliveries).toHaveLength(1);
  });
});

describe('the deliveries to a webhook of a workspace or the instance', () => {
  const list = (id: string, filter: { state?: string; cursor?: string } = {}, limit = 25) =>
    service.client.listWebhookDeliveries(callAs(service.member('owner')), { id, limit, ...filter });

  it('are listed over all forms, newest first, page by page, without those to others', async () => {
    const webhook = service.subscription({ wide: true });
    const other = service.subscription();
    const events: string[] = [];
    for (const form of [newId(), other.form_id, newId()]) {
      const event = service.event(form);
      await service.planAsQuick([event]);
      events.unshift(event.id);
    }
    const first = await list(webhook.id, {}, 2);
    expect(first.deliveries.map(({ event_id }) => event_id)).toEqual(events.slice(0, 2));
    const second = await list(webhook.id, { cursor: first.next_cursor ?? '' }, 2);
    expect(second.deliveries.map(({ event_id }) => event_id)).toEqual(events.slice(2));
    expect(second.next_cursor).toBeUndefined();
    expect((await list(webhook.id)).deliveries[0]).toMatchObject({ subscription_id: webhook.id, url: webhook.url });
    expect((await list(webhook.id, { state: 'failed' })).deliveries).toEqual([]);
  });

  it('are only for those who may read the webhook', async () => {
    const ofForm = service.subscription();
    await expect(list(ofForm.id)).rejects.toEqual(refused('not_found'));
    await expect(list(newId())).rejects.toEqual(refused('not_found'));
  });
});
