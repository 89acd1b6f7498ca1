import { Deliveries } from '@sheaf/rpc';
import { methodsForSessions, scopesByMethod } from '@sheaf/testing';
import { startService } from './support/service';

// The same scopes as in the application's own interface.
it('grants a service account the methods of its scopes, and none without a scope', async () => {
  const service = await startService();
  const manage = ['hooks:manage'];
  expect(await scopesByMethod(service.client, Deliveries)).toEqual({
    listDeliveries: manage,
    findDeliveries: manage,
    listWebhookDeliveries: manage,
    getWebhookHealth: manage,
    getDelivery: manage,
    listDeliveryAttempts: manage,
    redeliver: manage,
    redeliverMany: manage,
    countRedeliverable: manage,
    testWebhook: manage,
    receiveFormEvents: manage,
    endFormListener: manage,
    sealHeaders: manage,
    makeSecret: manage,
  });
  // New keys outlive the key of whoever asks for them.
  expect(await methodsForSessions(service.client, Deliveries)).toEqual(['rotateWebhookKeys']);
  await service.stop();
});
