import type { Bundle, ZObject } from 'zapier-platform-core';
import { call, path } from './api.js';
import { pickedForm } from './fields.js';

export interface Subscription {
  id: string;
}

/** The form may be another one in the Zap by the time it is switched off. */
export interface Webhook extends Subscription {
  form_id: string;
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

/** Makes a webhook of the picked form with the Zap's address, for an event that subscriptions of the v1 API do not have. */
export const listenTo =
  (event: string) =>
  async (z: ZObject, bundle: Bundle): Promise<Webhook> => {
    const form_id = pickedForm(bundle);
    const { id } = await call<Subscription>(z, bundle, {
      method: 'POST',
      path: path`/app/v1/forms/${form_id}/webhooks`,
      body: { target_url: bundle.targetUrl, event },
    });
    return { id, form_id };
  };

/** Removes that webhook. A 404 means that it is gone already, which is fine. */
export async function stopListening(z: ZObject, bundle: Bundle): Promise<Record<string, never>> {
  const { id = '', form_id = '' } = (bundle.subscribeData ?? {}) as Partial<Webhook>;
  await call(z, bundle, { method: 'DELETE', path: path`/app/v1/forms/${form_id}/webhooks/${id}`, accept: [404] });
  return {};
}

/** Ends the subscription. A 404 means that it is gone already, which is fine. */
export async function unsubscribe(z: ZObject, bundle: Bundle): Promise<Record<string, never>> {
  await call(z, bundle, { method: 'DELETE', path: path`/api/v1/hooks/${bundle.subscribeData?.id ?? ''}`, accept: [404] });
  return {};
}
