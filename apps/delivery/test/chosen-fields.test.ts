import { newId } from '@sheaf/kernel';
import { callAs } from '@sheaf/testing';
import type { Listener } from '../src/planning/remembered-listeners';
import { plan } from '../src/planning/plan';
import { startService, type Service } from './support/service';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => service.reset());

const owner = () => callAs(service.member('owner'));
const field = (key: string, type: string) => ({ key, label: `The ${key}`, type, required: false });
const data = { city: 'Berlin', name: 'Ada Lovelace', cv: newId() };

function submitted({ form_id }: Listener) {
  service.neighbours.forms.fields.set(`${form_id} 3`, [field('city', 'short_text'), field('name', 'short_text'), field('cv', 'file')]);
  const submission = { id: newId(), form_id, schema_version: 3, created_at: service.clock.now().toISOString() };
  return service.event(form_id, { body: JSON.stringify({ event: 'submission.created', form_id, data, submission }) });
}
const bodies = () => service.subscriber.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
const isPersonal = (text: string) => ['Lovelace', data.cv, 'The name'].some((part) => text.includes(part));

it('only the chosen answers are sent, in bodies of the contract and in named ones, and others get theirs', async () => {
  const chosen = service.subscription({ options: { fields: ['city', 'removed'] } });
  const { form_id } = chosen;
  const named = service.subscription({ form_id, payload: 'named', url: `${service.subscriber.url}/named`, options: { fields: ['city'] } });
  const all = service.subscription({ form_id, url: `${service.subscriber.url}/all` });
  await plan(service.deps, [submitted(chosen)]);
  await service.run();
  const bodyAt = (path: string) => JSON.parse(service.subscriber.received.find((one) => one.path === path)?.body ?? '{}') as object;
  expect(Object.keys(bodyAt('/hook'))).toEqual(['event', 'form_id', 'data', 'submission']);
  expect(bodyAt('/hook')).toMatchObject({ data: { city: 'Berlin' }, submission: { schema_version: 3 } });
  expect(bodyAt('/named')).toMatchObject({
    data: { city: 'Berlin' },
    answers: { city: { label: 'The city', type: 'short_text', value: 'Berlin', text: 'Berlin' } },
  });
  expect(bodyAt('/all')).toMatchObject({ data });
  for (const { path, body } of service.subscriber.received) expect([path, isPersonal(body)]).toEqual([path, path === '/all']);

  for (const listener of [chosen, named, all]) {
    const [delivery] = await service.deliveries(listener);
    const shown = await service.client.getDelivery(owner(), { form_id, id: delivery?.id ?? '' });
    expect(isPersonal(shown.body?.toString() ?? '')).toBe(listener === all);
  }
});

it('no answer at all is sent if none is chosen', async () => {
  const listener = service.subscription({ options: { fields: [] } });
  await plan(service.deps, [submitted(listener)]);
  await service.run();
  expect(bodies()).toMatchObject([{ data: {} }]);
});

it('a choice that was narrowed applies to what waits and to what is sent again', async () => {
  const listener = service.subscription();
  service.subscriber.answer(500);
  await plan(service.deps, [submitted(listener)]);
  await service.run();
  service.subscription({ ...listener, revision: 2, options: { fields: ['city'] } });
  service.subscriber.answer(200);
  await plan(service.deps, [submitted(listener)]);
  service.clock.advance(4_000);
  while ((await service.run()) > 0);
  expect(service.subscriber.received.map(({ body }) => isPersonal(body))).toEqual([true, false, false]);
  const [first] = await service.deliveries(listener);
  await service.client.redeliver(owner(), { form_id: listener.form_id, id: first?.id ?? '' });
  await service.run();
  expect(bodies().at(-1)).toMatchObject({ data: { city: 'Berlin' } });
});

it.each(['contract', 'named'])('a sample with the payload %s has the chosen answers alone', async (payload) => {
  const [form_id, id] = [newId(), newId()];
  service.neighbours.forms.fields.set(`${form_id} latest`, [field('city', 'short_text'), field('name', 'short_text')]);
  const url = `${service.subscriber.url}/hook`;
  const options = JSON.stringify({ fields: ['city'] });
  service.neighbours.hooks.targets.set(id, { form_id, events: ['submission.created'], url, payload, options });
  const { request } = await service.client.testWebhook(owner(), { form_id, id });
  expect(JSON.parse(request?.body ?? '{}')).toMatchObject({ data: { city: expect.any(String) as string } });
  expect(request?.body).not.toContain('name');
});

it('of the fields that a correction changed, the keys of those alone are sent', async () => {
  const type = 'submission.corrected';
  const listener = service.subscription({ event: type, options: { fields: ['city'] } });
  const all = service.subscription({ form_id: listener.form_id, event: type, url: `${service.subscriber.url}/all` });
  const body = { event: type, form_id: listener.form_id, submission_id: newId(), status: 'new', revision: 1, changed: ['name', 'city'] };
  await plan(service.deps, [service.event(listener.form_id, { type, subject: body.submission_id, body: JSON.stringify(body) })]);
  while ((await service.run()) > 0);
  const sentTo = (path: string) =>
    service.subscriber.received.filter((post) => post.path === path).map((post) => JSON.parse(post.body) as object);
  expect(sentTo('/hook')).toEqual([{ ...body, changed: ['city'] }]);
  expect(sentTo('/all')).toEqual([body]);
  expect(all.options).toBeNull();
});
