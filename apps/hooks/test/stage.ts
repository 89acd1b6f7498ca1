import type { DomainEvent } from '@sheaf/events';
import { newId, type User } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Client, HooksDefinition } from '@sheaf/rpc';
import { aUser, callAs, TestClock } from '@sheaf/testing';
import type { Deps } from '../src/deps';
import { startService, type KnownForm, type Service } from './service';

export const clock = new TestClock();
export const instanceId = newId();
export const workspaceId = newId();
export const forms = new Map<string, KnownForm>();
let service: Service;
export let db: Database;
export let deps: Deps;
export let client: Client<HooksDefinition>;

/** Runs the service during the tests of a file. */
export function useService(): void {
  beforeAll(async () => {
    service = await startService(clock, forms);
    ({ db, deps, client } = service);
  });
  afterAll(() => service.stop());
}

export const person = (): User => aUser({ instanceId, workspaceId, roles: { [newId()]: 'viewer' } });
export const viewer = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'viewer' } });
export const editor = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'editor' } });

export function aForm(values: Partial<KnownForm> = {}): string {
  const id = newId();
  forms.set(id, { instanceId, workspaceId, status: 'active', grants: {}, ...values });
  return id;
}

type Input = Partial<{ form_id: string; target_url: string; event: string; source: string }>;
export const subscribe = (input: Input, as: Parameters<typeof callAs>[0] = editor) =>
  client.subscribe(callAs(as), {
    form_id: aForm(),
    target_url: 'https://hooks.example.org/a',
    event: 'submission.created',
    source: 'zapier',
    ...input,
  });
export const unsubscribe = (id: string, as: Parameters<typeof callAs>[0] = editor) => client.unsubscribe(callAs(as), { id });
export const listeners = (
  topics: { instance_id: string; form_id: string; event: string }[],
  as: Parameters<typeof callAs>[0] = { kind: 'service', id: 'delivery' },
) => client.listListeners(callAs(as), { topics }).then((reply) => reply.listeners);
export const announced = (id: string) => service.announced(id);

/** The event that a subscriber has answered 410. */
export function gone(id: string, revision: number): DomainEvent {
  return {
    id: newId(),
    type: 'subscription.gone',
    instanceId,
    subject: id,
    occurredAt: clock.now(),
    body: JSON.stringify({ id, revision, reason: 'failing' }),
  };
}
