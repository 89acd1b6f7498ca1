import { newId, Problem, systemClock } from '@sheaf/kernel';
import { clientsWith, Forms, Hooks, open, Submissions, type Client, type FormsDefinition, type SubmissionsDefinition } from '@sheaf/rpc';
import { startNeighbour, type TestProcess } from '@sheaf/testing';
import { z } from 'zod';
import type { Deps } from '../../src/deps';
import type { TestingDeps } from '../../src/payloads/test-webhook';
import { RememberedListeners, type Listener } from '../../src/planning/remembered-listeners';

const Topics = z.object({
  topics: z.array(z.object({ instance_id: z.string(), form_id: z.string(), event: z.string() })),
  places: z.array(z.object({ form_id: z.string(), workspace_id: z.string() })),
});

/** A webhook as `hooks` describes it to somebody who may change it. */
export interface FakeTarget {
  form_id?: string;
  workspace_id?: string;
  events: string[];
  url: string;
  payload: string;
  link_origin?: string;
  /** In JSON. */
  options?: string;
}

/** A `hooks` whose active subscriptions the test sets. */
export interface FakeHooks {
  client: Deps['hooks'];
  webhooks: TestingDeps['webhooks'];
  /** By id. */
  targets: Map<string, FakeTarget>;
  listeners: Map<string, Listener>;
  /** The event types of each call's topics. */
  calls: string[][];
}

export async function startHooks(process: TestProcess): Promise<FakeHooks> {
  const listeners: FakeHooks['listeners'] = new Map();
  const calls: FakeHooks['calls'] = [];
  const targets: FakeHooks['targets'] = new Map();
  /** Those of a form; without one, those of the instance. */
  const webhooksOf = (formId: string) =>
    [...listeners.values()]
      .filter(({ wide, form_id }) => (formId === '' ? wide : !wide && form_id === formId))
      .map(({ id, url, payload }) => ({ id, url, payload }));
  const { client, stop } = await startNeighbour(Hooks, {
    getWebhookTarget: open(clientsWith('hooks:manage'), z.object({ id: z.string(), form_id: z.string() }), ({ id }) => {
      const target = targets.get(id);
      return target ? Promise.resolve({ id, form_id: '', ...target }) : Promise.reject(Problem.notFound('webhook'));
    }),
    listWebhooks: open(clientsWith('hooks:manage'), z.object({ form_id: z.string() }), ({ form_id }) =>
      Promise.resolve({ webhooks: webhooksOf(form_id) }),
    ),
    getWebhook: open(clientsWith('hooks:manage'), z.object({ id: z.string(), form_id: z.string() }), ({ id, form_id }) => {
      const found = webhooksOf(form_id).find((one) => one.id === id);
      return found ? Promise.resolve(found) : Promise.reject(Problem.notFound('webhook'));
    }),
    listListeners: open(['service'], Topics, ({ topics }) => {
      calls.push(topics.map(({ event }) => event));
      const found = topics.flatMap((topic) =>
        [...listeners.values()]
          .filter(({ form_id, event, events, wide }) => (wide || form_id === topic.form_id) && (events ?? [event]).includes(topic.event))
          .map(({ link_origin, events, retry, options, ...one }) => ({
            ...one,
            ...topic,
            events: events ?? [],
            link_origin: link_origin ?? undefined,
            retry: retry ?? undefined,
            options: options === undefined ? undefined : options === null ? '' : JSON.stringify(options),
          })),
      );
      const isPlainAndActive = ({ active, options = '' }: (typeof found)[number]) => active && options === '';
      const named = (isActive: boolean) =>
        found
          .filter((one) => isPlainAndActive(one) === isActive)
          .map(({ active, ...one }) => ({ ...one, active_with_options: active && !isActive }));
      return Promise.resolve({ listeners: named(true), inactive: named(false) });
    }),
  });
  process.onStop('hooks', stop);
  // Without a lease each event is planned with what the test has set by then.
  const forms = { listFormPlaces: () => Promise.reject(new Error('no form needs its workspace here')) };
  return { client: new RememberedListeners({ hooks: client, forms, clock: systemClock }), webhooks: client, targets, listeners, calls };
}

/** A `forms` that knows every form of one instance, all of them in one workspace. */
export interface FakeForms {
  client: Client<FormsDefinition>;
  /** The fields of versions, under `<form> <version>`; `<form> latest` for the latest one. */
  fields: Map<string, object[]>;
  /** The ids of versions, under the same names; an earlier release tells none. */
  versionIds: Map<string, string>;
  /** How often fields were asked for. */
  asked: () => number;
  /** Whether it refuses to answer. */
  isDown: boolean;
}

export async function startForms(
  process: TestProcess,
  { instanceId, workspaceId }: { instanceId: string; workspaceId: string },
): Promise<FakeForms> {
  const fields: FakeForms['fields'] = new Map();
  const versionIds: FakeForms['versionIds'] = new Map();
  let asked = 0;
  const versionShape = z.object({ instance_id: z.string(), form_id: z.string(), version: z.int().optional() });
  const { client, stop } = await startNeighbour(Forms, {
    getFormAccess: open(clientsWith('hooks:manage'), z.object({ form_id: z.string() }), ({ form_id }, { caller }) =>
      caller.instanceId === instanceId
        ? Promise.resolve({ form_id, workspace_id: workspaceId, creator_kind: 'user', creator_id: newId(), grants: {}, status: 'active' })
        : Promise.reject(Problem.notFound('form')),
    ),
    getVersionFields: open(['service'], versionShape, ({ form_id, version }) => {
      asked++;
      const found = fields.get(`${form_id} ${version ?? 'latest'}`);
      if (forms.isDown) return Promise.reject(Problem.unavailable());
      if (!found) return Promise.reject(Problem.notFound('version'));
      const id = versionIds.get(`${form_id} ${version}`);
      return Promise.resolve({ version: version ?? 7, version_id: id, fields: Buffer.from(JSON.stringify(found)) });
    }),
  });
  process.onStop('forms', stop);
  const forms: FakeForms = { client, fields, versionIds, asked: () => asked, isDown: false };
  return forms;
}

/** The files of submissions that a `submissions` knows, by id. */
export type FakeFiles = Map<string, { name: string; content_type: string; size: number }>;

export async function startSubmissions(
  process: TestProcess,
): Promise<{ client: Client<SubmissionsDefinition>; files: FakeFiles; versionIds: Map<string, string> }> {
  const files: FakeFiles = new Map();
  /** By submission. */
  const versionIds = new Map<string, string>();
  const shape = z.object({
    instance_id: z.string(),
    form_id: z.string(),
    file_ids: z.array(z.string()),
    expires_at: z.string(),
    submission_id: z.string(),
  });
  const { client, stop } = await startNeighbour(Submissions, {
    describeFiles: open(['service'], shape, ({ file_ids, expires_at, submission_id }) =>
      Promise.resolve({
        version_id: versionIds.get(submission_id),
        files: file_ids.flatMap((id) => {
          const file = files.get(id);
          return file ? { id, ...file, token: `${id}-until-${expires_at}` } : [];
        }),
      }),
    ),
  });
  process.onStop('submissions', stop);
  return { client, files, versionIds };
}
