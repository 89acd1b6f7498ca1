import type { Person } from '@sheaf/testing';
import { anyone, asOwner } from './people';

const defaultFields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'stars', label: 'How many stars?', type: 'rating' },
];

/** Creates and publishes a form of the owner. */
export async function publishedForm(options: { title?: string; fields?: unknown[] } = {}): Promise<string> {
  const { id } = (await asOwner.post('/api/v1/forms', { title: options.title ?? 'Survey' })).body as { id: string };
  const { revision } = (await asOwner.get(`/app/v1/forms/${id}/draft`)).body as { revision: number };
  const saved = await asOwner.put(`/app/v1/forms/${id}/draft`, { fields: options.fields ?? defaultFields, revision });
  const published = await asOwner.post(`/api/v1/forms/${id}/publish`);
  if (saved.status !== 200 || published.status !== 200)
    throw new Error(`the form could not be published: ${JSON.stringify([saved.body, published.body])}`);
  return id;
}

export async function submission(form: string, data: unknown = { name: 'Ada' }): Promise<string> {
  const { status, body } = await anyone.post(`/public/v1/forms/${form}/submissions`, { data });
  if (status !== 201) throw new Error(`submitting answered ${status} ${JSON.stringify(body)}`);
  return (body as { id: string }).id;
}

export async function subscription(form: string, target_url: string, event = 'submission.created'): Promise<string> {
  const { status, body } = await asOwner.post('/api/v1/hooks/subscribe', { form_id: form, target_url, event, source: 'zapier' });
  if (status !== 201) throw new Error(`subscribing answered ${status} ${JSON.stringify(body)}`);
  return (body as { id: string }).id;
}

export interface Folder {
  id: string;
  label: string;
  updated_at: string;
}

export const folder = async (values: object = {}, as: Person = asOwner): Promise<Folder> =>
  (await as.post('/api/v1/folders', { label: 'Visits', ...values })).body as Folder;

/** Creates a form without publishing it. */
export const form = async (values: object = {}, as: Person = asOwner): Promise<{ id: string; updated_at: string }> =>
  (await as.post('/api/v1/forms', values)).body as { id: string; updated_at: string };
