import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { formInput } from '../fields.js';
import { listenTo, stopListening } from '../hook.js';

export interface Restored extends Record<string, unknown> {
  /** The id of the submission. */
  id: string;
  form_id: string;
  occurred_at: string;
  /** The status of the submission at that time. */
  status: string;
}

interface Event {
  submission_id: string;
  form_id: string;
  occurred_at: string;
  status: string;
}

const perform = (_z: ZObject, bundle: Bundle): Restored[] => {
  const { submission_id: id, form_id, occurred_at, status } = bundle.cleanedRequest as Event;
  return [{ id, form_id, occurred_at, status }];
};

/** A submission is back from the trash. */
export default {
  key: 'submission_restored',
  noun: 'Submission',
  display: { label: 'Submission Restored', description: 'Triggers when a submission is taken out of the trash.' },
  operation: {
    type: 'hook',
    inputFields: [{ ...formInput, altersDynamicFields: false }],
    performSubscribe: listenTo('submission.restored'),
    performUnsubscribe: stopListening,
    perform,
    sample: {
      id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c02',
      form_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01',
      occurred_at: '2026-03-04T16:05:12.000Z',
      status: 'approved',
    },
    outputFields: [
      { key: 'id', label: 'Submission ID', type: 'string' },
      { key: 'form_id', label: 'Form ID', type: 'string' },
      { key: 'occurred_at', label: 'Happened At', type: 'datetime' },
      { key: 'status', label: 'Status', type: 'string' },
    ],
  },
} satisfies Trigger;
