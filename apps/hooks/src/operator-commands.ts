import { commandOutbox, record } from '@sheaf/events';
import { isId, newId, systemClock } from '@sheaf/kernel';
import { databaseCommand } from '@sheaf/postgres';
import { readJsonInput, whole, type JsonCommand } from '@sheaf/runtime';
import { z } from 'zod';
import { listenersOfForm } from './listeners/listeners-of-form.queries';
import { lockSubscriptions, subscriptionsAfter, subscriptionsAmong, waitingAmong } from './reconcile.queries';
import { subscriptionChanged } from './subscription/subscription-changed';

const id = (of: string) => z.string().refine(isId, `must be the id of ${of}`);

/** Commands for operators. */
export const operatorCommands: Record<string, JsonCommand> = {
  'list-listeners': databaseCommand(z.object({ form: id('a form'), instance: id('an instance') }), async (db, wanted) => ({
    listeners: await listenersOfForm(db, wanted),
  })),

  /** For `reconcile`: the subscriptions after one. */
  'list-subscriptions': databaseCommand(
    z.object({ after: id('a subscription'), limit: whole(1, 50_000) }),
    async (db, { after, limit }) => ({
      subscriptions: await subscriptionsAfter(db, after, limit),
    }),
  ),

  /** For `reconcile`: ids of subscriptions come on standard input. */
  'list-subscriptions-among': databaseCommand(z.object({}), async (db) => {
    const ids = await readJsonInput(Subscriptions);
    // In this order: a change that was confirmed meanwhile is in neither, and one that is waiting in at least one.
    const waiting = (await waitingAmong(db, ids)).map(({ subject }) => subject);
    return { subscriptions: await subscriptionsAmong(db, ids), waiting };
  }),

  /** For `reconcile`: tells `delivery` of subscriptions as they are; their ids come on standard input. */
  'tell-subscriptions': databaseCommand(z.object({}), async (db) => {
    const ids = await readJsonInput(Subscriptions);
    return commandOutbox(db).transaction(async (trx) => {
      const rows = await lockSubscriptions(trx, ids);
      const cause = { requestId: newId() };
      await record(trx, ...rows.map((row) => subscriptionChanged(row, row.active ? 'active' : 'inactive', systemClock.now(), cause)));
      return { told: rows.length };
    });
  }),
};

const Subscriptions = z.array(id('a subscription'));
