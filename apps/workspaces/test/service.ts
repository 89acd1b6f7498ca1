import { Broker, startRelay } from '@sheaf/events';
import { newId, type FormRole } from '@sheaf/kernel';
import { problemOf, type Database } from '@sheaf/postgres';
import { connect, serve, Workspaces, type Client, type WorkspacesDefinition } from '@sheaf/rpc';
import { brokerUrl, freshDatabase, servingSettings, testProcess, verifyTestCaller, type TestClock } from '@sheaf/testing';
import { migrations } from '../src/migrations';
import { noteGrants } from '../src/members/note-grants';
import { doors } from '../src/server';
import { sessionTokens } from '../src/sessions/session-token';
import type { ThrottleSettings } from '../src/sessions/throttle-settings';

export interface Service {
  db: Database;
  broker: Broker;
  client: Client<WorkspacesDefinition>;
  /** Delivers an event about a grant, as `forms` would. */
  hearOfGrant: (instanceId: string, grant: { form_id: string; workspace_id: string; user_id: string; role?: FormRole }) => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts the service with its real doors and its own database. */
export async function startService(clock: TestClock, changed: Partial<ThrottleSettings> = {}): Promise<Service> {
  const process = testProcess('workspaces');
  const { db } = await freshDatabase(migrations);
  process.onStop('postgres', () => db.destroy());
  const broker = await Broker.connect(process, brokerUrl());
  const outbox = startRelay(process, {
    db,
    broker,
    source: 'workspaces',
    clock,
    settings: { OUTBOX_REPUBLISH_MS: 30_000, OUTBOX_POLL_MS: 100 },
  });
  const settings = {
    SESSION_DAYS: 30,
    SESSION_IDLE_DAYS: 14,
    INVITATION_DAYS: 7,
    AUDIT_LOG_DAYS: 365,
    SLUG_QUARANTINE_DAYS: 90,
    SIGN_IN_FAILURES: 10,
    SIGN_IN_FAILURES_PER_ADDRESS: 50,
    SIGN_IN_FAILURES_PER_ACCOUNT: 100,
    SIGN_IN_WINDOW_MS: 900_000,
    ...changed,
  };
  const deps = { db, outbox, clock, sessionTokens: sessionTokens(['x'.repeat(32)], clock), settings };
  const port = await serve(process, {
    protocol: Workspaces,
    doors: doors(deps),
    verify: verifyTestCaller,
    settings: servingSettings,
    problemOf,
  });
  const connection = connect(`127.0.0.1:${port}`, Workspaces);
  process.onStop('client', () => connection.close());
  const hearOfGrant: Service['hearOfGrant'] = (instanceId, grant) =>
    noteGrants(deps, process.log, [
      {
        id: newId(),
        type: 'grant.changed',
        instanceId,
        subject: `${grant.form_id}:${grant.user_id}`,
        formId: grant.form_id,
        occurredAt: clock.now(),
        body: JSON.stringify(grant),
      },
    ]);
  return { db, broker, client: connection.client, hearOfGrant, stop: () => process.stop() };
}
