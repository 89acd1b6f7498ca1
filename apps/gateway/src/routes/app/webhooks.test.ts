import { WebhookList } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { HandlerContext } from '../../route';
import type { Services } from '../services';
import { webhooks } from './webhooks';

const webhook = {
  id: 'w',
  form_id: 'f',
  event: 'submission.created',
  url: 'https://hooks.example.org',
  active: true,
  source: 'application',
  created_at: '2026-03-04T16:05:12.000Z',
  created_by: { kind: 'user', id: 'u' },
  events: ['submission.created'],
  payload: 'contract',
  header_names: [],
  signature: 'v1a',
};

/** The list of a form's webhooks, if `hooks` and `delivery` answer like this. */
const listed = async (getWebhookHealth: () => Promise<unknown>, listWebhooks = () => Promise.resolve({ webhooks: [webhook] })) => {
  const services = { hooks: { listWebhooks }, deliveries: { getWebhookHealth } } as unknown as Services;
  const list = webhooks(services).find(({ method, path }) => method === 'get' && path === '/app/v1/forms/:id/webhooks');
  return list?.handle({ call: { deadline: Date.now() + 10_000 }, params: { id: 'f' } } as unknown as HandlerContext<unknown, unknown>);
};

it.each([
  ['does not answer', Problem.unavailable()],
  ['is of an earlier version', Problem.internal()],
  ['refuses', Problem.forbidden('No.')],
])('lists the webhooks without how they fare if delivery %s', async (_, problem) => {
  const { data } = WebhookList.parse(await listed(() => Promise.reject(problem)));
  expect(data).toMatchObject([{ id: 'w' }]);
  expect(data[0]).not.toHaveProperty('failing');
});

it('says null for a webhook that does not fail, and nothing of one that delivery does not know', async () => {
  const found = (id: string) => listed(() => Promise.resolve({ webhooks: [{ id }] }));
  expect(await found('w')).toMatchObject({ data: [{ failing: null }] });
  expect(WebhookList.parse(await found('other')).data[0]).not.toHaveProperty('failing');
});

it('waits two seconds at most to learn how they fare', async () => {
  let deadline = Infinity;
  await listed((...[call]: unknown[]) => {
    ({ deadline } = call as { deadline: number });
    return Promise.resolve({ webhooks: [] });
  });
  expect(deadline).toBeLessThanOrEqual(Date.now() + 2_000);
});

it('refuses what hooks refuses', async () => {
  const refused = listed(
    () => Promise.reject(Problem.unavailable()),
    () => Promise.reject(Problem.forbidden('No.')),
  );
  await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
});

it('lets a tested subscriber take as long as delivery does, beyond the time of other requests', async () => {
  let deadline = 0;
  const testWebhook = ({ deadline: given }: { deadline: number }) => {
    deadline = given;
    return Promise.resolve({ delivered: true });
  };
  const test = webhooks({ deliveries: { testWebhook } } as unknown as Services).find(({ path }) => path.endsWith('/:webhookId/test'));
  await test?.handle({ call: { deadline: Date.now() + 5_000 }, params: { id: 'f', webhookId: 'w' }, body: {} } as unknown as HandlerContext<
    unknown,
    unknown
  >);
  expect(deadline).toBeGreaterThan(Date.now() + 60_000);
});

it('asks for a filter and chosen fields with methods that an earlier hooks does not know, and shows them as they are', async () => {
  const filter = { answers: [{ key: 'country', equals: 'DE' }] };
  const asked: unknown[] = [];
  const answer = (method: string) => (_: unknown, message: object) => {
    asked.push([method, message]);
    return Promise.resolve({ ...webhook, filter: JSON.stringify(filter), fields: '[]' });
  };
  const hooks = { createWebhook: answer('plain'), createWebhookWithOptions: answer('with options') };
  const create = webhooks({ hooks } as unknown as Services).find(
    ({ method, path }) => method === 'post' && path === '/app/v1/forms/:id/webhooks',
  );
  const body = { event: 'submission.created', filter, fields: [] };
  const shown = await create?.handle({ call: {}, params: { id: 'f' }, body } as unknown as HandlerContext<unknown, unknown>);
  expect(asked).toMatchObject([['with options', { form_id: 'f', filter: JSON.stringify(filter), fields: '[]' }]]);
  expect(shown).toMatchObject({ filter, fields: [] });
});
