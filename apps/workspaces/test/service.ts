import { Broker, startRelay } from '@sheaf/events';
import { problemOf, type Database } from '@sheaf/postgres';
import { connect, serve, Workspaces, type Client, type WorkspacesDefinition } from '@sheaf/rpc';
import { brokerUrl, freshDatabase, servingSettings, testProcess, verifyTestCaller, type TestClock } from '@sheaf/testing';
import { migrations } from '../src/migrations';
import { doors } from '../src/server';
import { sessionTokens } from '../src/session-token';
import type { ThrottleSettings } from '../src/sign-in-throttle';

/** The service behind its real doors, on a database of its own. */
export async function startService(clock: TestClock, changed: Partial<ThrottleSettings> = {}): Promise<{ db: Database; broker: Broker; client: Client<WorkspacesDefinition>; stop: () => Promise<void> }> {
  const own = testProcess('workspaces');
  const { db } = await freshDatabase(migrations);
  own.onStop('postgres', () => db.destroy());
  const broker = await Broker.connect(own, brokerUrl());
  const outbox = startRelay(own, { db, broker, source: 'workspaces', clock, settings: { OUTBOX_REPUBLISH_MS: 30_000, OUTBOX_POLL_MS: 100 } });
  const settings = {
    SESSION_DAYS: 30,
    INVITATION_DAYS: 7,
    AUDIT_LOG_DAYS: 365,
    SIGN_IN_FAILURES: 10,
    SIGN_IN_FAILURES_PER_ADDRESS: 50,
    SIGN_IN_FAILURES_PER_ACCOUNT: 100,
    SIGN_IN_WINDOW_MS: 900_000,
    ...changed,
  };
  const deps = { db, outbox, clock, sessionTokens: sessionTokens('x'.repeat(32), clock), settings };
  const port = await serve(own, { protocol: Workspaces, doors: doors(deps), verify: verifyTestCaller, settings: servingSettings, problemOf });
  const connection = connect(`127.0.0.1:${port}`, Workspaces);
  own.onStop('client', () => connection.close());
  return { db, broker, client: connection.client, stop: () => own.stop() };
}
