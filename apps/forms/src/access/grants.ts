import { audited, record, type Deed } from '@sheaf/events';
import { authorize, demandSession, isId, Problem, type Client, type FormRole } from '@sheaf/kernel';
import type { Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { formChanged } from '../form/form-changed';
import { loadForm, lockForm, mayLiftHold, refuseTrashed } from '../form/load-form';
import type { FormRow } from '../rows';
import { keepingOf } from '../settings/keeping.queries';
import { grantChanged } from './grant-changed';
import * as grants from './grants.queries';
import type { GrantRow } from './grants.queries';

/** A grant and its user; undefined for a user who no longer has a membership in the instance. */
export interface SeenGrant {
  grant: GrantRow;
  person: { name: string; email: string } | undefined;
}

export async function listGrants(deps: Deps, asked: Asked<Client>, { id }: { id: string }): Promise<SeenGrant[]> {
  const { form, role } = await loadForm(deps.db, asked.caller, id);
  authorize(role, 'see who has access to this form');
  const rows = await grants.grantsOf(deps.db, form.id);
  if (rows.length === 0) return [];
  const people = await findPeople(
    deps,
    asked,
    rows.map((grant) => grant.user_id),
  );
  return rows.map((grant) => ({ grant, person: people.get(grant.user_id) }));
}

/**
 * Grants a user a role on the form, or changes the granted role. The form's `updated_at` is unchanged.
 * @throws Problem `not_found` for a user without a membership in the instance; `forbidden` for a key that makes an owner.
 */
export async function putGrant(
  deps: Deps,
  asked: Asked<Client>,
  wanted: { id: string; userId: string; role: FormRole },
): Promise<SeenGrant> {
  await authorizeToGive(deps, asked.caller, wanted);
  // Before the transaction opens, because no row may stay locked during a call to another service.
  const person = isId(wanted.userId) ? (await findPeople(deps, asked, [wanted.userId])).get(wanted.userId) : undefined;
  if (!person) throw Problem.notFound('user');
  return giveGrant(deps, asked, { ...wanted, person: { ...person, id: wanted.userId } });
}

/** Like `putGrant`, for a person by their address. @throws Problem `bad_request` if nobody in the instance has it. */
export async function addGrant(
  deps: Deps,
  asked: Asked<Client>,
  wanted: { id: string; email: string; role: FormRole },
): Promise<SeenGrant> {
  await authorizeToGive(deps, asked.caller, wanted);
  const { people } = await deps.workspaces.findPersonByEmail(asked.call, { email: wanted.email });
  const [person] = people;
  if (!person) throw Problem.badRequest('email: is not the address of a person in this instance');
  return giveGrant(deps, asked, { ...wanted, person }, 'email');
}

/** An owner could do everything that the caller can, and for longer than their key is valid. */
async function authorizeToGive({ db }: Pick<Deps, 'db'>, caller: Client, { id, role }: { id: string; role: FormRole }): Promise<void> {
  authorize((await loadForm(db, caller, id)).role, 'decide who has access to this form');
  if (role === 'owner') demandSession(caller);
}

function giveGrant(
  deps: Deps,
  asked: Asked<Client>,
  wanted: { id: string; person: { id: string; name: string; email: string }; role: FormRole },
  namedBy: 'user_id' | 'email' = 'user_id',
): Promise<SeenGrant> {
  const { caller } = asked;
  const { person } = wanted;
  return deps.outbox.transaction(async (trx) => {
    const { form, role } = await lockForm(trx, caller, wanted.id);
    authorize(role, 'decide who has access to this form');
    refuseTrashed(form);
    // An owner by a grant lifts the hold.
    if (wanted.role === 'owner' && !mayLiftHold(caller, form) && (await keepingOf(trx, form.id)).legal_hold)
      throw Problem.forbidden('The form is under legal hold: only those who could lift it make somebody an owner.');

    const now = deps.clock.now();
    const { FORMS_MAX_GRANTS: max } = deps.settings;
    const grant = await grants.upsertGrant(trx, { form_id: form.id, user_id: person.id, role: wanted.role, created_at: now }, max);
    if (!grant) throw Problem.badRequest(`${namedBy}: the form is already shared with ${max} people, the maximum`);
    const deed = grantDeed('grant.given', form, person.id);
    await record(
      trx,
      formChanged(form, [form.slug], now),
      grantChanged(form, person.id, grant.role, now, asked.call),
      audited(asked, { ...deed, details: { role: grant.role } }, now),
    );
    return { grant, person };
  });
}

/** Revokes a grant. The user keeps any role that they have as the form's creator or through the workspace. */
export async function removeGrant(deps: Deps, asked: Asked<Client>, { id, userId }: { id: string; userId: string }): Promise<void> {
  await deps.outbox.transaction(async (trx) => {
    const { form, role } = await lockForm(trx, asked.caller, id);
    authorize(role, 'decide who has access to this form');
    const removed = isId(userId) && (await grants.deleteGrant(trx, form.id, userId));
    if (!removed) throw Problem.notFound('grant');
    refuseTrashed(form);
    const now = deps.clock.now();
    await record(
      trx,
      formChanged(form, [form.slug], now),
      grantChanged(form, userId, undefined, now, asked.call),
      audited(asked, grantDeed('grant.removed', form, userId), now),
    );
  });
}

const grantDeed = (action: 'grant.given' | 'grant.removed', { id: formId, workspace_id: workspaceId }: FormRow, userId: string): Deed => ({
  action,
  target: { kind: 'grant', id: userId },
  workspaceId,
  formId,
});

async function findPeople({ workspaces }: Deps, { call }: Asked, ids: string[]): Promise<Map<string, { name: string; email: string }>> {
  const { people } = await workspaces.findPeople(call, { ids });
  return new Map(people.map((person) => [person.id, person]));
}
