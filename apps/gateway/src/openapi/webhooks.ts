import {
  SubmissionCorrected,
  SubmissionCreated,
  SubmissionDeleted,
  SubmissionRestored,
  SubmissionSpamChanged,
  SubmissionStatusChanged,
} from '@sheaf/contracts';
import { hopHeader } from '@sheaf/kernel';
import type { z } from 'zod';
import { sampleOf } from './samples';
import { schemaOf, type Schema } from './schemas';

const onlyOfApplication = 'Only webhooks of the application can listen to it.';

/** The requests that Sheaf makes to subscribers (contract, section 6). */
const events: Readonly<Record<string, { id: string; summary: string; description: string; body: z.ZodType }>> = {
  'submission.created': {
    id: 'receiveSubmissionCreated',
    summary: 'A submission was created',
    body: SubmissionCreated,
    description: 'A respondent submitted a form, or, where a payment is due, the payment was completed.',
  },
  'submission.status_changed': {
    id: 'receiveSubmissionStatusChanged',
    summary: 'The status of submissions changed',
    body: SubmissionStatusChanged,
    description: 'The status of one submission, or of several at once, changed.',
  },
  'submission.deleted': {
    id: 'receiveSubmissionDeleted',
    summary: 'A submission was deleted',
    body: SubmissionDeleted,
    description: 'A submission was moved to the trash.',
  },
  'submission.restored': {
    id: 'receiveSubmissionRestored',
    summary: 'A submission was restored',
    body: SubmissionRestored,
    description: `A submission whose \`submission.created\` was sent before was taken out of the trash. ${onlyOfApplication}`,
  },
  'submission.corrected': {
    id: 'receiveSubmissionCorrected',
    summary: 'The answers of a submission were corrected',
    body: SubmissionCorrected,
    description: `Somebody corrected the answers of a submission whose \`submission.created\` was sent before. ${onlyOfApplication}`,
  },
  'submission.spam_changed': {
    id: 'receiveSubmissionSpamChanged',
    summary: 'A submission was marked as spam, or released',
    body: SubmissionSpamChanged,
    description: `Somebody marked a submission whose \`submission.created\` was sent before as spam, or released it. ${onlyOfApplication}`,
  },
};

const rules =
  'Any 2xx response within 10 seconds acknowledges the delivery. Anything else, including a redirect, is a failure; the delivery is retried after 4 and ' +
  'then after 16 seconds. 410 ends the subscription. The same event may arrive more than once; use `webhook-id` to recognize duplicates.';

const headers: readonly [name: string, description: string, example: string][] = [
  ['X-Webhook-Event', 'The event.', 'submission.created'],
  ['X-Webhook-ID', "The subscription's id.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c06'],
  ['webhook-id', "The delivery's id, the same for every attempt (Standard Webhooks).", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c08'],
  ['webhook-timestamp', 'The time of the attempt, in seconds since 1970.', '1772640312'],
  [
    'webhook-signature',
    'An Ed25519 signature (`v1a,…`), or two during a key rotation. The public keys are at `/.well-known/webhook-keys.json`.',
    'v1a,K5oZ…',
  ],
  [hopHeader, 'Always `1`. Forms reject requests with this header, which prevents webhook loops.', '1'],
];

export const webhooksOf = (components: Record<string, Schema>): Schema =>
  Object.fromEntries(
    Object.entries(events).map(([event, { id, summary, description, body }]) => {
      const schema = schemaOf('output', body);
      const operation = {
        operationId: id,
        summary,
        description: `${description} ${rules}`,
        tags: ['Hooks'],
        security: [],
        parameters: headers.map(([name, text, example]) => ({
          name,
          in: 'header',
          required: true,
          description: text,
          schema: { type: 'string' },
          example: name === 'X-Webhook-Event' ? event : example,
        })),
        requestBody: {
          required: true,
          description: `The event, as ${schemaName(schema)}.`,
          content: { 'application/json': { schema, example: sampleOf(schema, components) } },
        },
        responses: {
          '2XX': { description: 'Acknowledges the delivery.' },
          '410': { description: 'Ends the subscription.' },
          default: { description: 'The delivery failed and will be retried.' },
        },
      };
      return [event, { post: operation }];
    }),
  );

const schemaName = ({ $ref }: Schema): string => String($ref).replace(/^.*\//, '');
