import type { JsonWebKey } from 'node:crypto';
import {
  NodeConnectionTypes,
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
} from 'n8n-workflow';
import { formPicker, searchForms } from '../api/forms';
import { call } from '../api/request';
import { KeySets } from './key-sets';
import { isGenuine } from './signature';
import { checkExists, create, remove } from './subscription';

const keySets = new KeySets();

export class SheafTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Sheaf Trigger',
    name: 'sheafTrigger',
    icon: { light: 'file:../../icons/sheaf.svg', dark: 'file:../../icons/sheaf.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Starts the workflow when a form in Sheaf receives a submission, or one changes',
    defaults: { name: 'Sheaf Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'sheafApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      formPicker,
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: ['submission.created'],
        options: [
          {
            name: 'Submission Corrected',
            value: 'submission.corrected',
            description: 'Somebody corrected the answers, which are not in the event: get the submission to read them',
          },
          { name: 'Submission Created', value: 'submission.created', description: 'A respondent submitted the form, or paid for it' },
          { name: 'Submission Deleted', value: 'submission.deleted', description: 'A submission was moved to the trash' },
          {
            name: 'Submission Marked as Spam or Released',
            value: 'submission.spam_changed',
            description: 'Somebody marked a submission that was announced as spam, or released it',
          },
          { name: 'Submission Restored', value: 'submission.restored', description: 'A submission was taken out of the trash' },
          {
            name: 'Submission Status Changed',
            value: 'submission.status_changed',
            description: 'One or several submissions got another status',
          },
        ],
        description: 'The events that start the workflow',
      },
      {
        displayName: 'Payload',
        name: 'payload',
        type: 'options',
        default: 'named',
        options: [
          {
            name: 'Named',
            value: 'named',
            description: 'The answers with the labels of their fields and options, and files with a link that works for a short time',
          },
          { name: 'Plain', value: 'contract', description: 'The answers by the keys of their fields, as the v1 API returns them' },
        ],
        description: 'How much of a new submission the workflow receives',
      },
    ],
  };

  methods = { listSearch: { searchForms } };

  webhookMethods = {
    default: {
      checkExists(this: IHookFunctions): Promise<boolean> {
        return checkExists(this);
      },
      create(this: IHookFunctions): Promise<boolean> {
        return create(this);
      },
      delete(this: IHookFunctions): Promise<boolean> {
        return remove(this);
      },
    },
  };

  /** Refuses a request without a valid signature. If the keys cannot be fetched, the request fails, and Sheaf sends it again. */
  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { rawBody: body } = this.getRequestObject() as unknown as { rawBody?: Buffer };
    const headers = this.getHeaderData();
    const { url } = await this.getCredentials<{ url: string }>('sheafApi');
    const now = Date.now();
    const genuine =
      body !== undefined &&
      (await keySets.accept(url, (keys) => isGenuine({ body, headers }, keys, now), {
        fetch: () => call<{ keys: JsonWebKey[] }>(this, { path: '/.well-known/webhook-keys.json' }),
        now,
      }));
    if (!genuine) {
      this.getResponseObject().status(401).json({ error: 'The signature is missing, wrong or too old.' });
      return { noWebhookResponse: true };
    }
    const item: IDataObject = { ...this.getBodyData(), delivery_id: headers['webhook-id'] };
    return { workflowData: [[{ json: item }]] };
  }
}
