import { Broker, startRelay, type DomainEvent } from '@sheaf/events';
import { newId, Problem, type FolderAccess } from '@sheaf/kernel';
import { problemOf, type Database } from '@sheaf/postgres';
import { clientsWith, connect, Forms, open, serve, Workspaces, type Client, type FormsDefinition } from '@sheaf/rpc';
import {
  brokerUrl,
  eachOnce,
  freshDatabase,
  servingSettings,
  startNeighbour,
  testProcess,
  verifyTestCaller,
  type TestClock,
} from '@sheaf/testing';
import { z } from 'zod';
import type { Deps } from '../src/deps';
import { migrations } from '../src/migrations';
import { doors } from '../src/server';
import { unfileForms } from '../src/filing/unfile-forms';
import { readXlsForm } from '../src/xlsform/read-xlsform';

/** The data of the stand-in for `workspaces`, which tests may change. */
export interface WorkspacesData {
  folders: Map<string, FolderAccess & { instanceId: string }>;
  /** By id; the instance is the one in which they are members. */
  people: Map<string, { instanceId: string; name: string; email: string; roles?: Record<string, string> }>;
}

export interface Query {
  sql: string;
  bindings: (string | number)[];
}

export interface Service extends WorkspacesData {
  db: Database;
  broker: Broker;
  client: Client<FormsDefinition>;
  /** All statements about forms that the service has run, except the relay's. */
  statements: string[];
  /** The same, with their values. */
  queries: Query[];
  deliverFolderDeleted: (instanceId: string, ...folderIds: string[]) => Promise<void>;
  /** Records published events from now on. @returns a function that returns those of one form. */
  recordEvents: () => Promise<(formId: string) => unknown[]>;
  stop: () => Promise<void>;
}

/** The thread's code is a file of the bundle. */
const inThisThread = { read: (file: Buffer) => readXlsForm(file) };

/** Starts the service with its real doors and its own database. */
export async function startService(
  clock: TestClock,
  changed: Partial<Deps['settings']> = {},
  xlsForms: Deps['xlsForms'] = inThisThread,
): Promise<Service> {
  const settings = { FORMS_MAX_GRANTS: 1_000, SLUG_QUARANTINE_DAYS: 90, ...changed };
  const process = testProcess('forms');
  const { db } = await freshDatabase(migrations);
  process.onStop('postgres', () => db.destroy());
  const statements: string[] = [];
  const queries: Query[] = [];
  db.on('query', ({ sql, bindings }: Query) => {
    if (/outbox|advisory|BEGIN|COMMIT|ROLLBACK|synchronous_commit/i.test(sql)) return;
    statements.push(sql);
    queries.push({ sql, bindings });
  });

  const data: WorkspacesData = { folders: new Map(), people: new Map() };
  const workspaces = await startWorkspaces(data);
  process.onStop('workspaces', () => workspaces.stop());

  const broker = await Broker.connect(process, brokerUrl());
  const outbox = startRelay(process, {
    db,
    broker,
    source: 'forms',
    clock,
    settings: { OUTBOX_REPUBLISH_MS: 30_000, OUTBOX_POLL_MS: 100 },
  });
  const deps = { db, outbox, clock, workspaces: workspaces.client, xlsForms, settings };
  const port = await serve(process, {
    protocol: Forms,
    doors: doors(deps),
    verify: verifyTestCaller,
    settings: servingSettings,
    problemOf,
  });
  const connection = connect(`127.0.0.1:${port}`, Forms);
  process.onStop('client', () => connection.close());

  return {
    db,
    broker,
    client: connection.client,
    ...data,
    statements,
    queries,
    deliverFolderDeleted: (instanceId, ...ids) =>
      unfileForms(
        deps,
        process.log,
        ids.map((id) => folderDeleted(instanceId, id, clock.now())),
      ),
    recordEvents: async () => {
      const recorded: DomainEvent[] = [];
      broker.listen('sheaf.events.forms.>', { onEvent: eachOnce((event) => recorded.push(event)), onGap: () => undefined });
      await broker.connection.flush();
      return (formId) => recorded.filter((event) => event.formId === formId).map((event) => JSON.parse(event.body) as unknown);
    },
    stop: () => process.stop(),
  };
}

/** Starts a stand-in for `workspaces`. */
const startWorkspaces = ({ folders, people }: WorkspacesData) =>
  startNeighbour(Workspaces, {
    getFolder: open(clientsWith('forms:write'), z.object({ id: z.string() }), ({ id }, { caller }) => {
      const folder = folders.get(id);
      if (folder?.instanceId !== caller.instanceId) return Promise.reject(Problem.notFound('folder'));
      return Promise.resolve({ id, workspace_id: folder.workspaceId, creator_kind: folder.creator.kind, creator_id: folder.creator.id });
    }),
    findPeople: open(
      clientsWith('forms:read', 'forms:write', 'submissions:write'),
      z.object({ ids: z.array(z.string()) }),
      ({ ids }, { caller }) => {
        const found = ids.flatMap((id) => {
          const person = people.get(id);
          return person?.instanceId === caller.instanceId
            ? [{ id, name: person.name, email: person.email, roles: person.roles ?? {} }]
            : [];
        });
        return Promise.resolve({ people: found });
      },
    ),
    findPersonByEmail: open(clientsWith('forms:write'), z.object({ email: z.string() }), ({ email }, { caller }) => {
      const found = [...people].find(([, person]) => person.email === email && person.instanceId === caller.instanceId);
      return Promise.resolve({
        people: found ? [{ id: found[0], name: found[1].name, email, roles: found[1].roles ?? {} }] : [],
      });
    }),
  });

const folderDeleted = (instanceId: string, id: string, occurredAt: Date): DomainEvent => ({
  id: newId(),
  type: 'folder.deleted',
  instanceId,
  subject: id,
  occurredAt,
  body: JSON.stringify({ folder_id: id }),
});
