import type { WorkspaceRole } from '@sheaf/kernel';
import type { SeenAuditRow } from './audit-log/audit-log.queries';
import type { ServiceAccountWithKeys } from './credentials/service-accounts';
import type { SeenFolder } from './folders/load-folder';
import type { SeenInvitationRow, ShownInvitationRow } from './members/invitations.queries';
import type { MemberRow } from './people/people.queries';
import type { Profile } from './people/profile';
import type { KeyRow, PersonRow, SessionRow, WorkspaceRow } from './rows';
import type { SignedIn } from './sessions/open-session';
import type { WorkspaceRecord } from './workspace/workspaces.queries';

// The translation from what use cases return to messages.

export const me = ({ id, email, name }: PersonRow) => ({ id, email, name });

export const profile = ({ person, defaultWorkspaceId }: Profile) => ({
  ...me(person),
  avatar_url: person.avatar_url,
  default_workspace_id: defaultWorkspaceId,
  has_password: person.password_hash !== null,
});

export const ownWorkspace = ({ id, name, color, slug, created_at, updated_at }: WorkspaceRecord, role: WorkspaceRole) => ({
  workspace: workspace({ id, name, color, role, created_at, updated_at }),
  slug,
});

export const workspace = (row: WorkspaceRow) => ({
  ...row,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const member = <Role extends string>({
  id,
  name,
  email,
  avatar_url,
  role,
  created_at,
}: Omit<MemberRow, 'role'> & { role: Role }) => ({
  user_id: id,
  name,
  email,
  avatar_url,
  role,
  created_at: created_at.toISOString(),
});

export const folder = ({ folder: row, role }: SeenFolder) => ({
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

export const apiKey = (row: KeyRow) => ({ ...keyOf(row), name: row.name });

export const keyOf = ({ id, prefix, created_at, last_used_at, expires_at }: KeyRow) => ({
  id,
  prefix,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString(),
  expires_at: expires_at?.toISOString(),
});

export const serviceAccount = ({ id, name, scopes, created_at, keys }: ServiceAccountWithKeys) => ({
  id,
  name,
  scopes,
  created_at: created_at.toISOString(),
  keys: keys.map(keyOf),
});

export const auditEntry = (row: SeenAuditRow) => ({
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
  details: row.details ?? undefined,
  occurred_at: row.occurred_at.toISOString(),
});

export const shownSession = ({ expiresAt, person, workspace: active, instance }: Omit<SignedIn, 'token'>) => ({
  expires_at: expiresAt.toISOString(),
  user: me(person),
  workspace: active && workspace(active),
  instance,
});

export const signedIn = ({ token, ...session }: SignedIn) => ({ token, ...shownSession(session) });

export const ownSession = (
  { id, created_at, last_used_at, expires_at, user_agent, address }: SessionRow,
  endsUnusedAt: Date,
  currentId: string,
) => ({
  id,
  created_at: created_at.toISOString(),
  last_used_at: (last_used_at ?? created_at).toISOString(),
  expires_at: expires_at.toISOString(),
  ends_unused_at: endsUnusedAt.toISOString(),
  current: id === currentId,
  user_agent: user_agent ?? undefined,
  address: address ?? undefined,
});

export const seenInvitation = ({ email, name, role, workspace_name, inviter_name, expires_at }: SeenInvitationRow) => ({
  email,
  // A person who was invited without a name has their address as one.
  name: name === email ? undefined : name,
  role,
  workspace: { name: workspace_name },
  invited_by_name: inviter_name ?? undefined,
  expires_at: expires_at.toISOString(),
});

export const invitation = (row: ShownInvitationRow & { isValid: boolean }) => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  invited_by: inviter(row),
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  valid: row.isValid,
});

/** An older version recorded no sender. */
function inviter({ inviter_kind: kind, inviter_id: id, inviter_name: name }: ShownInvitationRow) {
  if (kind === 'operator') return { kind: 'service', id: 'operator' };
  return kind === null || id === null ? undefined : { kind, id, name: name ?? undefined };
}
