import { eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import type { App } from '@sheaf/kernel';
import { apps, Cluster, type Copy } from '../../support/cluster';

// NATS only distributes accepted events. An outage must not affect people who fill in or read forms.

let cluster: Cluster;
let subscriber: Subscriber;
let copies: Record<App, Copy>;
let form: string;

beforeAll(async () => {
  subscriber = await startSubscriber();
  cluster = await Cluster.create(1, { HOOKS_ALLOW_PRIVATE_TARGETS: 'true' });
  await Promise.all([cluster.startPostgres(), cluster.startNats()]);
  await cluster.migrate();
  copies = Object.fromEntries(apps.map((app) => [app, cluster.start(app)])) as typeof copies;
  await Promise.all(Object.values(copies).map((copy) => cluster.ready(copy)));
  const owner = cluster.clientOf(copies.gateway);
  form = ((await owner.post('/api/v1/forms', { title: 'Kept' })).body as { id: string }).id;
  await owner.put(`/app/v1/forms/${form}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  await owner.post(`/api/v1/forms/${form}/publish`);
  await owner.post('/api/v1/hooks/subscribe', { form_id: form, target_url: subscriber.url, event: 'submission.created', source: 'zapier' });
});
afterAll(async () => {
  await subscriber.close();
  await cluster.stopAll();
});

async function submit(): Promise<string> {
  const reply = await cluster.clientOf(copies.gateway).post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } });
  expect(reply).toMatchObject({ status: 201 });
  return (reply.body as { id: string }).id;
}

function receivedIds(): string[] {
  return subscriber.received.map(({ body }) => (JSON.parse(body) as { submission: { id: string } }).submission.id);
}

it('submissions made while NATS is down are accepted, and delivered when it is back', async () => {
  await cluster.nats?.stop();
  const ids = [await submit(), await submit()];
  expect((await cluster.clientOf(copies.gateway).get(`/api/v1/forms/${form}/submissions`)).status).toBe(200);

  await cluster.startNats();

  await eventually(() => expect(receivedIds()).toEqual(expect.arrayContaining(ids)));
});

it('processes that start while NATS is down serve at once, and their submissions are delivered when it is back', async () => {
  await cluster.nats?.stop();
  for (const app of apps) {
    await cluster.stop(copies[app]);
    copies[app] = cluster.start(app);
  }
  await Promise.all(
    Object.values(copies)
      .filter(({ app }) => app !== 'delivery')
      .map((copy) => cluster.ready(copy)),
  );
  const id = await eventually(submit);
  expect((await cluster.clientOf(copies.gateway).get(`/api/v1/forms/${form}/submissions`)).status).toBe(200);
  expect((await cluster.clientOf(copies.gateway).post('/api/v1/forms', { title: 'Another' })).status).toBe(201);

  await cluster.startNats();

  await eventually(() => expect(receivedIds()).toContain(id));
});
