import { clientsWith, open, type Doors, type WorkspacesDefinition } from '@sheaf/rpc';
import type { WorkspaceRole } from '@sheaf/kernel';
import { addMember } from './members/add-member';
import { createApiKey, listApiKeys, revokeApiKey } from './credentials/api-keys';
import { authenticate } from './credentials/authenticate';
import { changeMemberRole } from './members/change-member-role';
import { createFolder } from './folders/create-folder';
import { createWorkspace } from './workspace/create-workspace';
import { deleteFolder } from './folders/delete-folder';
import type { Deps } from './deps';
import { erasureMessage } from './erasures/erasure-message';
import { getErasure, listErasures } from './erasures/read-erasures';
import { erasePerson, eraseProfile } from './people/erase-person';
import { findPeople, findPersonByEmail } from './people/find-people';
import { getMe } from './people/get-me';
import type { SeenAuditRow } from './audit-log/audit-log.queries';
import { listAuditLog } from './audit-log/list-audit-log';
import { listFolders } from './folders/list-folders';
import { listMembers } from './members/list-members';
import { loadFolder, type SeenFolder } from './folders/load-folder';
import * as people from './people/people.queries';
import type { MemberRow } from './people/people.queries';
import { getProfile, updateProfile, type Profile } from './people/profile';
import { removeMember } from './members/remove-member';
import { resolveHost } from './instances/resolve-host';
import type { KeyRow, PersonRow, WorkspaceRow } from './rows';
import {
  createServiceAccount,
  createServiceAccountKey,
  deleteServiceAccount,
  listServiceAccounts,
  revokeServiceAccountKey,
  updateServiceAccount,
  type ServiceAccountWithKeys,
} from './credentials/service-accounts';
import type { SignedIn } from './sessions/open-session';
import { acceptInvitation, currentSession, endSession, signIn } from './sessions/sessions';
import { signInWithLink } from './sessions/sign-in-links';
import { switchWorkspace } from './sessions/switch-workspace';
import { updateFolder } from './folders/update-folder';
import { eraseWorkspace } from './workspace/erase-workspace';
import { updateWorkspace } from './workspace/update-workspace';
import type { WorkspaceRecord } from './workspace/workspaces.queries';
import * as shapes from './shapes';

/**
 * The service's doors: the callers that each method admits, the shape of its request, and the translation between messages and use cases.
 */
export const doors = (deps: Deps): Doors<WorkspacesDefinition> => ({
  authenticate: open(['service'], shapes.authenticate, async (request) => {
    const row = await authenticate(deps, { instanceId: request.instance_id, credential: request.credential });
    return {
      id: row.person_id ?? row.service_account_id ?? '',
      kind: row.person_id === null ? 'service_account' : 'user',
      instance_id: request.instance_id,
      workspace_id: row.workspace_id ?? undefined,
      roles: row.roles ?? {},
      scopes: row.scopes ?? [],
      via: request.credential.startsWith('shf_') ? 'api_key' : 'session',
      credential_id: row.credential_id,
      expires_at: row.expires_at?.toISOString(),
    };
  }),
  resolveHost: open(['service'], shapes.resolveHost, async ({ host }) => {
    const { id, isNamed } = await resolveHost(deps, { host });
    return { id, is_named: isNamed };
  }),

  signIn: open(['service'], shapes.signIn, async (request, { call }) =>
    signedIn(await signIn(deps, call, { instanceId: request.instance_id, email: request.email, password: request.password })),
  ),
  signInWithLink: open(['service'], shapes.signInWithLink, async ({ instance_id, token }, { call }) =>
    signedIn(await signInWithLink(deps, call, { instanceId: instance_id, token })),
  ),
  acceptInvitation: open(['service'], shapes.acceptInvitation, async ({ instance_id, token, name, password }, { call }) =>
    signedIn(await acceptInvitation(deps, call, { instanceId: instance_id, token, name, password })),
  ),
  getSession: open(['user'], shapes.getSession, async (_, { caller }) => {
    const session = await currentSession(deps, caller);
    return {
      expires_at: session.expiresAt.toISOString(),
      user: me(session.person),
      workspace: session.workspace && workspace(session.workspace),
    };
  }),
  endSession: open(['user'], shapes.endSession, async (_, asked) => {
    await endSession(deps, asked);
    return {};
  }),

  getMe: open(clientsWith('forms:read'), shapes.getMe, (_, { caller }) => getMe(deps, caller)),
  getProfile: open(['user'], shapes.getProfile, async (_, { caller }) => profile(await getProfile(deps, caller))),
  updateProfile: open(['user'], shapes.updateProfile, async ({ patch }, asked) => profile(await updateProfile(deps, asked, patch))),
  eraseProfile: open(['user'], shapes.eraseProfile, async (wanted, asked) => ({ erasure_id: await eraseProfile(deps, asked, wanted) })),
  erasePerson: open(['user'], shapes.erasePerson, async (wanted, asked) => ({ erasure_id: await erasePerson(deps, asked, wanted) })),
  createWorkspace: open(['user'], shapes.createWorkspace, async (request, asked) =>
    ownWorkspace(await createWorkspace(deps, asked, request), 'owner'),
  ),
  updateWorkspace: open(['user'], shapes.updateWorkspace, async (request, asked) => {
    const updated = await updateWorkspace(deps, asked, request);
    return ownWorkspace(updated.workspace, updated.role);
  }),
  eraseWorkspace: open(['user'], shapes.eraseWorkspace, async (wanted, asked) => ({
    erasure_id: await eraseWorkspace(deps, asked, wanted),
  })),
  listWorkspaces: open(clientsWith('workspaces:manage'), shapes.listWorkspaces, async (_, { caller }) => {
    const rows = caller.kind === 'user' ? await people.workspacesOf(deps.db, caller.instanceId, caller.id) : [];
    return { workspaces: rows.map(workspace) };
  }),
  switchWorkspace: open(clientsWith('workspaces:manage'), shapes.switchWorkspace, async ({ workspace_id }, { caller }) =>
    workspace(await switchWorkspace(deps, caller, { workspaceId: workspace_id })),
  ),
  listMembers: open(clientsWith('workspaces:manage'), shapes.listMembers, async ({ workspace_id }, { caller }) => ({
    members: (await listMembers(deps, caller, { workspaceId: workspace_id })).map(member),
  })),
  addMember: open(['user'], shapes.addMember, async ({ workspace_id, email, name, role }, asked) => {
    const added = await addMember(deps, asked, { workspaceId: workspace_id, email, name, role });
    return {
      member: member({ ...added.person, role: added.role, created_at: added.createdAt }),
      invitation_token: added.invitation?.token,
      invitation: added.invitation?.state,
    };
  }),
  changeMemberRole: open(['user'], shapes.changeMemberRole, async ({ workspace_id, user_id, role }, asked) =>
    member(await changeMemberRole(deps, asked, { workspaceId: workspace_id, userId: user_id, role })),
  ),
  removeMember: open(['user'], shapes.removeMember, async ({ workspace_id, user_id }, asked) => {
    await removeMember(deps, asked, { workspaceId: workspace_id, userId: user_id });
    return {};
  }),
  findPeople: open(clientsWith('forms:read', 'forms:write', 'submissions:write'), shapes.findPeople, async ({ ids }, { caller }) => ({
    people: await findPeople(deps, caller, { ids }),
  })),
  findPersonByEmail: open(clientsWith('forms:write'), shapes.findPersonByEmail, async ({ email }, { caller }) => ({
    people: await findPersonByEmail(deps, caller, { email }),
  })),

  listFolders: open(clientsWith('forms:read'), shapes.listFolders, async (_, { caller }) => ({
    folders: (await listFolders(deps, caller)).map(folder),
  })),
  createFolder: open(clientsWith('forms:write'), shapes.createFolder, async (request, asked) =>
    folder(await createFolder(deps, asked, request)),
  ),
  updateFolder: open(clientsWith('forms:write'), shapes.updateFolder, async (request, asked) =>
    folder(await updateFolder(deps, asked, request)),
  ),
  deleteFolder: open(clientsWith('forms:write'), shapes.deleteFolder, async ({ id }, asked) => {
    await deleteFolder(deps, asked, { id });
    return {};
  }),
  getFolder: open(
    clientsWith('forms:write'),
    shapes.getFolder,
    async ({ id }, { caller }) => (await loadFolder(deps.db, caller, id)).folder,
  ),

  listApiKeys: open(['user'], shapes.listApiKeys, async (_, { caller }) => ({ api_keys: (await listApiKeys(deps, caller)).map(apiKey) })),
  createApiKey: open(['user'], shapes.createApiKey, async ({ name, expires_at }, asked) => {
    const { row, key } = await createApiKey(deps, asked, { name, expiresAt: expires_at === undefined ? undefined : new Date(expires_at) });
    return { ...apiKey(row), key };
  }),
  revokeApiKey: open(['user'], shapes.revokeApiKey, async ({ id }, asked) => {
    await revokeApiKey(deps, asked, { id });
    return {};
  }),

  listServiceAccounts: open(['user'], shapes.listServiceAccounts, async (_, { caller }) => ({
    service_accounts: (await listServiceAccounts(deps, caller)).map(serviceAccount),
  })),
  createServiceAccount: open(['user'], shapes.createServiceAccount, async ({ name, scopes }, asked) => {
    const { account, key } = await createServiceAccount(deps, asked, { name, scopes });
    return { ...serviceAccount(account), key };
  }),
  updateServiceAccount: open(['user'], shapes.updateServiceAccount, async (request, asked) =>
    serviceAccount(await updateServiceAccount(deps, asked, request)),
  ),
  createServiceAccountKey: open(['user'], shapes.createServiceAccountKey, async ({ service_account_id, expires_at }, asked) => {
    const expiresAt = expires_at === undefined ? undefined : new Date(expires_at);
    const { row, key } = await createServiceAccountKey(deps, asked, { serviceAccountId: service_account_id, expiresAt });
    return { ...keyOf(row), key };
  }),
  revokeServiceAccountKey: open(['user'], shapes.revokeServiceAccountKey, async ({ service_account_id, id }, asked) => {
    await revokeServiceAccountKey(deps, asked, { serviceAccountId: service_account_id, id });
    return {};
  }),
  deleteServiceAccount: open(['user'], shapes.deleteServiceAccount, async ({ id }, asked) => {
    await deleteServiceAccount(deps, asked, { id });
    return {};
  }),

  listErasures: open(['user'], shapes.listErasures, async (page, { caller }) => {
    const { rows, nextCursor } = await listErasures(deps, caller, page);
    return { erasures: rows.map(erasureMessage), next_cursor: nextCursor };
  }),
  getErasure: open(['user'], shapes.getErasure, async (wanted, { caller }) => erasureMessage(await getErasure(deps, caller, wanted))),

  listAuditLog: open(['user'], shapes.listAuditLog, async ({ limit, offset, actor_id, action, target_id, from, to }, { caller }) => {
    const { rows, total } = await listAuditLog(deps, caller, {
      limit,
      offset,
      actorId: actor_id,
      action,
      targetId: target_id,
      from: momentOf(from),
      to: momentOf(to),
    });
    return { entries: rows.map(auditEntry), total };
  }),
});

const me = ({ id, email, name }: PersonRow) => ({ id, email, name });

const profile = ({ person, defaultWorkspaceId }: Profile) => ({
  ...me(person),
  avatar_url: person.avatar_url,
  default_workspace_id: defaultWorkspaceId,
  has_password: person.password_hash !== null,
});

const ownWorkspace = ({ id, name, color, slug, created_at, updated_at }: WorkspaceRecord, role: WorkspaceRole) => ({
  workspace: workspace({ id, name, color, role, created_at, updated_at }),
  slug,
});

const workspace = (row: WorkspaceRow) => ({ ...row, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() });

const member = ({ id, name, email, avatar_url, role, created_at }: MemberRow) => ({
  user_id: id,
  name,
  email,
  avatar_url,
  role,
  created_at: created_at.toISOString(),
});

const folder = ({ folder: row, role }: SeenFolder) => ({
  id: row.id,
  label: row.label,
  icon: row.icon,
  color: row.color,
  parent_id: row.parent_id ?? undefined,
  sort_order: row.sort_order,
  role,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const apiKey = (row: KeyRow) => ({ ...keyOf(row), name: row.name });

const keyOf = ({ id, prefix, created_at, last_used_at, expires_at }: KeyRow) => ({
  id,
  prefix,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString(),
  expires_at: expires_at?.toISOString(),
});

const serviceAccount = ({ id, name, scopes, created_at, keys }: ServiceAccountWithKeys) => ({
  id,
  name,
  scopes,
  created_at: created_at.toISOString(),
  keys: keys.map(keyOf),
});

const auditEntry = (row: SeenAuditRow) => ({
  id: row.id,
  action: row.action,
  actor: {
    kind: row.actor_kind,
    id: row.actor_id ?? undefined,
    name: row.actor_name ?? undefined,
    email: row.actor_email ?? undefined,
    via: row.via ?? undefined,
    credential_id: row.credential_id ?? undefined,
  },
  target: { kind: row.target_kind, id: row.target_id },
  workspace_id: row.workspace_id ?? undefined,
  form_id: row.form_id ?? undefined,
  address: row.address ?? undefined,
  request_id: row.request_id,
  details: row.details === null ? undefined : Buffer.from(JSON.stringify(row.details)),
  occurred_at: row.occurred_at.toISOString(),
});

const momentOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

const signedIn = ({ token, expiresAt, person, workspace: active }: SignedIn) => ({
  token,
  expires_at: expiresAt.toISOString(),
  user: me(person),
  workspace: active && workspace(active),
});
