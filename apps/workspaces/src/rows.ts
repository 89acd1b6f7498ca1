import type { Client, InstanceRole, Scope, WorkspaceRole } from '@sheaf/kernel';

/** A person belongs to one instance; the same address in another instance is another person. */
export interface PersonRow {
  id: string;
  instance_id: string;
  email: string;
  name: string;
  avatar_url: string;
  password_hash: string | null;
  /** Null if they have never signed in. */
  first_signed_in_at: Date | null;
  created_at: Date;
}

/** A workspace as a member with this role sees it. */
export interface WorkspaceRow {
  id: string;
  name: string;
  color: string;
  role: WorkspaceRole;
  created_at: Date;
  updated_at: Date;
}

export interface SessionRow {
  id: string;
  instance_id: string;
  person_id: string;
  created_at: Date;
  expires_at: Date;
  /** Null for sessions of older versions that were not used since. */
  last_used_at: Date | null;
  user_agent: string | null;
  /** The client's address when it signed in. */
  address: string | null;
}

export interface KeyRow {
  id: string;
  name: string;
  prefix: string;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
}

export interface ServiceAccountRow {
  id: string;
  name: string;
  scopes: Scope[];
  created_at: Date;
}

/** The principal of a credential, with everything that determines their access. */
export interface PrincipalRow {
  credential_id: string;
  person_id: string | null;
  service_account_id: string | null;
  scopes: Scope[] | null;
  roles: Record<string, WorkspaceRole> | null;
  instance_role: InstanceRole | null;
  workspace_id: string | null;
  expires_at: Date | null;
  last_used_at: Date | null;
}

export interface FolderRow {
  id: string;
  instance_id: string;
  workspace_id: string;
  creator_kind: Client['kind'];
  creator_id: string;
  label: string;
  /** Never empty. */
  icon: string;
  color: string;
  /** Null at the top level. */
  parent_id: string | null;
  sort_order: number;
  created_at: Date;
  updated_at: Date;
}
