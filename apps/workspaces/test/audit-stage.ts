import { audited, type Actor, type Broker, type Deed } from '@sheaf/events';
import { newId, type User, type WorkspaceRole } from '@sheaf/kernel';
import type { Database } from '@sheaf/postgres';
import type { Client, WorkspacesDefinition } from '@sheaf/rpc';
import { silentLog } from '@sheaf/runtime';
import { aUser, callAs, TestClock } from '@sheaf/testing';
import { storeAudit } from '../src/audit-log/store-audit';
import { cheapHash } from './cheap-hash';
import { startService } from './service';

interface OutboxRow {
  id: string;
  type: string;
  instance_id: string;
  subject: string;
  occurred_at: Date;
  body: string;
}

export const clock = new TestClock();
export const ownerId = newId();
export let instanceId: string;
export let workspaceId: string;
export let db: Database;
export let broker: Broker;
export let client: Client<WorkspacesDefinition>;

/** Runs the service during the tests of a file. Each test has its own instance, with a workspace and its owner. */
export function useAuditLog(): void {
  let passwordHash: string;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ db, broker, client, stop } = await startService(clock));
    passwordHash = await cheapHash('correct horse');
  });
  afterAll(() => stop());
  beforeEach(() => newInstance(passwordHash));
}

async function newInstance(passwordHash: string): Promise<void> {
  [instanceId, workspaceId] = [newId(), newId()];
  const now = clock.now();
  await db('instance').insert({ id: instanceId, name: 'Test', created_at: now });
  await db('workspace').insert({
    id: workspaceId,
    instance_id: instanceId,
    name: 'Main',
    slug: workspaceId,
    color: '',
    created_at: now,
    updated_at: now,
  });
  await db('person').insert({
    id: ownerId,
    instance_id: instanceId,
    email: 'olga@example.org',
    name: 'Olga',
    avatar_url: '',
    password_hash: passwordHash,
    created_at: now,
  });
  await db('member').insert({
    workspace_id: workspaceId,
    instance_id: instanceId,
    person_id: ownerId,
    role: 'owner',
    is_default: true,
    created_at: now,
  });
  await db('instance_member').insert({ instance_id: instanceId, person_id: ownerId, role: 'owner', created_at: now });
}

export const as = (role: WorkspaceRole, workspace = workspaceId): User =>
  aUser({ id: ownerId, instanceId, workspaceId: workspace, roles: { [workspace]: role }, via: 'session' });
/** A caller who also owns the instance. */
export const owner = (): User => ({ ...as('owner'), instanceRole: 'owner' });
export const read = (filter: object = {}, by: User = owner()) => client.listAuditLog(callAs(by), { limit: 100, offset: 0, ...filter });
export const actions = async (filter: object = {}, by?: User) => (await read(filter, by)).entries.map(({ action }) => action);
export const entry = (deed: Partial<Deed> = {}, by: Actor = owner(), at = clock.now()) =>
  audited(
    { caller: by, call: { requestId: 'request-1', address: '203.0.113.7' } },
    { action: 'form.updated', target: { kind: 'form', id: newId() }, workspaceId, ...deed },
    at,
  );
export const store = (...events: ReturnType<typeof entry>[]) => storeAudit({ db }, silentLog(), events);
/** Stores the entries that the service has recorded, as its consumer would. */
export const storeRecorded = async () => {
  const rows = await db<OutboxRow>('outbox').where({ type: 'audit.recorded', instance_id: instanceId });
  await store(
    ...rows.map((row) => ({
      id: row.id,
      type: 'audit.recorded' as const,
      instanceId,
      subject: row.subject,
      occurredAt: row.occurred_at,
      body: row.body,
    })),
  );
};
