import { Problem } from './problem';
import type { InstanceRole, WorkspaceRole } from './role';
import type { Scope } from './scope';

/** A person, authenticated by a session or by one of their API keys. */
export interface User {
  kind: 'user';
  id: string;
  instanceId: string;
  /** The workspace that the call acts in: a session's active one, or the key owner's default. Absent without any membership. */
  workspaceId?: string | undefined;
  /** The person's role in each workspace of the instance that they are a member of. */
  roles: Readonly<Record<string, WorkspaceRole>>;
  /** Their role in the instance as a whole; absent for almost everybody. */
  instanceRole?: InstanceRole | undefined;
  via: 'session' | 'api_key';
  /** The session or the key itself. */
  credentialId: string;
}

/** A program with its own account: it sees every form of its instance and may do what its scopes allow. */
export interface ServiceAccount {
  kind: 'service_account';
  id: string;
  instanceId: string;
  scopes: readonly Scope[];
  credentialId: string;
}

/** An anonymous person who fills in a form; only the instance is known. */
export interface Respondent {
  kind: 'respondent';
  instanceId: string;
}

/** One of our processes that acts on its own behalf, such as `delivery` when it looks up listeners. */
export interface Service {
  kind: 'service';
  id: string;
}

/** The operator of the deployment, acting in one instance. Operators use the services' commands; no API admits them. */
export interface Operator extends Service {
  id: 'operator';
  instanceId: string;
}

export const operatorIn = (instanceId: string): Operator => ({ kind: 'service', id: 'operator', instanceId });

export type Caller = User | ServiceAccount | Respondent | Service;
export type CallerKind = Caller['kind'];

/** The callers that the v1 contract defines. */
export type Client = User | ServiceAccount;

export const hasScope = (caller: Client, scope: Scope): boolean => caller.kind === 'user' || caller.scopes.includes(scope);

/** @throws Problem `insufficient_scope` for a service account that has none of the scopes. */
export function demandScope(caller: Client, anyOf: readonly Scope[]): void {
  if (!anyOf.some((scope) => hasScope(caller, scope)))
    throw new Problem('insufficient_scope', `This operation needs the scope ${anyOf.join(' or ')}.`);
}

/**
 * For what makes people or gives power: it would outlive a key that leaked, while a session is a person who signed in.
 * @throws Problem `forbidden` for keys
 */
export function demandSession(caller: Client): void {
  if (caller.kind !== 'user' || caller.via !== 'session')
    throw Problem.forbidden('This operation requires a session; a key is not enough.');
}

/** The caller's instance. @throws Problem `forbidden` for a service, which belongs to no instance. */
export function instanceOf(caller: Caller): string {
  if (caller.kind === 'service') throw Problem.forbidden('This call needs a caller who belongs to an instance.');
  return caller.instanceId;
}

/** Narrows a caller to the kinds that an operation admits. @throws Problem `forbidden` for all other kinds. */
export function admit<K extends CallerKind>(caller: Caller, kinds: readonly K[]): Extract<Caller, { kind: K }> {
  if (!(kinds as readonly CallerKind[]).includes(caller.kind)) throw Problem.forbidden('This operation is not for this kind of caller.');
  return caller as Extract<Caller, { kind: K }>;
}
