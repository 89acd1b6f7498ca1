import { eventually, startSubscriber, type Subscriber } from '@sheaf/testing';
import * as given from '../../support/given';
import { asOutsider } from '../../support/outsider';
import { acceptedInvitation, asOwner, asOwnerSignedIn, asServiceAccount, credentials } from '../../support/people';
import { attemptAt, statesOf, type Webhook } from '../../support/webhooks';

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

describe('a webhook or subscription ends', () => {
  const isActive = async (form: string, id: string) =>
    ((await asOwner.get(`/app/v1/forms/${form}/webhooks`)).body as { data: Webhook[] }).data.find((webhook) => webhook.id === id)?.active;
  const members = `/app/v1/workspaces/${credentials.workspace_id}/members`;

  it.each<[string, (userId: string) => Promise<unknown>]>([
    ['is removed from the workspace', async (userId) => (await asOwnerSignedIn()).delete(`${members}/${userId}`)],
    ['becomes a viewer', async (userId) => (await asOwnerSignedIn()).patch(`${members}/${userId}`, { role: 'viewer' })],
  ])('with its pending deliveries, when its creator %s', async (_, loseAccess) => {
    const form = await given.publishedForm();
    const { userId, person } = await acceptedInvitation('editor');
    subscriber.answer(({ path }) => (path === '/leaving' ? 503 : 200));
    const made = (
      await person.post(`/app/v1/forms/${form}/webhooks`, { event: 'submission.created', target_url: `${subscriber.url}/leaving` })
    ).body as Webhook;
    const submission = await given.submission(form);
    await subscriber.waitFor(1, attemptAt('/leaving', submission));

    await loseAccess(userId);

    await eventually(async () => expect(await isActive(form, made.id)).toBe(false));
    await eventually(async () => expect(await statesOf(form, made)).toEqual(['cancelled']));
    const later = await given.submission(form);
    await eventually(async () => {
      const { body } = await asOwner.get(`/app/v1/audit-log?target_id=${made.id}`);
      expect(body).toMatchObject({
        data: [
          { action: 'hook.deactivated', actor: { kind: 'service', id: 'hooks' }, details: { reason: 'access_ended' } },
          { action: 'webhook.created' },
        ],
      });
    });
    expect(subscriber.received.filter(attemptAt('/leaving', later))).toEqual([]);
    subscriber.answer(200);
  });

  it('when the grant of its creator is revoked', async () => {
    const form = await given.publishedForm();
    const guest = await asOutsider();
    const { id } = (await guest.get('/api/v1/auth/me')).body as { id: string };
    await asOwner.put(`/app/v1/forms/${form}/grants/${id}`, { role: 'viewer' });
    const subscribed = await eventually(async () => {
      const reply = await guest.post('/api/v1/hooks/subscribe', {
        form_id: form,
        target_url: `${subscriber.url}/granted`,
        event: 'submission.created',
        source: 'zapier',
      });
      expect(reply).toMatchObject({ status: 201 });
      return reply.body as Webhook;
    });
    await asOwner.delete(`/app/v1/forms/${form}/grants/${id}`);
    await eventually(async () => expect(await isActive(form, subscribed.id)).toBe(false));
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['loses the scope', async (id) => (await asOwnerSignedIn()).patch(`/app/v1/service-accounts/${id}`, { scopes: ['forms:read'] })],
    ['is deleted', async (id) => (await asOwnerSignedIn()).delete(`/app/v1/service-accounts/${id}`)],
  ])('when its service account %s', async (_, loseAccess) => {
    const form = await given.publishedForm();
    const robot = await asServiceAccount('hooks:manage');
    const { id } = (
      await robot.post('/api/v1/hooks/subscribe', {
        form_id: form,
        target_url: `${subscriber.url}/robot`,
        event: 'submission.created',
        source: 'zapier',
      })
    ).body as Webhook;
    await loseAccess(robot.id);
    await eventually(async () => expect(await isActive(form, id)).toBe(false));
  });
});
