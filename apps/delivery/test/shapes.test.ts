import { newId } from '@sheaf/kernel';
import { Deliveries } from '@sheaf/rpc';
import { findUncheckedRequests } from '@sheaf/testing';
import { startService } from './support/service';

const form_id = newId();
const page = { form_id, limit: 10, offset: 0 };
const [from, to] = ['2026-05-01T00:00:00Z', '2026-05-02T00:00:00Z'];

const invalidRanges: [
  string,
  { form_id: string; from: string; to: string; state?: string; limit?: number; cursor?: string; subscription_id?: string },
][] = [
  ['state', { form_id, from, to, state: 'pending' }],
  ['from', { form_id, from: 'yesterday', to }],
  ['to', { form_id, from, to: '' }],
  ['to', { form_id, from: to, to: from }],
  ['to', { form_id, from, to: '2026-06-02T00:00:00Z' }],
  ['limit', { form_id, from, to, limit: 1_001 }],
  ['cursor', { form_id, from, to, cursor: 'AAAA' }],
  ['subscription_id', { form_id, from, to, subscription_id: 'x'.repeat(65) }],
];

it('refuses unknown values and wrong shapes in the request of every method, and names the field', async () => {
  const service = await startService();
  const found = await findUncheckedRequests(service.client, Deliveries, {
    listDeliveries: [
      ['state', { ...page, state: 'lost' }],
      ['limit', { ...page, limit: 101 }],
      ['offset', { ...page, offset: -1 }],
      ['subscription_id', { ...page, subscription_id: 'x'.repeat(65) }],
    ],
    listDeliveryAttempts: [
      ['from', { form_id, limit: 10, from: 'yesterday' }],
      ['limit', { form_id, limit: 101 }],
      ['cursor', { form_id, limit: 10, cursor: 'x'.repeat(1_001) }],
      ['subscription_id', { form_id, limit: 10, subscription_id: 'x'.repeat(65) }],
    ],
    findDeliveries: [
      ['event', { form_id, limit: 10, event: 'form.changed' }],
      ['answer', { form_id, limit: 10, answer: '6xx' }],
      ['answer', { form_id, limit: 10, answer: '50' }],
      ['reason', { form_id, limit: 10, reason: 'bored' }],
      ['state', { form_id, limit: 10, state: 'lost' }],
      ['from', { form_id, limit: 10, from: 'yesterday' }],
      ['to', { form_id, limit: 10, to: '' }],
      ['limit', { form_id, limit: 101 }],
      ['cursor', { form_id, limit: 10, cursor: 'x'.repeat(1_001) }],
      ['subscription_id', { form_id, limit: 10, subscription_id: 'x'.repeat(65) }],
      ['submission_id', { form_id, limit: 10, submission_id: 'x'.repeat(65) }],
    ],
    listWebhookDeliveries: [
      ['event', { id: form_id, limit: 10, event: 'form.changed' }],
      ['answer', { id: form_id, limit: 10, answer: '2x' }],
      ['reason', { id: form_id, limit: 10, reason: 'bored' }],
      ['from', { id: form_id, limit: 10, from: 'yesterday' }],
      ['to', { id: form_id, limit: 10, to: '' }],
      ['state', { id: form_id, limit: 10, state: 'lost' }],
      ['limit', { id: form_id, limit: 101 }],
      ['cursor', { id: form_id, limit: 10, cursor: 'x'.repeat(1_001) }],
    ],
    getWebhookHealth: [],
    getDelivery: [],
    testWebhook: [
      ['event', { form_id, id: form_id, event: 'form.exploded' }],
      ['sample_form_id', { id: form_id, sample_form_id: 'x'.repeat(65) }],
    ],
    receiveFormEvents: [
      ['events', { form_id, listener_id: form_id, events: [], received: [] }],
      ['events.0', { form_id, listener_id: form_id, events: ['form.exploded'], received: [] }],
      ['payload', { form_id, listener_id: form_id, events: ['submission.created'], payload: 'short', received: [] }],
      ['fields', { form_id, listener_id: form_id, events: ['submission.created'], received: [], fields: Buffer.from('["a","a"]') }],
      ['link_origin', { form_id, listener_id: form_id, events: ['submission.created'], received: [], link_origin: 'x'.repeat(2_001) }],
      ['received.0', { form_id, listener_id: form_id, events: ['submission.created'], received: ['x'.repeat(65)] }],
    ],
    endFormListener: [],
    redeliver: [],
    redeliverMany: invalidRanges,
    countRedeliverable: invalidRanges,
    makeSecret: [],
    sealHeaders: [
      ['headers.0', { headers: [{ name: 'Host', value: 'x' }] }],
      ['headers.0', { headers: [{ name: 'X-Key' }] }],
    ],
    listWebhookKeys: [],
    rotateWebhookKeys: [],
  });
  await service.stop();
  expect(found).toEqual([]);
});
