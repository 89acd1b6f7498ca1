import {
  createFormWebhook,
  createInstanceWebhook,
  createWorkspaceWebhook,
  deleteFormWebhook,
  deleteInstanceWebhook,
  deleteWorkspaceWebhook,
  listFormWebhooks,
  listInstanceWebhooks,
  listWorkspaceWebhooks,
  testFormWebhook,
  testInstanceWebhook,
  testWorkspaceWebhook,
  updateFormWebhook,
  updateInstanceWebhook,
  updateWorkspaceWebhook,
  type Webhook,
  type WebhookList,
  type WebhookRequest,
  type WebhookTestRequest,
  type WebhookTestResult,
  type WebhookUpdateRequest,
} from '@sheaf/client';
import type { Field } from '@sheaf/contracts';
import { client } from '../api/client';

/** The owner of webhooks: a form, a workspace or the whole instance. The same can be done with all of them. */
export interface WebhookPlace {
  kind: 'form' | 'workspace' | 'instance';
  key: readonly unknown[];
  /** The fields of the form. */
  fields?: readonly Field[] | undefined;
  list: (signal: AbortSignal) => Promise<WebhookList>;
  create: (body: WebhookRequest) => Promise<Webhook>;
  update: (webhookId: string, body: WebhookUpdateRequest) => Promise<Webhook>;
  remove: (webhookId: string) => Promise<unknown>;
  test: (webhookId: string, body: WebhookTestRequest) => Promise<WebhookTestResult>;
}

export const ofForm = (id: string, fields?: readonly Field[]): WebhookPlace => ({
  kind: 'form',
  fields,
  key: ['form', id, 'webhooks'],
  list: (signal) => listFormWebhooks({ client, path: { id }, signal }),
  create: (body) => createFormWebhook({ client, path: { id }, body }),
  update: (webhookId, body) => updateFormWebhook({ client, path: { id, webhookId }, body }),
  remove: (webhookId) => deleteFormWebhook({ client, path: { id, webhookId } }),
  test: (webhookId, body) => testFormWebhook({ client, path: { id, webhookId }, body }),
});

export const ofWorkspace = (id: string): WebhookPlace => ({
  kind: 'workspace',
  key: ['workspace', id, 'webhooks'],
  list: (signal) => listWorkspaceWebhooks({ client, path: { id }, signal }),
  create: (body) => createWorkspaceWebhook({ client, path: { id }, body }),
  update: (webhookId, body) => updateWorkspaceWebhook({ client, path: { id, webhookId }, body }),
  remove: (webhookId) => deleteWorkspaceWebhook({ client, path: { id, webhookId } }),
  test: (webhookId, body) => testWorkspaceWebhook({ client, path: { id, webhookId }, body }),
});

export const ofInstance: WebhookPlace = {
  kind: 'instance',
  key: ['instance', 'webhooks'],
  list: (signal) => listInstanceWebhooks({ client, signal }),
  create: (body) => createInstanceWebhook({ client, body }),
  update: (webhookId, body) => updateInstanceWebhook({ client, path: { webhookId }, body }),
  remove: (webhookId) => deleteInstanceWebhook({ client, path: { webhookId } }),
  test: (webhookId, body) => testInstanceWebhook({ client, path: { webhookId }, body }),
};
