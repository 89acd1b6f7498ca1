import { AccessChanged, AuditRecorded } from '@sheaf/contracts';
import { bodyOf, commandOutbox, readSince, type ReplayOptions, type ReplaySettings, type DomainEvent } from '@sheaf/events';
import { isId, newId, operatorIn, Problem } from '@sheaf/kernel';
import { revokePersonKey } from '../credentials/api-keys';
import { deleteServiceAccount, revokeServiceAccountKey } from '../credentials/service-accounts';
import type { CommandDeps } from '../deps';
import { erasePerson } from '../people/erase-person';
import { instanceOfServiceAccount, keyById, personExists } from './operator.queries';

/** The endings that are repeated, in this order: whoever holds a key is locked out at once. */
const endings = ['api_key.revoked', 'service_account.key_revoked', 'service_account.deleted', 'person.erased'] as const;
type Ending = (typeof endings)[number];

/** Something that was ended, as the audit log said it. `id` is that of the key, the service account or the person. */
export interface Ended {
  action: Ending;
  id: string;
  instance_id: string;
  at: Date;
}

export interface Replayed {
  /** Since when the stream has everything; null if it is gone. */
  stream_since: Date | null;
  /** Whether the stream has everything since the moment of the backup. */
  complete: boolean;
  /** All that is valid again: what is to be ended, or was just now. */
  ended: (Ended & { done: boolean; refused?: string })[];
  /** Other endings of that time, for a person to look at. */
  look_at: { action: string; target_id: string; instance_id: string; at: Date }[];
  /** Whether there are more of those than are named. */
  more_to_look_at: boolean;
}

/** A person decides about these: an entry says too little, or the state before may be wanted. Erased submissions are replayed by `submissions`. */
const others: ReadonlySet<string> = new Set([
  'sessions.ended',
  'password.changed',
  'service_account.updated',
  'member.removed',
  'member.role_changed',
  'instance_member.removed',
  'instance_member.role_changed',
  'invitation.revoked',
  'grant.removed',
  'form.erased',
  'workspace.erased',
  'instance.erased',
]);

/** How many of those are named. */
const maxShown = 1_000;

/**
 * Ends again what was ended after the moment of a backup and came back with it. It learns of that from the events that the stream still has. Only what
 * is valid now is ended, so repeating it ends nothing twice, and one that died is repeated.
 * With `apply` it does so, and otherwise says only what it would do. `except` are ids that are to stay, such as that of a person whose erasure was the mistake
 */
export async function replay(deps: CommandDeps, broker: ReplaySettings, { since, apply, except }: ReplayOptions): Promise<Replayed> {
  const { found, lookAt, streamSince } = await readEndings(broker, since);
  const order = (one: Ended) => endings.indexOf(one.action);
  const inOrder = [...found.values()].sort((a, b) => order(a) - order(b) || a.at.getTime() - b.at.getTime());
  // Without services, which is when this is best run, each of their transactions would wait for the relay.
  const unwaited = { ...deps, outbox: { transaction: deps.db.transaction.bind(deps.db) as CommandDeps['outbox']['transaction'] } };
  const ended: Replayed['ended'] = [];
  for (const one of inOrder) {
    if (except.includes(one.id) || !(await isBack(deps, one))) continue;
    ended.push({ ...one, ...(apply ? await end(unwaited, one) : { done: false }) });
  }
  if (apply) await commandOutbox(deps.db).transaction(() => Promise.resolve());
  return {
    stream_since: streamSince ?? null,
    complete: streamSince !== undefined && streamSince <= since,
    ended,
    look_at: lookAt.slice(0, maxShown),
    more_to_look_at: lookAt.length > maxShown,
  };
}

async function readEndings(broker: ReplaySettings, since: Date) {
  const found = new Map<string, Ended>();
  const lookAt: Replayed['look_at'] = [];
  const revokedKeys = await keysOfChanges(broker, since);
  // An entry's own time is not looked at: it may have been recorded before the moment and committed after it.
  const streamSince = await readSince(broker, { reader: 'workspaces', type: 'audit.recorded', source: 'any', since }, (event) => {
    const { instanceId, occurredAt: at } = event;
    const data = bodyOf(AuditRecorded, event);
    if (!data || !isId(instanceId) || !isId(data.target.id)) return;
    const { action, target } = data;
    const ending = endings.find((one) => one === action);
    if (ending) {
      // The entry names the account, and the change of access beside it the key.
      const ids = ending === 'service_account.key_revoked' ? (revokedKeys.get(momentOf(event)) ?? []) : [target.id];
      for (const id of ids) found.set(`${instanceId} ${id}`, { action: ending, id, instance_id: instanceId, at });
    } else if (others.has(action) && lookAt.length <= maxShown) {
      lookAt.push({ action, target_id: target.id, instance_id: instanceId, at });
    }
  });
  return { found, lookAt, streamSince };
}

const momentOf = ({ instanceId, occurredAt }: DomainEvent): string => `${instanceId} ${occurredAt.toISOString()}`;

/** The credentials whose access changed, by instance and moment. */
async function keysOfChanges(broker: ReplaySettings, since: Date): Promise<Map<string, string[]>> {
  const changes = new Map<string, string[]>();
  await readSince(broker, { reader: 'workspaces', type: 'access.changed', source: 'workspaces', since }, (event) => {
    const ids = bodyOf(AccessChanged, event)?.credential_ids.filter(isId) ?? [];
    if (ids.length > 0) changes.set(momentOf(event), [...(changes.get(momentOf(event)) ?? []), ...ids]);
  });
  return changes;
}

async function isBack({ db }: CommandDeps, { action, id, instance_id }: Ended): Promise<boolean> {
  if (action === 'person.erased') return personExists(db, instance_id, id);
  if (action === 'service_account.deleted') return (await instanceOfServiceAccount(db, id)) === instance_id;
  const key = await keyById(db, id);
  if (key?.instance_id !== instance_id) return false;
  return action === 'api_key.revoked' ? key.person_id !== null : key.service_account_id !== null;
}

/** One that is refused, such as the last owner of a workspace, does not stop the others. */
async function end(deps: CommandDeps, one: Ended): Promise<{ done: boolean; refused?: string }> {
  try {
    await endAgain(deps, one);
    return { done: true };
  } catch (error) {
    if (!(error instanceof Problem) || error.code === 'internal_error') throw error;
    return { done: false, refused: error.message };
  }
}

async function endAgain(deps: CommandDeps, { action, id, instance_id }: Ended): Promise<void> {
  const asked = { caller: operatorIn(instance_id), call: { requestId: newId() } };
  if (action === 'person.erased') await erasePerson(deps, asked, { id });
  else if (action === 'service_account.deleted') await deleteServiceAccount(deps, asked, { id });
  else {
    const key = await keyById(deps.db, id);
    if (action === 'api_key.revoked') await revokePersonKey(deps, asked, key?.person_id ?? '', id);
    else await revokeServiceAccountKey(deps, asked, { serviceAccountId: key?.service_account_id ?? '', id });
  }
}
