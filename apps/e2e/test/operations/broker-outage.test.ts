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
  cluster = await Cluster.make(1, { HOOKS_ALLOW_PRIVATE_TARGETS: 'true' });
  await Promise.all([cluster.startPostgres(), cluster.startNats()]);
  await cluster.migrate();
  copies = Object.fromEntries(apps.map((app) => [app, cluster.start(app)])) as typeof copies;
  await Promise.all(Object.values(copies).map((copy) => cluster.ready(copy)));
  const owner = cluster.at(copies.gateway);
  form = ((await owner.post('/api/v1/forms', { title: 'Kept' })).body as { id: string }).id;
  await owner.put(`/app/v1/forms/${form}/draft`, { fields: [{ key: 'name', label: 'Name', type: 'short_text' }], revision: 0 });
  await owner.post(`/api/v1/forms/${form}/publish`);
  await owner.post('/api/v1/hooks/subscribe', { form_id: form, target_url: subscriber.url, event: 'submission.created', source: 'zapier' });
});
afterAll(async () => {
  await subscriber.close();
  await cluster.end();
});

async function submitted(): Promise<string> {
  const answer = await cluster.at(copies.gateway).post(`/public/v1/forms/${form}/submissions`, { data: { name: 'Ada' } });
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body as { id: string }).id;
}

function heard(): string[] {
  return subscriber.received.map(({ body }) => (JSON.parse(body) as { submission: { id: string } }).submission.id);
}

it('what is submitted while NATS is away is accepted, and delivered when it is back', async () => {
  await cluster.nats?.stop();
  const ids = [await submitted(), await submitted()];
  expect((await cluster.at(copies.gateway).get(`/api/v1/forms/${form}/submissions`)).status).toBe(200);

  await cluster.startNats();

  await eventually(() => expect(heard()).toEqual(expect.arrayContaining(ids)), 30_000);
});

it('processes that start while NATS is away serve at once, and what they accept is delivered when it is back', async () => {
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
  const id = await eventually(submitted);
  expect((await cluster.at(copies.gateway).get(`/api/v1/forms/${form}/submissions`)).status).toBe(200);
  expect((await cluster.at(copies.gateway).post('/api/v1/forms', { title: 'Another' })).status).toBe(201);

  await cluster.startNats();

  await eventually(() => expect(heard()).toContain(id), 30_000);
});
