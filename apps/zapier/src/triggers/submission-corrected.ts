import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { formInput } from '../fields.js';
import { listenTo, stopListening } from '../hook.js';

export interface Correction extends Record<string, unknown> {
  /** The id of the submission. */
  id: string;
  form_id: string;
  occurred_at: string;
  /** The status of the submission at that time. */
  status: string;
  revision: number;
  changed: string[];
  corrected_by: { kind: string; id: string };
}

interface Event {
  submission_id: string;
  form_id: string;
  occurred_at: string;
  status: string;
  revision: number;
  changed: string[];
  corrected_by: { kind: string; id: string };
}

const perform = (_z: ZObject, bundle: Bundle): Correction[] => {
  const { submission_id: id, form_id, occurred_at, status, revision, changed, corrected_by } = bundle.cleanedRequest as Event;
  return [{ id, form_id, occurred_at, status, revision, changed, corrected_by }];
};

/** The answers are not in the event: the search *Find Submission* reads them. */
export default {
  key: 'submission_corrected',
  noun: 'Submission',
  display: { label: 'Submission Corrected', description: 'Triggers when the answers of a submission are corrected.' },
  operation: {
    type: 'hook',
    inputFields: [{ ...formInput, altersDynamicFields: false }],
    performSubscribe: listenTo('submission.corrected'),
    performUnsubscribe: stopListening,
    perform,
    sample: {
      id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c02',
      form_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01',
      occurred_at: '2026-03-04T16:05:12.000Z',
      status: 'approved',
      revision: 1,
      changed: ['email'],
      corrected_by: { kind: 'user', id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c03' },
    },
    outputFields: [
      { key: 'id', label: 'Submission ID', type: 'string' },
      { key: 'form_id', label: 'Form ID', type: 'string' },
      { key: 'occurred_at', label: 'Happened At', type: 'datetime' },
      { key: 'status', label: 'Status', type: 'string' },
      { key: 'revision', label: 'Revision', type: 'integer' },
      { key: 'changed', label: 'Changed Fields', type: 'string', list: true },
      { key: 'corrected_by__kind', label: 'Kind of Corrector', type: 'string' },
      { key: 'corrected_by__id', label: 'ID of Corrector', type: 'string' },
    ],
  },
} satisfies Trigger;
