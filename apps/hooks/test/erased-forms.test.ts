import { newId } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { eventually } from '@sheaf/testing';
import { eraseForms } from '../src/erasing/erase-form';
import { aForm, announced, clock, db, deps, instanceId, listeners, subscribe, useService } from './stage';

useService();

const erased = (
  form: string,
  erasureId: string,
  body = JSON.stringify({ erasure_id: erasureId, form_id: form, workspace_id: newId() }),
) => ({
  id: newId(),
  type: 'form.erased' as const,
  instanceId,
  subject: form,
  formId: form,
  occurredAt: clock.now(),
  body,
});
const confirmations = async (erasureId: string) =>
  (await db<{ subject: string; body: string }>('outbox').where({ subject: erasureId })).map(({ body }) => JSON.parse(body) as object);

it('an erased form loses its subscriptions and grants, of which delivery hears, and others keep theirs', async () => {
  const [form, other] = [aForm(), aForm()];
  const { id } = await subscribe({ form_id: form });
  const { id: kept } = await subscribe({ form_id: other });
  await db('known_grant').insert({ form_id: form, user_id: newId(), role: 'editor', told_at: clock.now() });
  const erasureId = newId();
  await eraseForms(deps, silentLog(), [erased(form, erasureId, 'nonsense'), erased(form, erasureId)]);

  expect(await db('subscription').where({ form_id: form })).toEqual([]);
  expect(await db('known_grant').where({ form_id: form })).toEqual([]);
  expect(await listeners([{ instance_id: instanceId, form_id: other, event: 'submission.created' }])).toMatchObject([{ id: kept }]);
  await eventually(() => expect(announced(id).at(-1)).toMatchObject({ state: 'deleted' }));
  expect(await confirmations(erasureId)).toEqual([{ erasure_id: erasureId, service: 'hooks', counts: { subscriptions: 1 } }]);
});
