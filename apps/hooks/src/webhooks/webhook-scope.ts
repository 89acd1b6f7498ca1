import {
  authorize,
  authorizeIn,
  authorizeOnInstance,
  canActOnForm,
  formRole,
  hasScope,
  isId,
  Problem,
  type Client,
  type FormAction,
} from '@sheaf/kernel';
import type { Transaction } from '@sheaf/postgres';
import { toFormAccess, type Asked } from '@sheaf/rpc';
import type { Deps } from '../deps';
import { refuseUnentitled, refuseUnentitledBeyondForms } from '../entitlement/entitlement';
import { followIfMoved } from '../entitlement/follow-forms';
import type { SubscriptionRow, WebhookScope } from '../subscription/subscriptions.queries';

/** The form or the workspace that a request names; neither for the whole instance. */
export interface Named {
  formId?: string | undefined;
  workspaceId?: string | undefined;
}

/** A scope in which the caller is authorized. */
export interface AuthorizedScope {
  scope: WebhookScope;
  /** The columns of a webhook that is created or renewed here. */
  columns: Pick<SubscriptionRow, 'form_id' | 'workspace_id' | 'form_creator_id'>;
  /** Whether the caller may change webhooks here. */
  mayChange: boolean;
  /** @throws Problem `bad_request` if the form is in the trash */
  refuseTrashed: () => void;
  /** Call this in the transaction in which the caller creates or renews a webhook. @throws Problem `forbidden` */
  refuseUnentitled: (trx: Transaction, wanted: SubscriptionRow, now: Date) => Promise<void>;
  /** Call this after the transaction: the form may have moved meanwhile. */
  followIfMoved: () => Promise<void>;
}

type Action = 'read' | 'change';

/**
 * Webhooks of a form are read by everybody with a role on it and changed by its owners and editors. Those of a workspace belong to its owners
 * and admins, those of the instance to the people who run it and to the service accounts that they made, because these see every form.
 * @throws Problem `not_found`, `forbidden`
 */
export async function authorizeOn(deps: Deps, asked: Asked<Client>, named: Named, action: Action): Promise<AuthorizedScope> {
  if (named.formId !== undefined) return authorizeOnForm(deps, asked, named.formId, formActions[action]);
  return authorizeBeyondForms(asked, named.workspaceId);
}

const formActions = {
  read: 'read webhooks of this form',
  change: 'change webhooks of this form',
} as const satisfies Record<Action, FormAction>;

async function authorizeOnForm(deps: Deps, asked: Asked<Client>, formId: string, action: FormAction): Promise<AuthorizedScope> {
  const { caller, call } = asked;
  if (!isId(formId)) throw Problem.notFound('form');
  const form = await deps.forms.getFormAccess(call, { form_id: formId });
  const access = toFormAccess(form);
  const role = formRole(caller, access);
  authorize(role, action);
  return {
    scope: { instanceId: caller.instanceId, formId },
    columns: { form_id: formId, workspace_id: form.workspace_id, form_creator_id: form.creator_id },
    mayChange: canActOnForm(role, formActions.change),
    refuseTrashed: () => {
      if (form.status === 'trashed') throw Problem.badRequest('The form is in the trash and cannot be changed.');
    },
    refuseUnentitled: (trx, wanted, now) => refuseUnentitled(trx, caller, { form: { ...access, id: formId }, wanted, now }),
    followIfMoved: () => followIfMoved(deps, asked, form),
  };
}

function authorizeBeyondForms({ caller }: Asked<Client>, workspaceId: string | undefined): AuthorizedScope {
  if (caller.kind === 'service_account') {
    // Service accounts are members of no workspace.
    if (workspaceId !== undefined) throw Problem.forbidden('Only members can use the webhooks of a workspace.');
    if (!hasScope(caller, 'hooks:manage')) throw Problem.forbidden('The service account lacks the scope hooks:manage.');
  } else if (workspaceId === undefined) authorizeOnInstance(caller, 'manage webhooks of this instance');
  else {
    const role = isId(workspaceId) ? caller.roles[workspaceId] : undefined;
    // Workspaces that do not exist are not known here either.
    if (role === undefined) throw Problem.notFound('workspace');
    authorizeIn(role, 'manage webhooks of this workspace');
  }
  return {
    scope: { instanceId: caller.instanceId, workspaceId },
    columns: { form_id: null, workspace_id: workspaceId ?? null, form_creator_id: null },
    mayChange: true,
    refuseTrashed: () => undefined,
    refuseUnentitled: (trx, wanted, now) => refuseUnentitledBeyondForms(trx, caller, { wanted, now }),
    followIfMoved: () => Promise.resolve(),
  };
}
