import { NodeOperationError, type IDataObject, type IHookFunctions } from 'n8n-workflow';
import { call, callOrMissing, path } from '../api/request';

interface Webhook {
  id: string;
  url: string;
  source: string;
  active: boolean;
  events: string[];
  payload: string;
}

/** The data that the node stores about its webhook. It includes the form, because people may change the parameter before they deactivate. */
interface Kept extends IDataObject {
  formId?: string;
  webhookId?: string;
}

interface Wanted {
  formId: string;
  url: string;
  events: string[];
  payload: string;
}

const webhooks = (formId: string): string => path`/app/v1/forms/${formId}/webhooks`;
const webhook = (formId: string, id: string): string => path`/app/v1/forms/${formId}/webhooks/${id}`;

/** Whether the webhook exists. If it was deactivated, or differs from the parameters, it is updated first. */
export async function checkExists(context: IHookFunctions): Promise<boolean> {
  const kept: Kept = context.getWorkflowStaticData('node');
  const wanted = wantedWebhook(context);
  if (kept.formId !== undefined && kept.formId !== wanted.formId) await remove(context);

  const found = await findWebhook(context, kept, wanted);
  if (!found) {
    forget(kept);
    return false;
  }
  Object.assign(kept, { formId: wanted.formId, webhookId: found.id });
  if (!found.active || !isSame(found, wanted)) {
    await call(context, {
      method: 'PATCH',
      path: webhook(wanted.formId, found.id),
      body: { active: true, target_url: wanted.url, events: wanted.events, payload: wanted.payload },
    });
  }
  return true;
}

export async function create(context: IHookFunctions): Promise<boolean> {
  const { formId, url, events, payload } = wantedWebhook(context);
  const created = await call<Webhook>(context, { method: 'POST', path: webhooks(formId), body: { target_url: url, events, payload } });
  Object.assign(context.getWorkflowStaticData('node'), { formId, webhookId: created.id });
  return true;
}

/** Removes the webhook. A 404 means that it is gone already, which is fine. */
export async function remove(context: IHookFunctions): Promise<boolean> {
  const kept: Kept = context.getWorkflowStaticData('node');
  if (kept.formId !== undefined && kept.webhookId !== undefined) {
    await callOrMissing(context, { method: 'DELETE', path: webhook(kept.formId, kept.webhookId) });
  }
  forget(kept);
  return true;
}

/** The webhook that we created or, if n8n lost its id, the one with our URL, which only we use. */
async function findWebhook(context: IHookFunctions, kept: Kept, { formId, url }: Wanted): Promise<Webhook | undefined> {
  if (kept.webhookId !== undefined) return callOrMissing<Webhook>(context, { path: webhook(formId, kept.webhookId) });
  const { data } = await call<{ data: Webhook[] }>(context, { path: webhooks(formId) });
  return data.find((candidate) => candidate.url === url && candidate.source === 'application');
}

function wantedWebhook(context: IHookFunctions): Wanted {
  const url = context.getNodeWebhookUrl('default');
  if (url === undefined) throw new NodeOperationError(context.getNode(), 'n8n has no address for the webhook');
  return {
    formId: context.getNodeParameter('formId', '', { extractValue: true }) as string,
    url,
    events: context.getNodeParameter('events') as string[],
    payload: context.getNodeParameter('payload') as string,
  };
}

const isSame = (found: Webhook, { url, events, payload }: Wanted): boolean =>
  found.url === url && found.payload === payload && [...found.events].sort().join() === [...events].sort().join();

function forget(kept: Kept): void {
  delete kept.formId;
  delete kept.webhookId;
}
