import type { Bundle, PlainOutputField, Trigger, ZObject } from 'zapier-platform-core';
import { formInput } from '../fields.js';
import { listenTo, stopListening } from '../hook.js';

/** The item of a trigger. */
export interface Told extends Record<string, unknown> {
  /** The id of the submission. */
  id: string;
  form_id: string;
  occurred_at: string;
  /** The status of the submission at that time. */
  status: string;
}

interface SubmissionEvent<More extends Record<string, unknown>> {
  key: string;
  /** In Sheaf. */
  event: string;
  label: string;
  description: string;
  /** The properties of the event besides the submission, the form, the time and the status. */
  more: { sample: More; outputFields: readonly PlainOutputField[] };
}

/** A trigger by an event that subscriptions of the v1 API do not have. The answers are not in the event: the search *Find Submission* reads them. */
export function onSubmissionEvent<More extends Record<string, unknown>>({ key, event, label, description, more }: SubmissionEvent<More>) {
  const names = ['form_id', 'occurred_at', 'status', ...Object.keys(more.sample)];
  const perform = (_z: ZObject, bundle: Bundle): (Told & More)[] => {
    const told = bundle.cleanedRequest as Record<string, unknown> & { submission_id: string };
    return [{ id: told.submission_id, ...Object.fromEntries(names.map((name) => [name, told[name]])) } as Told & More];
  };
  return {
    key,
    noun: 'Submission',
    display: { label, description },
    operation: {
      type: 'hook',
      inputFields: [{ ...formInput, altersDynamicFields: false }],
      performSubscribe: listenTo(event),
      performUnsubscribe: stopListening,
      perform,
      sample: {
        id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c02',
        form_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01',
        occurred_at: '2026-03-04T16:05:12.000Z',
        status: 'approved',
        ...more.sample,
      },
      outputFields: [
        { key: 'id', label: 'Submission ID', type: 'string' },
        { key: 'form_id', label: 'Form ID', type: 'string' },
        { key: 'occurred_at', label: 'Happened At', type: 'datetime' },
        { key: 'status', label: 'Status', type: 'string' },
        ...more.outputFields,
      ],
    },
  } satisfies Trigger;
}
