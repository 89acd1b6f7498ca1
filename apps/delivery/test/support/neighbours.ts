import { newId, Problem } from '@sheaf/kernel';
import { clientsWith, Forms, Hooks, open } from '@sheaf/rpc';
import { startNeighbour, type TestProcess } from '@sheaf/testing';
import { z } from 'zod';
import type { Deps } from '../../src/deps';
import type { Listener } from '../../src/planning/remembered-listeners';

const Topics = z.object({ topics: z.array(z.object({ instance_id: z.string(), form_id: z.string(), event: z.string() })) });

/** A `hooks` whose active subscriptions the test sets. */
export interface FakeHooks {
  client: Deps['hooks'];
  listeners: Map<string, Listener>;
  /** The event types of each call's topics. */
  calls: string[][];
}

export async function startHooks(process: TestProcess): Promise<FakeHooks> {
  const listeners: FakeHooks['listeners'] = new Map();
  const calls: FakeHooks['calls'] = [];
  const { client, stop } = await startNeighbour(Hooks, {
    listListeners: open(['service'], Topics, ({ topics }) => {
      calls.push(topics.map(({ event }) => event));
      const matches = ({ form_id, event }: Listener) => topics.some((topic) => topic.form_id === form_id && topic.event === event);
      return Promise.resolve({ listeners: [...listeners.values()].filter(matches) });
    }),
  });
  process.onStop('hooks', stop);
  return { client, listeners, calls };
}

/** A `forms` that knows every form of one instance, all of them in one workspace. */
export async function startForms(
  process: TestProcess,
  { instanceId, workspaceId }: { instanceId: string; workspaceId: string },
): Promise<Deps['forms']> {
  const { client, stop } = await startNeighbour(Forms, {
    getFormAccess: open(clientsWith('hooks:manage'), z.object({ form_id: z.string() }), ({ form_id }, { caller }) =>
      caller.instanceId === instanceId
        ? Promise.resolve({ form_id, workspace_id: workspaceId, creator_kind: 'user', creator_id: newId(), grants: {}, status: 'active' })
        : Promise.reject(Problem.notFound('form')),
    ),
  });
  process.onStop('forms', stop);
  return client;
}
