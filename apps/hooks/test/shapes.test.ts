import { newId } from '@sheaf/kernel';
import { Hooks } from '@sheaf/rpc';
import { TestClock, findUncheckedRequests } from '@sheaf/testing';
import { startService } from './service';

const id = newId();
const target_url = 'https://hooks.example.org/in';
const event = 'submission.created';

const creations: [string, object][] = [
  ['event', { form_id: id, target_url }],
  ['events', { form_id: id, target_url, event, events: [event] }],
  ['events', { form_id: id, target_url, events: [event, event] }],
  ['events.0', { form_id: id, target_url, events: ['form.exploded'] }],
  ['payload', { form_id: id, target_url, event, payload: 'secret' }],
  ['retry', { form_id: id, target_url, event, retry: 'for_ever' }],
  ['signature', { form_id: id, target_url, event, signature: 'v2' }],
  ['sealed_secret', { form_id: id, target_url, event, signature: 'v1', sealed_secret: 'x'.repeat(1_025) }],
  ['link_origin', { form_id: id, target_url, event, link_origin: 'somewhere' }],
  ['event', { form_id: id, target_url, event: 'form.exploded' }],
  ['target_url', { form_id: id, target_url: 'x'.repeat(2_049), event }],
  ['filter', { form_id: id, target_url, event, filter: 'x' }],
  ['filter', { form_id: id, target_url, event, filter: '{}' }],
  ['fields', { form_id: id, target_url, event, fields: '{}' }],
  ['batch.max_seconds', { form_id: id, target_url, event, batch: '{"max_seconds":0}' }],
  ['sealed_headers.headers.0', { form_id: id, target_url, event, sealed_headers: { headers: [{ name: 'Host', sealed: 's1.x' }] } }],
];
const changes: [string, object][] = [
  ['events', { form_id: id, id, event, events: [event] }],
  ['payload', { form_id: id, id, payload: 'secret' }],
  ['retry', { form_id: id, id, retry: 'for_ever' }],
  ['signature', { form_id: id, id, signature: 'v2' }],
  ['sealed_secret', { form_id: id, id, sealed_secret: 'x'.repeat(1_025) }],
  ['link_origin', { form_id: id, id, link_origin: 'somewhere' }],
  ['event', { form_id: id, id, event: 'form.exploded' }],
  ['target_url', { form_id: id, id, target_url: '' }],
  ['filter', { form_id: id, id, filter: '{}' }],
  ['fields', { form_id: id, id, fields: '["a","a"]' }],
  ['batch', { form_id: id, id, batch: 'x' }],
  ['sealed_headers.headers', { form_id: id, id, sealed_headers: { headers: [{ name: 'a' }, { name: 'A' }] } }],
];

it('refuses unknown values and wrong shapes in the request of every method, and names the field', async () => {
  const { client, stop } = await startService(new TestClock(), new Map());
  const found = await findUncheckedRequests(client, Hooks, {
    subscribe: [
      ['event', { form_id: id, target_url, event: 'form.exploded', source: 'zapier' }],
      ['target_url', { form_id: id, target_url: '', event, source: 'zapier' }],
      ['source', { form_id: id, target_url, event, source: 'somebody' }],
      ['form_id', { form_id: '', target_url, event, source: 'zapier' }],
    ],
    unsubscribe: [],
    listWebhooks: [],
    getWebhook: [],
    getWebhookTarget: [],
    listOwnHooks: [
      ['limit', { limit: 0 }],
      ['cursor', { limit: 1, cursor: 'x' }],
    ],
    createWebhook: creations,
    createWebhookWithOptions: creations,
    updateWebhook: changes,
    updateWebhookWithOptions: changes,
    deleteWebhook: [],
    listListeners: [
      ['topics.0.event', { topics: [{ instance_id: id, form_id: id, event: 'form.exploded' }] }],
      ['places.0.form_id', { topics: [], places: [{ form_id: 'x', workspace_id: id }] }],
      ['places.0.workspace_id', { topics: [], places: [{ form_id: id, workspace_id: '' }] }],
      ['topics.0.form_id', { topics: [{ instance_id: id, form_id: 'x', event }] }],
      [
        'topics.1.instance_id',
        {
          topics: [
            { instance_id: id, form_id: id, event },
            { form_id: id, event },
          ],
        },
      ],
    ],
  });
  await stop();
  expect(found).toEqual([]);
});
