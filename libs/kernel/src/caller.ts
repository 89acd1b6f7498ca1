import { Problem } from './problem';
import type { WorkspaceRole } from './role';
import type { Scope } from './scope';

/** A person, by a session or by one of their API keys. */
export interface User {
  kind: 'user';
  id: string;
  instanceId: string;
  /** The workspace that the call acts in: a session's active one, or the key owner's default. Absent without any membership. */
  workspaceId?: string | undefined;
  /** The person's role in each workspace of the instance that they are a member of. */
  roles: Readonly<Record<string, WorkspaceRole>>;
  via: 'session' | 'api_key';
  /** The session or the key itself. */
  credentialId: string;
}

/** A program with an account of its own: sees every form of its instance, and may do what its scopes say. */
export interface ServiceAccount {
  kind: 'service_account';
  id: string;
  instanceId: string;
  scopes: readonly Scope[];
  credentialId: string;
}

/** Somebody who fills in a form, unknown to us but for the instance they came to. */
export interface Respondent {
  kind: 'respondent';
  instanceId: string;
}

/** One of our own processes that acts for nobody else, such as `delivery` asking who listens. */
export interface Service {
  kind: 'service';
  id: string;
}

/** Whoever runs the deployment, at work in one instance of it. They come by the commands of the services, and no door admits them. */
export interface Operator extends Service {
  id: 'operator';
  instanceId: string;
}

export const operatorIn = (instanceId: string): Operator => ({ kind: 'service', id: 'operator', instanceId });

export type Caller = User | ServiceAccount | Respondent | Service;
export type CallerKind = Caller['kind'];

/** The callers that the v1 contract knows. */
export type Client = User | ServiceAccount;

export const hasScope = (caller: Client, scope: Scope): boolean => caller.kind === 'user' || caller.scopes.includes(scope);

/** @throws Problem `insufficient_scope` for a service account that has none of the scopes. */
export function demandScope(caller: Client, anyOf: readonly Scope[]): void {
  if (!anyOf.some((scope) => hasScope(caller, scope))) throw new Problem('insufficient_scope', `This operation needs the scope ${anyOf.join(' or ')}.`);
}

/** The instance that a call is about; a process of ours that acts for nobody has none. */
export function instanceOf(caller: Caller): string {
  if (caller.kind === 'service') throw Problem.forbidden('This call needs a caller who belongs to an instance.');
  return caller.instanceId;
}

/** Narrows a caller to those that a door admits; everybody else is refused. */
export function admit<K extends CallerKind>(caller: Caller, kinds: readonly K[]): Extract<Caller, { kind: K }> {
  if (!(kinds as readonly CallerKind[]).includes(caller.kind)) throw Problem.forbidden('This operation is not for this kind of caller.');
  return caller as Extract<Caller, { kind: K }>;
}
