import { Hooks } from '@sheaf/rpc';
import { scopesByMethod, TestClock } from '@sheaf/testing';
import { startService } from './service';

// See the contract, section 5.5.
it('grants a service account the methods of its scopes, and none without a scope', async () => {
  const { client, stop } = await startService(new TestClock(), new Map());
  const manage = ['hooks:manage'];
  expect(await scopesByMethod(client, Hooks)).toEqual({
    subscribe: manage,
    unsubscribe: manage,
    listWebhooks: manage,
    createWebhook: manage,
    updateWebhook: manage,
    createWebhookWithOptions: manage,
    updateWebhookWithOptions: manage,
    deleteWebhook: manage,
    getWebhook: manage,
    getWebhookTarget: manage,
    listOwnHooks: manage,
  });
  await stop();
});
