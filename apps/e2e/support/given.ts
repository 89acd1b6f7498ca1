import type { Person } from '@sheaf/testing';
import { anyone, asOwner } from './people';

const defaultFields = [
  { key: 'name', label: 'Your name', type: 'short_text', required: true },
  { key: 'stars', label: 'How many stars?', type: 'rating' },
];

export interface FormOptions {
  title?: string;
  fields?: unknown[];
  payment?: { amount?: number; amount_from?: string; currency: string };
  /** The settings of the hosted form. */
  settings?: object;
}

/** Creates and publishes a form of the owner. */
export async function publishedForm(
  { title = 'Survey', settings, ...contents }: FormOptions = {},
  owner: Person = asOwner,
): Promise<string> {
  const { id } = (await owner.post('/api/v1/forms', { title })).body as { id: string };
  await publishAgain(id, contents, owner);
  if (settings !== undefined) {
    const { status, body } = await owner.patch(`/app/v1/forms/${id}`, settings);
    if (status !== 200) throw new Error(`changing the settings answered ${status} ${JSON.stringify(body)}`);
  }
  return id;
}

/** The names under which the files in an answer were stored. */
export async function fileNames(form: string, answer: unknown, owner: Person = asOwner): Promise<(string | undefined)[]> {
  const ids = (Array.isArray(answer) ? answer : [answer]) as string[];
  return Promise.all(
    ids.map(async (id) => {
      const { headers } = await owner.get(`/app/v1/forms/${form}/files/${id}`);
      return /filename="?([^";]*)/.exec(headers.get('content-disposition') ?? '')?.[1];
    }),
  );
}

/** Publishes a new version of a form. */
export async function publishAgain(
  id: string,
  { fields = defaultFields, payment }: Pick<FormOptions, 'fields' | 'payment'>,
  owner: Person = asOwner,
): Promise<void> {
  const { revision } = (await owner.get(`/app/v1/forms/${id}/draft`)).body as { revision: number };
  const saved = await owner.put(`/app/v1/forms/${id}/draft`, { fields, revision, ...(payment ? { payment } : {}) });
  const published = await owner.post(`/api/v1/forms/${id}/publish`);
  if (saved.status !== 200 || published.status !== 200)
    throw new Error(`the form could not be published: ${JSON.stringify([saved.body, published.body])}`);
}

/** The submissions of a form, the newest first. */
export async function submissionsOf(
  form: string,
  owner: Person = asOwner,
): Promise<{ id: string; status: string; data: Record<string, unknown> }[]> {
  const { body } = await owner.get(`/api/v1/forms/${form}/submissions`);
  return (body as { data: { id: string; status: string; data: Record<string, unknown> }[] }).data;
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

/** A new workspace of the owner. */
export const workspace = async (): Promise<string> =>
  ((await asOwner.post('/app/v1/workspaces', { name: 'Elsewhere' })).body as { id: string }).id;
