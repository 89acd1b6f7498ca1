import { createEgress } from '@sheaf/egress';
import { Broker, consume, startRelay, type DomainEvent } from '@sheaf/events';
import { newId, Problem, type FormRole } from '@sheaf/kernel';
import { problemOf, type Database } from '@sheaf/postgres';
import { clientsWith, connect, Forms, Hooks, open, serve, type Client, type HooksDefinition } from '@sheaf/rpc';
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
import { deactivateGone } from '../src/subscription/deactivate-gone';
import type { Deps } from '../src/deps';
import { migrations } from '../src/migrations';
import { doors } from '../src/server';

/** The only private address that may be called. */
export const privateOrigin = 'http://127.0.0.1:5678';

/** A form as `forms` knows it. */
export interface KnownForm {
  instanceId: string;
  workspaceId: string;
  status: string;
  grants: Record<string, FormRole>;
  creatorId?: string;
  fields?: readonly { key: string; [setting: string]: unknown }[];
  /** As an earlier version answers. */
  tellsKeysAlone?: boolean;
}

export interface Service {
  db: Database;
  deps: Deps;
  client: Client<HooksDefinition>;
  /** The changes of a subscription that were announced to `delivery`. */
  announced: (id: string) => object[];
  stop: () => Promise<void>;
}

/** Starts the service with its real doors and its own database, and a stand-in for `forms` with these forms. */
export async function startService(
  clock: TestClock,
  forms: ReadonlyMap<string, KnownForm>,
  settings = { HOOK_SOURCES: ['zapier', 'make'], HOOKS_MAX_PER_FORM: 100 },
): Promise<Service> {
  const process = testProcess('hooks');
  const { db } = await freshDatabase(migrations);
  process.onStop('postgres', () => db.destroy());

  const neighbour = await startForms(forms);
  process.onStop('forms', () => neighbour.stop());

  const broker = await Broker.connect(process, brokerUrl());
  const outbox = startRelay(process, {
    db,
    broker,
    source: 'hooks',
    clock,
    settings: { OUTBOX_REPUBLISH_MS: 30_000, OUTBOX_POLL_MS: 100 },
  });
  const deps = { db, outbox, clock, forms: neighbour.client, egress: testEgress(), listenerLeaseMs: 10, settings };

  const published: DomainEvent[] = [];
  consume(process, { broker, durable: 'hooks', source: 'delivery', handle: (events) => deactivateGone(deps, process.log, events) });
  broker.listen('sheaf.events.hooks.>', { onEvent: eachOnce((event) => published.push(event)), onGap: () => undefined });
  const port = await serve(process, {
    protocol: Hooks,
    doors: doors(deps),
    verify: verifyTestCaller,
    settings: servingSettings,
    problemOf,
  });
  const connection = connect(`127.0.0.1:${port}`, Hooks);
  process.onStop('client', () => connection.close());
  return {
    db,
    deps,
    client: connection.client,
    announced: (id) => {
      const changes = published.filter(({ subject }) => subject === id);
      // Confirm in place of `delivery`, because the next event arrives only after the confirmation.
      broker.confirm(
        'hooks',
        'delivery',
        changes.map((event) => event.id),
      );
      return changes.map(({ body }) => JSON.parse(body) as object);
    },
    stop: () => process.stop(),
  };
}

/** Starts a stand-in for `forms` with these forms. */
const startForms = (forms: ReadonlyMap<string, KnownForm>) =>
  startNeighbour(Forms, {
    getFormAccess: open(clientsWith('hooks:manage'), z.object({ form_id: z.string() }), ({ form_id }, { caller }) => {
      const form = forms.get(form_id);
      if (form?.instanceId !== caller.instanceId) return Promise.reject(Problem.notFound('form'));
      return Promise.resolve({
        form_id,
        workspace_id: form.workspaceId,
        creator_kind: 'user',
        creator_id: form.creatorId ?? newId(),
        grants: form.grants,
        status: form.status,
      });
    }),
    listFieldKeys: open(
      clientsWith('submissions:read'),
      z.object({ form_id: z.string(), labels: z.boolean(), fields: z.boolean() }),
      ({ form_id }) => {
        const { fields = [], tellsKeysAlone = false } = forms.get(form_id) ?? {};
        return Promise.resolve({
          keys: fields.map(({ key }) => key),
          fields: Buffer.from(tellsKeysAlone ? '' : JSON.stringify(fields)),
        });
      },
    ),
  });

function testEgress(): Deps['egress'] {
  const names = new Map([
    ['hooks.example.org', '1.1.1.1'],
    ['inside.example.org', '10.0.0.1'],
  ]);
  const resolve = (host: string) => Promise.resolve([names.get(host) ?? []].flat());
  return createEgress({ allowPrivateTargets: false, privateOrigins: [privateOrigin], resolve });
}
