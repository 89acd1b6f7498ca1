import { asOwner } from './people';

export interface Webhook {
  id: string;
  url: string;
  event: string;
  active: boolean;
  source: string;
}

/** Creates a webhook in the application. */
export const webhook = async (form: string, target_url: string, event = 'submission.created') => {
  const { status, body } = await asOwner.post(`/app/v1/forms/${form}/webhooks`, { event, target_url });
  if (status !== 201) throw new Error(`creating a webhook answered ${status} ${JSON.stringify(body)}`);
  return body as Webhook;
};

/** Changes a webhook in the application. */
export const change = (form: string, { id }: Webhook, patch: object) => asOwner.patch(`/app/v1/forms/${form}/webhooks/${id}`, patch);

/** Matches requests to a path whose body contains a text, such as the id of a submission. */
export const attemptAt = (path: string, text: string) => (request: { path: string; body: string }) =>
  request.path === path && request.body.includes(text);

/** Lists the states of the deliveries of a webhook. */
export const statesOf = async (form: string, { id }: Webhook) =>
  ((await asOwner.get(`/app/v1/forms/${form}/deliveries?subscription_id=${id}`)).body as { data: { state: string }[] }).data.map(
    ({ state }) => state,
  );
