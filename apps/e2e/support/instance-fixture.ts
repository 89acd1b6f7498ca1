import type { Credentials } from '@sheaf/testing';
import { Visitor } from './visitor';

/** The people of one instance, and one item of each kind. */
export interface InstanceFixture {
  host: string;
  anyone: Visitor;
  byKey: Visitor;
  bySession: Visitor;
  byServiceAccount: Visitor;
  workspace: string;
  folder: string;
  form: string;
  slug: string;
  submission: string;
  hook: string;
}

/** Creates one item of each kind in the instance of this host. */
export async function createInstanceFixture(
  origin: string,
  host: string,
  { api_key, user, workspace_id }: Omit<Credentials, 'base_url'>,
): Promise<InstanceFixture> {
  const anyone = new Visitor(origin, host);
  const byKey = anyone.with(api_key);
  const create = async (as: Visitor, path: string, body: object) => {
    const reply = await as.post(path, body);
    if (reply.status !== 201) throw new Error(`${path} answered ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body as { id: string; token: string; key: string };
  };
  const bySession = anyone.with((await create(anyone, '/app/v1/sessions', { email: user.email, password: user.password })).token);
  const scopes = ['forms:read', 'forms:write', 'submissions:read', 'submissions:write', 'workspaces:manage', 'hooks:manage'];
  const byServiceAccount = anyone.with((await create(bySession, '/app/v1/service-accounts', { name: 'Robot', scopes })).key);

  const { id: folder } = await create(byKey, '/api/v1/folders', { label: 'Visits' });
  const { id: form } = await create(byKey, '/api/v1/forms', { title: `At ${host}`, folder_id: folder });
  await byKey.put(`/app/v1/forms/${form}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  await byKey.patch(`/api/v1/forms/${form}`, { slug: 'survey' });
  await byKey.post(`/api/v1/forms/${form}/publish`);
  const { id: submission } = await create(anyone, `/public/v1/forms/${form}/submissions`, { data: { name: host } });
  const { id: hook } = await create(byKey, '/api/v1/hooks/subscribe', {
    form_id: form,
    target_url: 'http://127.0.0.1:9/',
    event: 'submission.deleted',
    source: 'make',
  });
  return { host, anyone, byKey, bySession, byServiceAccount, workspace: workspace_id, folder, form, slug: 'survey', submission, hook };
}
