import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import type { IDataObject } from 'n8n-workflow';
import { N8n, picked, type Trigger } from '../support/n8n';
import { refusal, ScriptedServer, webhookServer, type WebhookServer } from '../support/servers';
import { signed, signingKey } from '../support/signed';

const webhookBase = 'https://n8n.example.org/webhook';
const url = `${webhookBase}/2f6d8a1b-4c01-4c3e-9f5b-7a00f3b8a1de/webhook`;
const hooks = '/app/v1/forms/form1/webhooks';
const webhook = { id: 'hook1', url, source: 'application', active: true, events: ['submission.created'], payload: 'named' };
const parameters = { formId: picked('form1'), events: ['submission.created'], payload: 'named' };

const server = new ScriptedServer({});
const started = server.start();
after(() => server.close());
beforeEach(() => {
  server.routes = {};
  server.received.length = 0;
});

async function trigger(staticData: IDataObject = {}, base = webhookBase): Promise<Trigger> {
  const n8n = await N8n.with({ url: (await started).url, apiKey: 'shf_u_secret' });
  return n8n.trigger(parameters, base, staticData);
}

/** The data that n8n keeps for the node. */
const keptBy = (formId: string, webhookId: string): { kept: IDataObject; staticData: IDataObject } => {
  const kept: IDataObject = { formId, webhookId };
  return { kept, staticData: { 'node:Sheaf': kept } };
};

describe('activating', () => {
  it('subscribes to the events of the form', async () => {
    server.routes = { [`GET ${hooks}`]: { body: { data: [] } }, [`POST ${hooks}`]: { status: 201, body: webhook } };
    const staticData: IDataObject = {};
    assert.equal(await (await trigger(staticData)).activate(), false);
    assert.deepEqual(server.received.at(-1)?.body, { target_url: url, events: ['submission.created'], payload: 'named' });
    assert.deepEqual(staticData['node:Sheaf'], { formId: 'form1', webhookId: 'hook1' });
  });

  it('leaves a webhook that is there as it is', async () => {
    server.routes = { [`GET ${hooks}/hook1`]: { body: webhook } };
    assert.equal(await (await trigger(keptBy('form1', 'hook1').staticData)).activate(), true);
    assert.deepEqual(server.calls, [`GET ${hooks}/hook1`]);
  });

  it('subscribes again if the webhook is gone', async () => {
    server.routes = { [`POST ${hooks}`]: { status: 201, body: { ...webhook, id: 'hook2' } } };
    const { kept, staticData } = keptBy('form1', 'hook1');
    assert.equal(await (await trigger(staticData)).activate(), false);
    assert.deepEqual(server.calls, [`GET ${hooks}/hook1`, `POST ${hooks}`]);
    assert.equal(kept.webhookId, 'hook2');
  });

  for (const [reason, answer] of Object.entries({
    'a failure of the server': refusal(500, 'internal_error', 'Something went wrong.'),
    'a key without access': refusal(403, 'forbidden', 'You have no access.'),
    'too many requests': refusal(429, 'too_many_requests', 'Wait a moment.'),
    'a proxy without Sheaf behind it': { status: 502, body: Buffer.from('Bad gateway') },
  })) {
    it(`fails for ${reason}, and does not subscribe twice`, async () => {
      server.routes = { [`GET ${hooks}/hook1`]: answer, [`POST ${hooks}`]: { status: 201, body: webhook } };
      const { kept, staticData } = keptBy('form1', 'hook1');
      await assert.rejects((await trigger(staticData)).activate(), { httpCode: String(answer.status) });
      assert.deepEqual(server.calls, [`GET ${hooks}/hook1`]);
      assert.equal(kept.webhookId, 'hook1');
    });
  }

  it('switches an inactive webhook on again', async () => {
    server.routes = { [`GET ${hooks}/hook1`]: { body: { ...webhook, active: false } }, [`PATCH ${hooks}/hook1`]: { body: webhook } };
    assert.equal(await (await trigger(keptBy('form1', 'hook1').staticData)).activate(), true);
    assert.equal((server.received.at(-1)?.body as { active: boolean }).active, true);
  });

  it('changes the webhook if the parameters or the address of n8n have changed', async () => {
    server.routes = {
      [`GET ${hooks}/hook1`]: { body: { ...webhook, url: 'https://old.example.org/1' } },
      [`PATCH ${hooks}/hook1`]: { body: webhook },
    };
    const events = ['submission.created', 'submission.deleted'];
    assert.equal(await (await trigger(keptBy('form1', 'hook1').staticData)).activate({ events, payload: 'contract' }), true);
    assert.deepEqual(server.received.at(-1)?.body, { active: true, target_url: url, events, payload: 'contract' });
  });

  it('takes over the webhook with its address if n8n has lost the id', async () => {
    const others = [
      { ...webhook, id: 'hook0', url: 'https://other.example.org/1' },
      { ...webhook, id: 'hook9', source: 'zapier' },
    ];
    server.routes = { [`GET ${hooks}`]: { body: { data: [...others, webhook] } } };
    const staticData: IDataObject = {};
    assert.equal(await (await trigger(staticData)).activate(), true);
    assert.deepEqual(staticData['node:Sheaf'], { formId: 'form1', webhookId: 'hook1' });
  });

  it('removes the webhook of the form that was picked before', async () => {
    server.routes = {
      'DELETE /app/v1/forms/form0/webhooks/hook0': { status: 204 },
      [`GET ${hooks}`]: { body: { data: [] } },
      [`POST ${hooks}`]: { status: 201, body: webhook },
    };
    const { kept, staticData } = keptBy('form0', 'hook0');
    await (await trigger(staticData)).activate();
    assert.deepEqual(server.calls, ['DELETE /app/v1/forms/form0/webhooks/hook0', `GET ${hooks}`, `POST ${hooks}`]);
    assert.deepEqual(kept, { formId: 'form1', webhookId: 'hook1' });
  });
});

describe('deactivating', () => {
  it('removes the webhook', async () => {
    server.routes = { [`DELETE ${hooks}/hook1`]: { status: 204 } };
    const { kept, staticData } = keptBy('form1', 'hook1');
    assert.equal(await (await trigger(staticData)).deactivate(), true);
    assert.deepEqual(kept, {});
  });

  it('is done if the webhook is gone', async () => {
    const { kept, staticData } = keptBy('form1', 'hook1');
    assert.equal(await (await trigger(staticData)).deactivate(), true);
    assert.deepEqual(server.calls, [`DELETE ${hooks}/hook1`]);
    assert.deepEqual(kept, {});
  });

  it('fails if Sheaf does, and keeps the id', async () => {
    server.routes = { [`DELETE ${hooks}/hook1`]: refusal(503, 'internal_error', 'Try again.') };
    const { kept, staticData } = keptBy('form1', 'hook1');
    await assert.rejects((await trigger(staticData)).deactivate(), { message: 'Try again.' });
    assert.equal(kept.webhookId, 'hook1');
  });
});

describe('a request to the webhook', () => {
  const key = signingKey();
  // Spaces, which parsing and writing again would lose.
  const body = Buffer.from('{ "event": "submission.created", "form_id": "form1" }');
  let receiver: WebhookServer;

  beforeEach(async () => {
    // Another path for each test, so that none uses the keys that another one has fetched.
    receiver = await webhookServer(() => receiving);
    receiving = await trigger({}, receiver.url);
    server.routes = { 'GET /.well-known/webhook-keys.json': { body: { keys: [key.public] } } };
  });
  afterEach(() => receiver.close());
  let receiving: Trigger;

  const send = ({ headers }: { headers: Record<string, string> }, content = body) =>
    fetch(receiver.url, { method: 'POST', body: content, headers: { 'content-type': 'application/json', ...headers } });

  it('with a valid signature starts the workflow with the body and the id of the delivery', async () => {
    const response = await send(signed(key, body, Date.now()));
    assert.equal(response.status, 200);
    assert.deepEqual(receiver.outcomes[0]?.data.workflowData, [
      [{ json: { event: 'submission.created', form_id: 'form1', delivery_id: 'delivery1' } }],
    ]);
  });

  it('with a forged body, an old time or no signature is refused with 401, and starts nothing', async () => {
    const genuine = signed(key, body, Date.now());
    const responses = [
      await send(genuine, Buffer.from('{"event":"submission.created","form_id":"form2"}')),
      await send(signed(key, body, Date.now() - 600_000)),
      await send(signed(signingKey(), body, Date.now())),
      await send({ headers: {} }),
    ];
    assert.deepEqual(
      responses.map(({ status }) => status),
      [401, 401, 401, 401],
    );
    for (const { data } of receiver.outcomes) assert.deepEqual(data, { noWebhookResponse: true });
  });
});

describe('a request to the webhook while the keys cannot be had', () => {
  it('fails, so that Sheaf tries again', async () => {
    const key = signingKey();
    const body = Buffer.from('{}');
    const n8n = await N8n.with({ url: 'http://127.0.0.1:1', apiKey: 'shf_u_secret' });
    const receiver = await webhookServer(() => n8n.trigger(parameters, webhookBase));
    const { headers } = signed(key, body, Date.now());
    const response = await fetch(receiver.url, { method: 'POST', body, headers });
    await receiver.close();
    assert.equal(response.status, 500);
  });
});
