import { newId } from '@sheaf/kernel';
import { subscriptionsAfter, subscriptionsAmong, waitingAmong } from '../src/reconcile.queries';
import { eventually } from '@sheaf/testing';
import { announced, db, subscribe, unsubscribe, useService } from './stage';

useService();

it('says of a subscription whether delivery has confirmed what it was told, also of one that was removed', async () => {
  const { id } = await subscribe({});
  const first = '00000000-0000-0000-0000-000000000000';
  await expect(subscriptionsAfter(db, first, 10)).resolves.toMatchObject([{ id, active: true, revision: 1, waiting: true }]);
  await eventually(async () => {
    announced(id);
    await expect(subscriptionsAmong(db, [id, newId()])).resolves.toMatchObject([{ id, waiting: false }]);
  });
  await unsubscribe(id);
  await expect(subscriptionsAmong(db, [id])).resolves.toEqual([]);
  await expect(waitingAmong(db, [id, newId()])).resolves.toEqual([{ subject: id }]);
});
