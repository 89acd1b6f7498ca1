import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { call, path } from '../api.js';
import { answerOutputs, formInput, pickedForm } from '../fields.js';
import { subscribeTo, unsubscribe } from '../hook.js';
import { submissionOutputs, submissionSample, toItem, type Submission, type SubmissionItem } from '../submission-item.js';

interface Event {
  data: Record<string, unknown>;
  submission: Omit<Submission, 'data'>;
}

async function perform(z: ZObject, bundle: Bundle): Promise<SubmissionItem[]> {
  const { data, submission } = bundle.cleanedRequest as Event;
  return [await toItem(z, bundle, { ...submission, data })];
}

/** The newest submissions, to set a Zap up with. */
async function performList(z: ZObject, bundle: Bundle): Promise<SubmissionItem[]> {
  const { data } = await call<{ data: Submission[] }>(z, bundle, {
    path: path`/api/v1/forms/${pickedForm(bundle)}/submissions`,
    params: { limit: '3' },
  });
  return Promise.all(data.map((submission) => toItem(z, bundle, submission)));
}

export default {
  key: 'new_submission',
  noun: 'Submission',
  display: { label: 'New Submission', description: 'Triggers when a form receives a submission.' },
  operation: {
    type: 'hook',
    inputFields: [formInput],
    performSubscribe: subscribeTo('submission.created'),
    performUnsubscribe: unsubscribe,
    perform,
    performList,
    sample: submissionSample,
    outputFields: [...submissionOutputs, answerOutputs],
  },
} satisfies Trigger;
