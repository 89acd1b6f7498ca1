import type { WebhookOptions } from '@sheaf/contracts';
import { newId, Problem } from '@sheaf/kernel';
import { aServiceAccount, callAs, eventually, refused } from '@sheaf/testing';
import { Webhook } from 'standardwebhooks';
import { Attempts } from '../src/attempts/attempts';
import { hiddenValue } from '../src/attempts/own-headers';
import { followSubscriptions } from '../src/subscriptions/follow-subscriptions';
import { claimDue, leaseMs } from '../src/attempts/claims.queries';
import { Slots } from '../src/attempts/slots';
import { plan } from '../src/planning/plan';
import type { Listener } from '../src/planning/remembered-listeners';
import { startService, type Service } from './support/service';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => service.reset());

const secret = 'Bearer 5f2b-very-secret';
const seal = async (headers: Record<string, string>): Promise<WebhookOptions> => ({
  headers: (
    await service.client.sealHeaders(callAs(service.member('owner')), {
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    })
  ).headers.map(({ name, sealed }) => ({ name, sealed })),
});
const withHeaders = async (headers: Record<string, string> = { Authorization: secret, 'X-Env': 'test' }): Promise<Listener> =>
  service.subscription({ options: await seal(headers) });
const logOf = async (listener: Listener) => {
  const [delivery] = await service.deliveries(listener);
  return service.client.getDelivery(callAs(service.member('owner')), { form_id: listener.form_id, id: delivery?.id ?? '' });
};

it('headers of its own are sent at every attempt, beside those of Sheaf, and never shown', async () => {
  const listener = await withHeaders();
  service.subscriber.answer(({ headers }) => ({ status: 500, body: `no such token: ${headers.authorization} or 5f2b-very-secret` }));
  await service.planEvents(listener);
  await service.run();
  service.clock.advance(4_000);
  service.subscriber.answer(200);
  await service.run();

  expect(service.subscriber.received).toHaveLength(2);
  for (const { headers } of service.subscriber.received)
    expect(headers).toMatchObject({ authorization: secret, 'x-env': 'test', 'content-type': 'application/json' });
  const shown = await logOf(listener);
  expect(shown.attempts).toHaveLength(2);
  for (const { headers } of shown.attempts)
    expect(headers).toMatchObject({ Authorization: hiddenValue, 'X-Env': hiddenValue, 'X-Webhook-Event': 'submission.created' });
  expect(shown.attempts[0]?.response?.body).toBe(`no such token: ${hiddenValue} or ${hiddenValue}`);
  const stored = JSON.stringify(
    await Promise.all(['attempt', 'delivery', 'event', 'subscription', 'sealing_key'].map((table) => service.db(table))),
  );
  expect(stored).not.toContain('very-secret');
});

it('a receiver that accepts the request and repeats its headers gives none of them away, however it quotes them', async () => {
  const value = 'Bearer 5f2b"xyzzy\\secret/5';
  const listener = service.subscription({ options: await seal({ Authorization: value }) });
  service.subscriber.answer(({ headers }) => ({
    status: 200,
    headers: { 'x-request-id': `for ${String(headers.authorization)}` },
    body: `${JSON.stringify(headers)} ${encodeURIComponent(String(headers.authorization))}`,
  }));
  await service.planEvents(listener);
  await service.run();
  const { response } = (await logOf(listener)).attempts[0] ?? {};
  expect(response?.headers).toEqual({ 'x-request-id': `for ${hiddenValue}` });
  expect(response?.body).toContain(hiddenValue);
  expect(JSON.stringify(await service.db('attempt'))).not.toContain('xyzzy');
});

it('a response that is cut in the middle of a value gives none of it away', async () => {
  const listener = await withHeaders();
  service.subscriber.answer({ status: 500, body: `${'x'.repeat(2_048 - 15)}${secret}` });
  await service.planEvents(listener);
  await service.run();
  const { attempts } = await logOf(listener);
  expect(attempts[0]?.response?.body).toMatch(new RegExp(`^x+${hiddenValue}$`));
});

it('a first attempt that begins while it is planned has them too', async () => {
  const listener = await withHeaders();
  await service.planEvents(listener);
  await service.markQuick(listener);
  await service.run();
  await service.db('turn').where({ subscription_id: listener.id }).update({ due_at: null });
  const attempts = new Attempts(service.deps);
  await plan(service.deps, [service.event(listener.form_id)], attempts);
  await attempts.idle();
  await eventually(() => expect(service.subscriber.received).toHaveLength(2));
  expect(service.subscriber.received[1]?.headers.authorization).toBe(secret);
});

it('a test of a webhook sends them, and shows their names', async () => {
  const form_id = newId();
  const id = newId();
  service.neighbours.forms.fields.set(`${form_id} latest`, []);
  const options = JSON.stringify(await seal({ Authorization: secret }));
  const url = `${service.subscriber.url}/hook`;
  service.neighbours.hooks.targets.set(id, { form_id, events: ['submission.created'], url, payload: 'contract', options });
  service.subscriber.answer(({ headers }) => ({ status: 403, body: `bad: ${headers.authorization}` }));
  const result = await service.client.testWebhook(callAs(service.member('owner')), { id });
  expect(service.subscriber.received[0]?.headers.authorization).toBe(secret);
  expect(result.request?.headers).toMatchObject({ Authorization: hiddenValue, 'Sheaf-Test': '1' });
  expect(result.response?.body).toBe(`bad: ${hiddenValue}`);
});

it('nothing is sent without the headers while they cannot be opened', async () => {
  const listener = service.subscription({ options: { headers: [{ name: 'Authorization', sealed: 's1.AAAA' }] } });
  await service.planEvents(listener);
  await service.run();
  expect(service.subscriber.received).toEqual([]);
  await expect(service.deliveries(listener)).resolves.toMatchObject([{ state: 'pending', attempts: 0 }]);
});

describe('a process of the version before, which knows no options,', () => {
  const lookAsBefore = async () => {
    const { look } = { look: new Slots(service.deps.settings).look() };
    const [row] = (
      await service.db.raw<{ rows: { claims: unknown; next_at: Date | null; waiting: string[] }[] }>(
        `select claims, next_at, waiting from look_for_due(now(), now() + interval '15 s', '{4000}', 'interrupted', cast(? as jsonb), '{}', '{}', '{}', '{}', 1000)`,
        [JSON.stringify(look.lanes)],
      )
    ).rows;
    return row;
  };
  const stateAsBefore = ({ id }: Listener) => service.db<{ id: string; state: string }>('subscription').where({ id }).first('state');

  it('claims nothing of a webhook with options, and leaves it to others', async () => {
    const listener = await withHeaders();
    await service.planEvents(listener);
    await service.db('turn').update({ due_at: new Date(0) });
    await service.db('queue').update({ next_attempt_at: new Date(0) });
    expect(await lookAsBefore()).toEqual({ claims: null, next_at: null, waiting: [] });
    expect(await stateAsBefore(listener)).toEqual({ state: 'inactive' });
    const { claims } = await service.db.transaction((trx) =>
      claimDue(trx, {
        clock: service.clock,
        look: new Slots(service.deps.settings).look(),
        leaseMs: leaseMs(service.deps.settings),
        retryDelaysMs: [],
      }),
    );
    expect(claims).toMatchObject([{ subscription_id: listener.id, options: listener.options }]);
  });

  it('claims what has none', async () => {
    const listener = service.subscription();
    await service.planEvents(listener);
    await service.db('turn').update({ due_at: new Date(0) });
    await service.db('queue').update({ next_attempt_at: new Date(0) });
    expect((await lookAsBefore())?.claims).toMatchObject([{ subscription_id: listener.id }]);
  });

  it('may have changed a copy without the options: the next event brings them back', async () => {
    const listener = await withHeaders();
    // As it writes a new revision that hooks tells of: it reads "inactive", and knows no columns of options.
    await service.planEvents(listener);
    await service.run();
    await service.db('subscription').where({ id: listener.id }).update({ revision: 2, state: 'inactive' });
    Object.assign(listener, { revision: 2 });
    await service.planEvents(listener);
    await service.run();
    expect(service.subscriber.received.map(({ headers }) => headers.authorization)).toEqual([secret, secret]);
  });
});

it('a change that hooks tells of brings the options, and a deletion removes them', async () => {
  const listener = await withHeaders();
  const told = (body: object, revision: number) =>
    service.event(listener.form_id, {
      type: 'subscription.changed',
      subject: listener.id,
      body: JSON.stringify({
        id: listener.id,
        form_id: listener.form_id,
        event: listener.event,
        events: listener.events,
        url: listener.url,
        revision,
        ...body,
      }),
    });
  await followSubscriptions(service.deps, [
    told({ state: 'inactive', state_with_options: 'active', options: JSON.stringify(listener.options) }, 1),
  ]);
  await service.planEvents(listener);
  await service.run();
  expect(service.subscriber.received).toHaveLength(1);
  await followSubscriptions(service.deps, [told({ state: 'deleted', options: '' }, 2)]);
  await expect(service.db('subscription').where({ id: listener.id })).resolves.toMatchObject([{ state: 'deleted', options: null }]);
});

it('a webhook with an option of a later version is off: nothing is sent without it, and nothing is lost', async () => {
  const listener = service.subscription({ options: { later: true } as unknown as WebhookOptions });
  await service.planEvents(listener);
  await service.run();
  expect(service.subscriber.received).toEqual([]);
  await expect(service.deliveries(listener)).resolves.toMatchObject([{ state: 'skipped' }]);
});

it('a 410 ends a webhook with headers as any other', async () => {
  const listener = await withHeaders();
  service.subscriber.answer(410);
  await service.planEvents(listener);
  await service.run();
  await expect(service.db('subscription').where({ id: listener.id })).resolves.toMatchObject([
    { state: 'inactive', options_state: 'inactive' },
  ]);
});

it('values are sealed for those who may manage webhooks, and checked again', async () => {
  const as = (caller: Parameters<typeof callAs>[0], headers: { name: string; value: string }[]) =>
    service.client.sealHeaders(callAs(caller), { headers });
  await expect(
    as(aServiceAccount({ instanceId: service.instanceId, scopes: ['forms:read'] }), [{ name: 'X-Key', value: 'x' }]),
  ).rejects.toMatchObject({
    code: 'insufficient_scope',
  });
  await expect(as({ kind: 'service', id: 'hooks' }, [{ name: 'X-Key', value: 'x' }])).rejects.toBeInstanceOf(Problem);
  await expect(as(service.member('owner'), [{ name: 'Host', value: 'x' }])).rejects.toEqual(
    refused('bad_request', 'headers.0: Host: Sheaf or the connection sets this header, so it cannot be chosen'),
  );
});

it('each attempt and each sample is signed with the secret of the webhook too, which is in no log', async () => {
  const { secret, sealed } = await service.client.makeSecret(callAs(service.member('owner')), {});
  const listener = service.subscription({ options: { secrets: [{ sealed }] } });
  await service.planEvents(listener);
  await service.run();
  const [request] = service.subscriber.received;
  const {
    'webhook-id': id = '',
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures,
  } = (request?.headers ?? {}) as Record<string, string>;
  const expected = new Webhook(secret).sign(id, new Date(Number(timestamp) * 1_000), request?.body ?? '');
  expect(signatures?.split(' ')).toEqual([expect.stringMatching(/^v1a,/), expected]);
  expect(JSON.stringify(await logOf(listener))).not.toContain(secret.slice('whsec_'.length));
});
