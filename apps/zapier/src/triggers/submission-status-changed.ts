import type { Bundle, Trigger, ZObject } from 'zapier-platform-core';
import { call, path } from '../api.js';
import { formInput, pickedForm } from '../fields.js';
import { subscribeTo, unsubscribe } from '../hook.js';

export interface StatusChange extends Record<string, unknown> {
  id: string;
  form_id: string;
  /** Null for changes of several submissions at once, whose event does not say it. */
  previous_status: string | null;
  new_status: string;
  /** Null in events of earlier versions of Sheaf. */
  occurred_at: string | null;
}

interface Event {
  form_id: string;
  occurred_at?: string;
  submission_id?: string;
  submission_ids?: string[];
  previous_status?: string;
  new_status: string;
}

/** An item for each submission that changed. */
const perform = (_z: ZObject, bundle: Bundle): StatusChange[] => {
  const event = bundle.cleanedRequest as Event;
  const ids = event.submission_ids ?? (event.submission_id === undefined ? [] : [event.submission_id]);
  const { form_id, previous_status = null, new_status, occurred_at = null } = event;
  return ids.map((id) => ({ id, form_id, previous_status, new_status, occurred_at }));
};

/** The last status changes of the submissions that changed most recently, to set a Zap up with. */
async function performList(z: ZObject, bundle: Bundle): Promise<StatusChange[]> {
  const formId = pickedForm(bundle);
  const { data } = await call<{ data: { id: string }[] }>(z, bundle, {
    path: path`/app/v1/forms/${formId}/submissions`,
    params: { limit: '10', sort: '-updated' },
  });
  const changes = await Promise.all(data.map(({ id }) => lastChange(z, bundle, { formId, id })));
  return changes.flat().slice(0, 3);
}

async function lastChange(z: ZObject, bundle: Bundle, { formId, id }: { formId: string; id: string }): Promise<StatusChange[]> {
  const { data } = await call<{ data: { from?: string; to: string; at: string }[] }>(z, bundle, {
    path: path`/app/v1/forms/${formId}/submissions/${id}/history`,
  });
  const last = data.toSorted((a, b) => b.at.localeCompare(a.at)).find(({ from }) => from !== undefined);
  return last ? [{ id, form_id: formId, previous_status: last.from ?? null, new_status: last.to, occurred_at: last.at }] : [];
}

export default {
  key: 'submission_status_changed',
  noun: 'Submission',
  display: { label: 'Submission Status Changed', description: 'Triggers when a submission gets another status.' },
  operation: {
    type: 'hook',
    inputFields: [{ ...formInput, altersDynamicFields: false }],
    performSubscribe: subscribeTo('submission.status_changed'),
    performUnsubscribe: unsubscribe,
    perform,
    performList,
    sample: {
      id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c02',
      form_id: '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c01',
      previous_status: 'new',
      new_status: 'approved',
      occurred_at: '2026-03-04T16:05:12.000Z',
    },
    outputFields: [
      { key: 'id', label: 'Submission ID', type: 'string' },
      { key: 'form_id', label: 'Form ID', type: 'string' },
      { key: 'previous_status', label: 'Previous Status', type: 'string' },
      { key: 'new_status', label: 'New Status', type: 'string' },
      { key: 'occurred_at', label: 'Changed At', type: 'datetime' },
    ],
  },
} satisfies Trigger;
