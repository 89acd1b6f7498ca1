import { audited, record } from '@sheaf/events';
import { Problem } from '@sheaf/kernel';
import { deleteServiceAccount } from '../credentials/service-accounts';
import type { By, CommandDeps } from '../deps';
import type { Manager } from '../members/manager';
import { erasePerson } from '../people/erase-person';
import { eraseWorkspace } from '../workspace/erase-workspace';
import * as erasing from './erase-instance.queries';

const atOnce = 100;

/**
 * Erases an instance for good: its workspaces, whose forms `forms` then erases, its people, service accounts and keys. Each step is a
 * transaction of its own, so a repeated command goes on. Forms under legal hold stay until it is lifted. The audit log stays.
 * @returns how many there were
 */
export async function eraseInstance(
  deps: Pick<CommandDeps, 'db' | 'outbox' | 'clock'>,
  asked: By<Manager>,
): Promise<{ workspaces: number; people: number; service_accounts: number }> {
  const { instanceId } = asked.caller;
  const workspaces = await each(
    () => erasing.workspacesOf(deps.db, instanceId, atOnce),
    (id) => eraseWorkspace(deps, asked, { id }, { mayBeLast: true }),
  );
  const people = await each(
    () => erasing.peopleOf(deps.db, instanceId, atOnce),
    (id) => erasePerson(deps, asked, { id }, { mayBeLast: true }),
  );
  const service_accounts = await each(
    () => erasing.serviceAccountsOf(deps.db, instanceId, atOnce),
    (id) => deleteServiceAccount(deps, asked, { id }),
  );
  await deps.outbox.transaction(async (trx) => {
    if (!(await erasing.deleteInstance(trx, instanceId))) throw Problem.notFound('instance');
    const details = { count: workspaces + people + service_accounts };
    await record(
      trx,
      audited(asked, { action: 'instance.erased', target: { kind: 'instance', id: instanceId }, details }, deps.clock.now()),
    );
  });
  return { workspaces, people, service_accounts };
}

/** Works through a list that gets shorter with each item. */
async function each(next: () => Promise<string[]>, work: (id: string) => Promise<unknown>): Promise<number> {
  let done = 0;
  for (let ids = await next(); ids.length > 0; ids = await next()) {
    for (const id of ids) await work(id);
    done += ids.length;
  }
  return done;
}
