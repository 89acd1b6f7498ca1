import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { call, path } from '../api.js';
import { formInput, pickedForm } from '../fields.js';
import { subscribeTo, unsubscribe } from '../hook.js';

export interface Deleted extends Record<string, unknown> {
  id: string;
  form_id: string;
}

const perform = (_z: ZObject, bundle: Bundle): Deleted[] => {
  const event = bundle.cleanedRequest as { form_id: string; submission_id: string };
  return [{ id: event.submission_id, form_id: event.form_id }];
};

/** Submissions in the trash, to set a Zap up with. */
async function performList(z: ZObject, bundle: Bundle): Promise<Deleted[]> {
  const { data } = await call<{ data: Deleted[] }>(z, bundle, {
    path: path`/app/v1/forms/${pickedForm(bundle)}/submissions/trash`,
    params: { limit: '3' },
  });
  return data.map(({ id, form_id }) => ({ id, form_id }));
}

export default {
  key: 'submission_deleted',
  noun: 'Submission',
  display: { label: 'Submission Deleted', description: 'Triggers when a submission is moved to the trash.' },
  operation: {
    type: 'hook',
    inputFields: [{ ...formInput, altersDynamicFields: false }],
    performSubscribe: subscribeTo('submission.deleted'),
    performUnsubscribe: unsubscribe,
    perform,
    performList,
    sample: { id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c02', form_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01' },
    outputFields: [
      { key: 'id', label: 'Submission ID', type: 'string' },
      { key: 'form_id', label: 'Form ID', type: 'string' },
    ],
  },
} satisfies Trigger;
