import { randomBytes } from 'node:crypto';
import { audited, record } from '@sheaf/events';
import { newId, operatorIn, Problem } from '@sheaf/kernel';
import { whenViolated, type Transaction } from '@sheaf/postgres';
import * as credentials from '../credentials/credentials.queries';
import { fingerprint, newKey, shownPrefix } from '../credentials/key';
import { hashPassword } from '../sessions/password';
import * as people from '../people/people.queries';
import { saveInstanceMember } from './instance-members.queries';

export interface NewInstance {
  name: string;
  /** A host of the instance besides those of its workspaces. */
  customDomain?: string | undefined;
  workspace: { name: string; slug: string };
  owner: { name: string; email: string };
}

/** The credentials of a new instance. Keep them private; they are stored nowhere else. */
export interface InstanceCredentials {
  api_key: string;
  instance_id: string;
  workspace_id: string;
  user: { id: string; email: string; password: string };
}

/**
 * Creates an instance with a workspace, its owner, who also owns the instance, and the owner's first key.
 * @throws Problem `conflict` if the slug or the domain is taken.
 */
export async function createInstance(trx: Transaction, wanted: NewInstance, now: Date): Promise<InstanceCredentials> {
  const instance = { id: newId(), name: wanted.name, custom_domain: wanted.customDomain ?? null, created_at: now };
  const workspace = { id: newId(), instance_id: instance.id, ...wanted.workspace, color: '', created_at: now, updated_at: now };
  await trx('instance')
    .insert(instance)
    .catch(whenViolated({ instance_custom_domain_key: () => Problem.conflict('The domain belongs to another instance.') }));
  await trx('workspace')
    .insert(workspace)
    .catch(whenViolated({ workspace_slug_key: () => Problem.conflict('The slug belongs to another workspace.') }));

  const password = randomBytes(12).toString('base64url');
  const password_hash = await hashPassword(password);
  const owner = await people.ensurePerson(trx, {
    id: newId(),
    instance_id: instance.id,
    ...wanted.owner,
    avatar_url: '',
    password_hash,
    first_signed_in_at: null,
    created_at: now,
  });
  await people.insertMember(trx, {
    workspace_id: workspace.id,
    instance_id: instance.id,
    person_id: owner.id,
    role: 'owner',
    created_at: now,
  });
  await saveInstanceMember(trx, { instance_id: instance.id, person_id: owner.id, role: 'owner', created_at: now });

  const key = newKey('user');
  await credentials.insertKey(trx, {
    id: newId(),
    instance_id: instance.id,
    person_id: owner.id,
    service_account_id: null,
    name: 'First key',
    prefix: shownPrefix(key),
    hash: fingerprint(key),
    created_at: now,
    last_used_at: null,
    expires_at: null,
  });
  const asked = { caller: operatorIn(instance.id), call: { requestId: newId() } };
  await record(trx, audited(asked, { action: 'instance.created', target: { kind: 'instance', id: instance.id } }, now));
  return { api_key: key, instance_id: instance.id, workspace_id: workspace.id, user: { id: owner.id, email: owner.email, password } };
}
