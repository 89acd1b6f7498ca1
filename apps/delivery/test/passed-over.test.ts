import { newId } from '@sheaf/kernel';
import type { WebhookOptions } from '@sheaf/contracts';
import { callAs } from '@sheaf/testing';
import * as queries from '../src/planning/passed-over.queries';
import { bringBackPassedOver } from '../src/planning/passed-over';
import type { Listener } from '../src/planning/remembered-listeners';
import { recordRestore } from '../src/restored/record-restore';
import { startService, type Service } from './support/service';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  await service.reset();
  await service.db('passed_over').delete();
});
afterAll(() => service.stop());

const secret = 'Bearer 5f2b-very-secret';
async function withOptions(changes: Partial<Listener> = {}): Promise<Listener> {
  const { headers } = await service.client.sealHeaders(callAs(service.member('owner')), {
    headers: [{ name: 'Authorization', value: secret }],
  });
  const options: WebhookOptions = { headers: headers.map(({ name, sealed }) => ({ name, sealed })) };
  return service.subscription({ options, ...changes });
}

/** Our copy as a process of the version before writes it: `hooks` tells it that the webhook is inactive, and it knows no columns of options. */
const copiedByTheVersionBefore = ({ id, instance_id, form_id, url, revision, payload }: Listener) =>
  service.db('subscription').insert({ id, instance_id, form_id, url, state: 'inactive', revision, payload }).onConflict('id').merge();

/** Plans events as a process of the version before, to which the subscription is inactive. @returns their bodies */
async function skippedByTheVersionBefore({ id, form_id }: Listener, times: number): Promise<string[]> {
  const events = Array.from({ length: times }, (_, n) => service.event(form_id, { body: `{"event":"submission.created","n":${n}}` }));
  for (const event of events) {
    await service.db('event').insert({
      id: event.id,
      type: event.type,
      instance_id: event.instanceId,
      form_id,
      occurred_at: event.occurredAt,
      body: event.body,
    });
    const at = service.clock.now();
    const of = { id: newId(), event_id: event.id, subscription_id: id, form_id, submission_id: event.subject };
    await service.db('delivery').insert({ ...of, state: 'skipped', attempts: 0, created_at: at, settled_at: at, reason: null });
  }
  return events.map(({ body }) => body);
}

const states = async (subscription: Listener) => (await service.deliveries(subscription)).map(({ state }) => state);
const bringBack = () => bringBackPassedOver(service.deps);
async function sent(subscription: Listener) {
  await service.markQuick(subscription);
  while ((await service.run()) > 0);
  return service.subscriber.received.map(({ body, headers }) => ({ body, authorization: headers.authorization }));
}
const withSecret = (bodies: readonly string[]) => bodies.map((body) => ({ body, authorization: secret }));

describe('a delivery that the version before skipped because it knows no options', () => {
  it('is sent with them, once, in its order, though several processes bring it back', async () => {
    const webhook = await withOptions();
    await service.planEvents(webhook);
    await sent(webhook);
    const bodies = await skippedByTheVersionBefore(webhook, 3);
    expect(await states(webhook)).toEqual(['succeeded', 'skipped', 'skipped', 'skipped']);

    const brought = await Promise.all([
      bringBack(),
      bringBackPassedOver(service.otherProcess()),
      bringBackPassedOver(service.otherProcess()),
    ]);
    expect(brought.reduce((sum, count) => sum + count)).toBe(3);
    expect((await sent(webhook)).slice(1)).toEqual(withSecret(bodies));
    expect(await bringBack()).toBe(0);
    expect(await sent(webhook)).toHaveLength(4);
    expect(await states(webhook)).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded']);
    expect(await service.db('passed_over')).toEqual([]);
  });

  it('is brought back also if only that version has heard of the webhook, without another event', async () => {
    const webhook = await withOptions();
    await copiedByTheVersionBefore(webhook);
    const bodies = await skippedByTheVersionBefore(webhook, 2);
    expect(await bringBack()).toBe(2);
    expect(await sent(webhook)).toEqual(withSecret(bodies));
  });

  it('is not lost by a process that dies while it brings it back', async () => {
    const webhook = await withOptions();
    await service.planEvents(webhook);
    await sent(webhook);
    const bodies = await skippedByTheVersionBefore(webhook, 2);
    await expect(
      service.db.transaction(async (trx) => {
        const found = await queries.lockJudgeable(trx, 10);
        const deliveries = found.map(({ delivery_id: id }) => id);
        expect(found).toHaveLength(2);
        await queries.bringBack(trx, service.clock, { deliveries, subscriptions: [webhook.id] });
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    expect(await bringBack()).toBe(2);
    expect((await sent(webhook)).slice(1)).toEqual(withSecret(bodies));
  });

  it('is not sent again if somebody has sent it meanwhile', async () => {
    const webhook = await withOptions();
    await service.planEvents(webhook);
    await sent(webhook);
    await skippedByTheVersionBefore(webhook, 1);
    const id = (await service.deliveries(webhook))[1]?.id ?? '';
    await service.client.redeliver(callAs(service.member('editor')), { form_id: webhook.form_id, id });
    await sent(webhook);
    expect(await bringBack()).toBe(0);
    expect(await sent(webhook)).toHaveLength(2);
  });

  it('is held back after a restore, because the lost system may have sent it', async () => {
    const webhook = await withOptions();
    await service.planEvents(webhook);
    await sent(webhook);
    await skippedByTheVersionBefore(webhook, 1);
    await recordRestore(service.db, service.clock.now());
    expect(await bringBack()).toBe(0);
    await expect(service.deliveries(webhook)).resolves.toMatchObject([{}, { state: 'failed', reason: 'restored' }]);
  });
});

describe('a delivery that was skipped because its webhook was switched off', () => {
  it('stays so, whichever version skipped it, and also when the webhook is on again', async () => {
    const off = await withOptions({ active: false });
    await service.planEvents(off);
    await skippedByTheVersionBefore(off, 1);
    const unheard = await withOptions({ active: false });
    await copiedByTheVersionBefore(unheard);
    await skippedByTheVersionBefore(unheard, 1);
    expect(await bringBack()).toBe(0);
    for (const webhook of [off, unheard]) {
      service.subscription({ ...webhook, active: true, revision: 2 });
      await service.planEvents(webhook);
    }
    expect(await bringBack()).toBe(0);
    expect([await states(off), await states(unheard)]).toEqual([
      ['skipped', 'skipped', 'pending'],
      ['skipped', 'pending'],
    ]);
  });

  it('stays so if the webhook has changed before anybody learned whether it was on', async () => {
    const webhook = await withOptions({ revision: 2 });
    await copiedByTheVersionBefore({ ...webhook, revision: 1 });
    await skippedByTheVersionBefore(webhook, 1);
    expect(await bringBack()).toBe(0);
    expect(await states(webhook)).toEqual(['skipped']);
    expect(await service.db('passed_over')).toEqual([]);
  });
});
