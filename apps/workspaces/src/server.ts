import * as api from '@sheaf/contracts';
import { answer, answerAs, clientsWith, open, type Doors, type WorkspacesDefinition } from '@sheaf/rpc';
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
import { listInstanceMembers, removeInstanceMember, setInstanceRole } from './instances/instance-members';
import { listAuditLog } from './audit-log/list-audit-log';
import { listFolders } from './folders/list-folders';
import { listMembers } from './members/list-members';
import { loadFolder } from './folders/load-folder';
import {
  apiKey,
  auditEntry,
  folder,
  invitation,
  keyOf,
  member,
  ownSession,
  ownWorkspace,
  profile,
  seenInvitation,
  serviceAccount,
  shownSession,
  signedIn,
  workspace,
} from './messages';
import * as people from './people/people.queries';
import { getPreferences, removePreference, setPreference } from './people/preferences';
import { getProfile, updateProfile } from './people/profile';
import { getInvitation, listInvitations, renewInvitationLink, revokeInvitation } from './members/pending-invitations';
import { removeMember } from './members/remove-member';
import { resolveHost } from './instances/resolve-host';
import {
  createServiceAccount,
  createServiceAccountKey,
  deleteServiceAccount,
  listServiceAccounts,
  revokeServiceAccountKey,
  updateServiceAccount,
} from './credentials/service-accounts';
import { endsUnusedAt } from './sessions/session-times';
import { endOtherSessions, endOwnSession, listSessions } from './sessions/own-sessions';
import { acceptInvitation, currentSession, endSession, signIn } from './sessions/sessions';
import { signInWithLink } from './sessions/sign-in-links';
import { switchWorkspace } from './sessions/switch-workspace';
import { updateFolder } from './folders/update-folder';
import { eraseWorkspace } from './workspace/erase-workspace';
import { updateWorkspace } from './workspace/update-workspace';
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
      instance_role: row.instance_role ?? undefined,
      via: request.credential.startsWith('shf_') ? 'api_key' : 'session',
      credential_id: row.credential_id,
      expires_at: row.expires_at?.toISOString(),
    };
  }),
  resolveHost: open(['service'], shapes.resolveHost, async ({ host }) => {
    const { id, isNamed, linkOrigin } = await resolveHost(deps, { host });
    return { id, is_named: isNamed, link_origin: linkOrigin };
  }),

  signIn: open(['service'], shapes.signIn, async ({ instance_id, email, password, user_agent, device, origin }, { call }) =>
    signedIn(await signIn(deps, call, { instanceId: instance_id, email, password, userAgent: user_agent, device, origin })),
  ),
  signInWithLink: open(['service'], shapes.signInWithLink, async ({ instance_id, token, user_agent, device, origin }, { call }) =>
    signedIn(await signInWithLink(deps, call, { instanceId: instance_id, token, userAgent: user_agent, device, origin })),
  ),
  acceptInvitation: answerAs(api.acceptInvitation, async ({ instance_id, user_agent, device, ...given }, { call }) =>
    signedIn(await acceptInvitation(deps, call, { instanceId: instance_id, userAgent: user_agent, device, ...given })),
  ),
  getSession: answer(api.getCurrentSession, async (_, { caller }) => shownSession(await currentSession(deps, caller))),
  endSession: answer(api.endCurrentSession, (_, asked) => endSession(deps, asked)),

  listSessions: answer(api.listSessions, async (page, { caller }) => {
    const { rows, total } = await listSessions(deps, caller, page);
    return { data: rows.map((row) => ownSession(row, endsUnusedAt(deps, row), caller.credentialId)), total };
  }),
  endOwnSession: answer(api.endSession, (wanted, asked) => endOwnSession(deps, asked, wanted)),
  endOtherSessions: answer(api.endOtherSessions, (_, asked) => endOtherSessions(deps, asked)),

  getMe: answer(api.getCaller, (_, { caller }) => getMe(deps, caller)),
  getProfile: answer(api.getProfile, async (_, { caller }) => profile(await getProfile(deps, caller))),
  updateProfile: answer(api.updateProfile, async ({ patch, device }, asked) => profile(await updateProfile(deps, asked, patch, device))),
  eraseProfile: answer(api.eraseProfile, async (wanted, asked) => ({ erasure_id: await eraseProfile(deps, asked, wanted) })),
  erasePerson: answer(api.erasePerson, async (wanted, asked) => ({ erasure_id: await erasePerson(deps, asked, wanted) })),
  getPreferences: answerAs(api.getPreferences, async (_, { caller }) => ({
    preferences: (await getPreferences(deps, caller)).map(({ key, value }) => ({ key, value: Buffer.from(value) })),
  })),
  setPreference: answerAs(api.setPreference, async ({ key, value }, { caller }) => {
    await setPreference(deps, caller, { key, value: JSON.stringify(value) });
    return {};
  }),
  removePreference: answer(api.removePreference, (wanted, { caller }) => removePreference(deps, caller, wanted)),
  createWorkspace: answerAs(api.createWorkspace, async (request, asked) =>
    ownWorkspace(await createWorkspace(deps, asked, request), 'owner'),
  ),
  updateWorkspace: answerAs(api.updateWorkspace, async (request, asked) => {
    const updated = await updateWorkspace(deps, asked, request);
    return ownWorkspace(updated.workspace, updated.role);
  }),
  eraseWorkspace: answer(api.eraseWorkspace, async (wanted, asked) => ({ erasure_id: await eraseWorkspace(deps, asked, wanted) })),
  listWorkspaces: answer(api.listWorkspaces, async (_, { caller }) => {
    const rows = caller.kind === 'user' ? await people.workspacesOf(deps.db, caller.instanceId, caller.id) : [];
    return { data: rows.map(workspace) };
  }),
  switchWorkspace: answer(api.switchWorkspace, async ({ workspace_id }, { caller }) =>
    workspace(await switchWorkspace(deps, caller, { workspaceId: workspace_id })),
  ),
  listMembers: answer(api.listWorkspaceMembers, async ({ workspace_id }, { caller }) => ({
    data: (await listMembers(deps, caller, { workspaceId: workspace_id })).map(member),
  })),
  addMember: answerAs(api.addWorkspaceMember, async ({ workspace_id, email, name, role }, asked) => {
    const added = await addMember(deps, asked, { workspaceId: workspace_id, email, name, role });
    return {
      member: member({ ...added.person, role: added.role, created_at: added.createdAt }),
      invitation_token: added.invitation?.token,
      invitation: added.invitation?.state,
    };
  }),
  getInvitation: answer(api.getInvitation, async ({ instance_id, token }) =>
    seenInvitation(await getInvitation(deps, { instanceId: instance_id, token })),
  ),
  listInvitations: answer(api.listInvitations, async ({ workspace_id }, { caller }) => ({
    data: (await listInvitations(deps, caller, { workspaceId: workspace_id })).map(invitation),
  })),
  renewInvitationLink: answerAs(api.renewInvitationLink, async ({ workspace_id, id }, asked) => {
    const { token, expiresAt } = await renewInvitationLink(deps, asked, { workspaceId: workspace_id, id });
    return { token, expires_at: expiresAt.toISOString() };
  }),
  revokeInvitation: answer(api.revokeInvitation, ({ workspace_id, id }, asked) =>
    revokeInvitation(deps, asked, { workspaceId: workspace_id, id }),
  ),
  changeMemberRole: answer(api.updateWorkspaceMember, async ({ workspace_id, user_id, role }, asked) =>
    member(await changeMemberRole(deps, asked, { workspaceId: workspace_id, userId: user_id, role })),
  ),
  removeMember: answer(api.removeWorkspaceMember, ({ workspace_id, user_id }, asked) =>
    removeMember(deps, asked, { workspaceId: workspace_id, userId: user_id }),
  ),
  findPeople: open(clientsWith('forms:read', 'forms:write', 'submissions:write'), shapes.findPeople, async ({ ids }, { caller }) => ({
    people: await findPeople(deps, caller, { ids }),
  })),
  findPersonByEmail: open(clientsWith('forms:write'), shapes.findPersonByEmail, async ({ email }, { caller }) => ({
    people: await findPersonByEmail(deps, caller, { email }),
  })),

  listFolders: answer(api.listFolders, async (_, { caller }) => ({ data: (await listFolders(deps, caller)).map(folder) })),
  createFolder: answer(api.createFolder, async (request, asked) => folder(await createFolder(deps, asked, request))),
  updateFolder: answer(api.updateFolder, async (request, asked) => folder(await updateFolder(deps, asked, request))),
  deleteFolder: answer(api.deleteFolder, ({ id }, asked) => deleteFolder(deps, asked, { id })),
  getFolder: open(
    clientsWith('forms:write'),
    shapes.getFolder,
    async ({ id }, { caller }) => (await loadFolder(deps.db, caller, id)).folder,
  ),

  listApiKeys: answer(api.listApiKeys, async (_, { caller }) => ({ data: (await listApiKeys(deps, caller)).map(apiKey) })),
  createApiKey: answer(api.createApiKey, async ({ name, expires_at }, asked) => {
    const { row, key } = await createApiKey(deps, asked, { name, expiresAt: expires_at === undefined ? undefined : new Date(expires_at) });
    return { ...apiKey(row), key };
  }),
  revokeApiKey: answer(api.revokeApiKey, ({ id }, asked) => revokeApiKey(deps, asked, { id })),

  listServiceAccounts: answer(api.listServiceAccounts, async (_, { caller }) => ({
    data: (await listServiceAccounts(deps, caller)).map(serviceAccount),
  })),
  createServiceAccount: answer(api.createServiceAccount, async ({ name, scopes }, asked) => {
    const { account, key } = await createServiceAccount(deps, asked, { name, scopes });
    return { ...serviceAccount(account), key };
  }),
  updateServiceAccount: answer(api.updateServiceAccount, async (request, asked) =>
    serviceAccount(await updateServiceAccount(deps, asked, request)),
  ),
  createServiceAccountKey: answer(api.createServiceAccountKey, async ({ service_account_id, expires_at }, asked) => {
    const expiresAt = expires_at === undefined ? undefined : new Date(expires_at);
    const { row, key } = await createServiceAccountKey(deps, asked, { serviceAccountId: service_account_id, expiresAt });
    return { ...keyOf(row), key };
  }),
  revokeServiceAccountKey: answer(api.revokeServiceAccountKey, ({ service_account_id, id }, asked) =>
    revokeServiceAccountKey(deps, asked, { serviceAccountId: service_account_id, id }),
  ),
  deleteServiceAccount: answer(api.deleteServiceAccount, ({ id }, asked) => deleteServiceAccount(deps, asked, { id })),

  listInstanceMembers: answer(api.listInstanceMembers, async (_, { caller }) => ({
    data: (await listInstanceMembers(deps, caller)).map(member),
  })),
  addInstanceMember: answer(api.addInstanceMember, async ({ email, role }, asked) =>
    member(await setInstanceRole(deps, asked, { who: { email }, role })),
  ),
  setInstanceRole: answer(api.updateInstanceMember, async ({ user_id, role }, asked) =>
    member(await setInstanceRole(deps, asked, { who: { id: user_id }, role })),
  ),
  removeInstanceMember: answer(api.removeInstanceMember, ({ user_id }, asked) =>
    removeInstanceMember(deps, asked, { who: { id: user_id } }),
  ),

  listErasures: answerAs(api.listErasures, async (page, { caller }) => {
    const { rows, nextCursor } = await listErasures(deps, caller, page);
    return { erasures: rows.map(erasureMessage), next_cursor: nextCursor };
  }),
  getErasure: answerAs(api.getErasure, async (wanted, { caller }) => erasureMessage(await getErasure(deps, caller, wanted))),

  listAuditLog: answer(api.listAuditEntries, async ({ limit, offset, ...wanted }, { caller }) => {
    const { rows, total } = await listAuditLog(deps, caller, {
      limit,
      offset,
      actorId: wanted.actor_id,
      actions: wanted.action ?? [],
      targetId: wanted.target_id,
      formId: wanted.form_id,
      workspaceId: wanted.workspace_id,
      from: momentOf(wanted.from),
      to: momentOf(wanted.to),
    });
    return { data: rows.map(auditEntry), total };
  }),
});

const momentOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));
