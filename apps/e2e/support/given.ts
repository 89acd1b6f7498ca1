import { asOwner, anyone } from './people';

const defaultFields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'stars', label: 'How many stars?', type: 'rating' },
];

/** A published form of the owner. */
export async function publishedForm(given: { title?: string; fields?: unknown[] } = {}): Promise<string> {
  const { id } = (await asOwner.post('/api/v1/forms', { title: given.title ?? 'Survey' })).body as { id: string };
  const { revision } = (await asOwner.get(`/app/v1/forms/${id}/draft`)).body as { revision: number };
  const saved = await asOwner.put(`/app/v1/forms/${id}/draft`, { fields: given.fields ?? defaultFields, revision });
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
