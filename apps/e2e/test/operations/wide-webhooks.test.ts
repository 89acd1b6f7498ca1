import { eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import { createInstance } from '../../support/instances';
import { createInstanceFixture, type InstanceFixture } from '../../support/instance-fixture';
import { sharedSystem } from '../../support/shared-system';

// Two instances of their own: webhooks of more than a form would hear of all other tests.

let subscriber: Subscriber;
let here: InstanceFixture;
let there: InstanceFixture;

beforeAll(async () => {
  const { dataDir, origin } = await sharedSystem('hosts');
  const fixture = async (slug: string) => createInstanceFixture(origin, `${slug}.sheaf.test`, await createInstance(dataDir, { slug }));
  here = await fixture('heard');
  there = await fixture('unheard');
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

async function newForm({ byKey }: InstanceFixture): Promise<string> {
  const { id } = (await byKey.post('/api/v1/forms', { title: 'Survey' })).body as { id: string };
  await byKey.put(`/app/v1/forms/${id}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  await byKey.post(`/api/v1/forms/${id}/publish`);
  return id;
}
const submit = async ({ anyone }: InstanceFixture, form: string): Promise<string> =>
  ((await anyone.post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } })).body as { id: string }).id;

/** A delivery in a list. */
interface Planned {
  form_id: string;
  subscription_id: string;
}

const received = (path: string) =>
  subscriber.received
    .filter((request) => request.path === path)
    .map(({ body }) => (JSON.parse(body) as { submission: { id: string } }).submission.id);

describe.each([
  ['a workspace', 'workspace', () => `/app/v1/workspaces/${here.workspace}/webhooks`],
  ['an instance', 'instance', () => '/app/v1/webhooks'],
])('a webhook of %s', (_, name, base) => {
  it('hears of all forms, old and new, of none in another instance, and of nothing once it is deleted', async () => {
    const path = `/${name}`;
    const created = await here.byKey.post(base(), { target_url: subscriber.url + path, event: 'submission.created' });
    expect(created).toMatchObject({ status: 201, body: { scope: name, form_id: null, payload: 'contract' } });
    const { id } = created.body as { id: string };

    const elsewhere = await submit(there, there.form);
    const forms = [here.form, await newForm(here)];
    const expected = [await submit(here, here.form), await submit(here, forms[1] ?? '')];
    await eventually(() => expect(received(path)).toEqual(expect.arrayContaining(expected)));
    expect(received(path)).not.toContain(elsewhere);
    await eventually(async () => {
      const { data } = (await here.byKey.get(`${base()}/${id}/deliveries?limit=100`)).body as { data: Planned[] };
      expect(data.map(({ form_id }) => form_id)).toEqual(expect.arrayContaining(forms));
      expect(new Set(data.map(({ subscription_id }) => subscription_id))).toEqual(new Set([id]));
    });

    expect(await here.byKey.delete(`${base()}/${id}`)).toMatchObject({ status: 204 });
    const unheard = await submit(here, here.form);
    await here.byKey.post(`/app/v1/forms/${here.form}/webhooks`, { target_url: `${subscriber.url}/witness`, event: 'submission.created' });
    const witnessed = await submit(here, here.form);
    await eventually(() => expect(received('/witness')).toContain(witnessed));
    expect(received(path)).not.toContain(unheard);
    expect(received(path)).not.toContain(witnessed);
  });
});

it('a webhook of a workspace hears of a form from the moment it is moved there', async () => {
  const { id: other } = (await here.bySession.post('/app/v1/workspaces', { name: 'Other' })).body as { id: string };
  const path = '/moved';
  await here.bySession.post(`/app/v1/workspaces/${other}/webhooks`, { target_url: subscriber.url + path, event: 'submission.created' });
  const form = await newForm(here);
  // Of its own events the form's webhook hears in any case.
  await here.bySession.post(`/app/v1/forms/${form}/webhooks`, { target_url: `${subscriber.url}/its-own`, event: 'submission.created' });
  const heardOf = (id: string) => subscriber.waitFor(1, (request) => request.path === '/its-own' && request.body.includes(id));
  const before = await submit(here, form);
  await heardOf(before);
  expect(await here.bySession.put(`/app/v1/forms/${form}/workspace`, { workspace_id: other })).toMatchObject({ status: 200 });
  await eventually(async () => {
    const after = await submit(here, form);
    await heardOf(after);
    expect(received(path)).toContain(after);
  });
  expect(received(path)).not.toContain(before);
});
