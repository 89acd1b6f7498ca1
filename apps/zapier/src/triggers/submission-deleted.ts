import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { call, path } from '../api.js';
import { formInput, pickedForm } from '../fields.js';
import { subscribeTo, unsubscribe } from '../hook.js';

export interface Deleted extends Record<string, unknown> {
  id: string;
  form_id: string;
  /** Null in events of earlier versions of Sheaf. */
  occurred_at: string | null;
}

interface Event {
  form_id: string;
  submission_id: string;
  occurred_at?: string;
}

const perform = (_z: ZObject, bundle: Bundle): Deleted[] => {
  const { submission_id: id, form_id, occurred_at = null } = bundle.cleanedRequest as Event;
  return [{ id, form_id, occurred_at }];
};

/** Submissions in the trash, to set a Zap up with. */
async function performList(z: ZObject, bundle: Bundle): Promise<Deleted[]> {
  const { data } = await call<{ data: { id: string; form_id: string; deleted_at: string }[] }>(z, bundle, {
    path: path`/app/v1/forms/${pickedForm(bundle)}/submissions/trash`,
    params: { limit: '3' },
  });
  return data.map(({ id, form_id, deleted_at: occurred_at }) => ({ id, form_id, occurred_at }));
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
    sample: {
      id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c02',
      form_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01',
      occurred_at: '2026-03-04T16:05:12.000Z',
    },
    outputFields: [
      { key: 'id', label: 'Submission ID', type: 'string' },
      { key: 'form_id', label: 'Form ID', type: 'string' },
      { key: 'occurred_at', label: 'Deleted At', type: 'datetime' },
    ],
  },
} satisfies Trigger;
