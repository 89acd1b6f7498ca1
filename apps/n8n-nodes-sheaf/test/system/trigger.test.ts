import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { N8n, picked, type Trigger } from '../support/n8n';
import { webhookServer, type WebhookServer } from '../support/servers';
import { connection, publishForm, request, submit } from '../support/sheaf';

interface Webhook {
  id: string;
  active: boolean;
  url: string;
  events: string[];
  payload: string;
}

let n8n: N8n;
let receiver: WebhookServer;
let trigger: Trigger;
let formId: string;
let kept: IDataObject;
before(async () => {
  n8n = await N8n.with(connection);
  receiver = await webhookServer(() => trigger);
});
after(() => receiver.close());
beforeEach(async () => {
  formId = await publishForm('Order', [
    { key: 'name', label: 'Your name', type: 'short_text', required: true },
    { key: 'colour', label: 'Colour', type: 'select', options: [{ value: 'red', label: 'Deep red' }] },
  ]);
  kept = {};
  receiver.outcomes.length = 0;
  trigger = triggerOf({});
});

const triggerOf = (more: INodeParameters): Trigger =>
  n8n.trigger({ formId: picked(formId), events: ['submission.created'], payload: 'named', ...more }, receiver.url, { 'node:Sheaf': kept });
const webhooks = async (): Promise<Webhook[]> => (await request<{ data: Webhook[] }>('GET', `/app/v1/forms/${formId}/webhooks`)).data;
const items = (): IDataObject[] => receiver.outcomes.flatMap(({ data }) => data.workflowData?.flat() ?? []).map(({ json }) => json);

describe('the Sheaf trigger with a running system', () => {
  it('starts a workflow with a new submission and the names of its answers', async () => {
    assert.equal(await trigger.activate(), false);
    const id = await submit(formId, { name: 'Ada', colour: 'red' });
    await receiver.arrived(1);
    const [item] = items();
    assert.equal((item?.submission as IDataObject).id, id);
    assert.deepEqual(item?.data, { name: 'Ada', colour: 'red' });
    const { colour } = item.answers as Record<string, IDataObject>;
    assert.deepEqual(
      { label: colour?.label, value: colour?.value, text: colour?.text },
      { label: 'Colour', value: 'red', text: 'Deep red' },
    );
    assert.equal(typeof item.delivery_id, 'string');
    assert.equal(receiver.outcomes[0]?.status, 200);
  });

  it('receives several events, in the shape of the API', async () => {
    trigger = triggerOf({ events: ['submission.created', 'submission.status_changed', 'submission.deleted'], payload: 'contract' });
    await trigger.activate();
    const id = await submit(formId, { name: 'Ada' });
    await receiver.arrived(1);
    await request('PATCH', `/api/v1/forms/${formId}/submissions/${id}/status`, { status: 'approved' });
    await receiver.arrived(2);
    await request('DELETE', `/api/v1/forms/${formId}/submissions/${id}`);
    await receiver.arrived(3);
    assert.deepEqual(
      items()
        .map(({ delivery_id: _, occurred_at: __, ...event }) => event)
        .slice(1),
      [
        { event: 'submission.status_changed', form_id: formId, submission_id: id, previous_status: 'new', new_status: 'approved' },
        { event: 'submission.deleted', form_id: formId, submission_id: id },
      ],
    );
    assert.equal(items()[0]?.answers, undefined);
  });

  it('starts workflows with corrections, restorations and verdicts about spam', async () => {
    const events = ['submission.corrected', 'submission.restored', 'submission.spam_changed'];
    trigger = triggerOf({ events, payload: 'contract' });
    await trigger.activate();
    const id = await submit(formId, { name: 'Ada' });
    const place = `/app/v1/forms/${formId}/submissions/${id}`;
    await request('PATCH', place, { data: { name: 'Grace' }, revision: 0 });
    await receiver.arrived(1);
    await request('DELETE', `/api/v1/forms/${formId}/submissions/${id}`);
    await request('POST', `${place}/restore`);
    await receiver.arrived(2);
    await request('PUT', `${place}/spam`, { spam: true });
    await receiver.arrived(3);
    assert.deepEqual(
      items().map(({ event, submission_id, changed, spam }) => ({ event, submission_id, changed, spam })),
      [
        { event: 'submission.corrected', submission_id: id, changed: ['name'], spam: undefined },
        { event: 'submission.restored', submission_id: id, changed: undefined, spam: undefined },
        { event: 'submission.spam_changed', submission_id: id, changed: undefined, spam: true },
      ],
    );
  });

  it('has one webhook, however often the workflow is activated, and none afterwards', async () => {
    await trigger.activate();
    assert.equal(await trigger.activate(), true);
    // As after the loss of n8n's database.
    Object.assign(kept, { formId: undefined, webhookId: undefined });
    assert.equal(await trigger.activate(), true);
    assert.equal((await webhooks()).length, 1);

    await trigger.deactivate();
    assert.deepEqual(await webhooks(), []);
    assert.equal(await trigger.deactivate(), true);
  });

  it('switches a webhook on that somebody switched off, and changes it with its parameters', async () => {
    await trigger.activate();
    const [created] = await webhooks();
    await request('PATCH', `/app/v1/forms/${formId}/webhooks/${created?.id ?? ''}`, { active: false });
    assert.equal(await trigger.activate({ events: ['submission.deleted'], payload: 'contract' }), true);
    const [changed] = await webhooks();
    assert.deepEqual(
      { id: changed?.id, active: changed?.active, events: changed?.events, payload: changed?.payload },
      { id: created?.id, active: true, events: ['submission.deleted'], payload: 'contract' },
    );
  });

  it('subscribes again if the webhook was deleted', async () => {
    await trigger.activate();
    const [created] = await webhooks();
    await request('DELETE', `/app/v1/forms/${formId}/webhooks/${created?.id ?? ''}`);
    assert.equal(await trigger.activate(), false);
    assert.equal((await webhooks()).length, 1);
  });

  it('refuses what Sheaf did not send', async () => {
    await trigger.activate();
    const response = await fetch(receiver.url, { method: 'POST', body: '{"event":"submission.created"}' });
    assert.equal(response.status, 401);
    assert.deepEqual(items(), []);
  });

  it('receives a test, and verifies it like a real event', async () => {
    await trigger.activate();
    const [created] = await webhooks();
    const path = `/app/v1/forms/${formId}/webhooks/${created?.id ?? ''}/test`;
    const tested = await request<{ delivered: boolean; status: number }>('POST', path, { event: 'submission.created' });
    assert.deepEqual({ delivered: tested.delivered, status: tested.status }, { delivered: true, status: 200 });
    assert.deepEqual(Object.keys(items()[0]?.answers as object), ['name', 'colour']);
  });
});
