import type { Bundle, ZObject } from 'zapier-platform-core';
import { call, path } from './api.js';
import { pickedForm } from './fields.js';

export interface Subscription {
  id: string;
}

/** Subscribes the Zap's address to an event of the picked form. */
export const subscribeTo =
  (event: string) =>
  (z: ZObject, bundle: Bundle): Promise<Subscription> =>
    call<Subscription>(z, bundle, {
      method: 'POST',
      path: '/api/v1/hooks/subscribe',
      body: { form_id: pickedForm(bundle), target_url: bundle.targetUrl, event, source: 'zapier' },
    });

/** Ends the subscription. A 404 means that it is gone already, which is fine. */
export async function unsubscribe(z: ZObject, bundle: Bundle): Promise<Record<string, never>> {
  await call(z, bundle, { method: 'DELETE', path: path`/api/v1/hooks/${bundle.subscribeData?.id ?? ''}`, accept: [404] });
  return {};
}
