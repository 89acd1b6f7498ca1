import type { DomainEvent } from '@sheaf/events';
import { newId } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { aUser, callAs, connectionsDieAt, eventually, TestClock } from '@sheaf/testing';
import { endUnentitled } from '../src/entitlement/end-unentitled';
import { startService, type Service } from './service';

const instanceId = newId();
const workspaceId = newId();
const form_id = newId();
const editor = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'editor' } });
let service: Service;

beforeEach(async () => {
  service = await startService(new TestClock(), new Map([[form_id, { instanceId, workspaceId, status: 'active', grants: {} }]]));
});
afterEach(() => service.stop());

it('a subscription whose process dies before the commit does not exist, and a retry creates and announces it once', async () => {
  const subscribe = () =>
    service.client.subscribe(callAs(editor), {
      form_id,
      target_url: 'https://hooks.example.org/a',
      event: 'submission.created',
      source: 'zapier',
    });
  const breaking = await connectionsDieAt(service.db, 'before insert on outbox');
  await expect(subscribe()).rejects.toMatchObject({ code: 'unavailable' });
  expect(await breaking.deaths()).toBe(1);
  await breaking.end();
  await expect(service.db('subscription')).resolves.toEqual([]);

  const made = await subscribe();
  await expect(subscribe()).resolves.toEqual(made);
  await eventually(() => expect(service.announced(made.id)).toMatchObject([{ id: made.id, state: 'active', revision: 1 }]));
});

it('a process that dies while handling the end of an access leaves it to the next try', async () => {
  const made = await service.client.subscribe(callAs(editor), {
    form_id,
    target_url: 'https://hooks.example.org/a',
    event: 'submission.created',
    source: 'zapier',
  });
  const ended: DomainEvent = {
    id: newId(),
    type: 'standing.changed',
    instanceId,
    subject: editor.id,
    occurredAt: service.deps.clock.now(),
    body: JSON.stringify({ kind: 'user', id: editor.id, roles: {}, scopes: [] }),
  };
  const handle = () => endUnentitled(service.deps, silentLog(), [ended]);
  const breaking = await connectionsDieAt(service.db, 'before insert on outbox');
  await expect(handle()).rejects.toThrow();
  expect(await breaking.deaths()).toBe(1);
  await breaking.end();
  await expect(service.db('subscription').where({ active: true })).resolves.toHaveLength(1);

  await handle();
  await handle();
  await eventually(() =>
    expect(service.announced(made.id)).toMatchObject([
      { state: 'active', revision: 1 },
      { state: 'inactive', revision: 2 },
    ]),
  );
});
