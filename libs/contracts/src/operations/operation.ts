import type { Caller, Client, InstanceAction, Respondent, Scope, User } from '@sheaf/kernel';
import { z } from 'zod';
import { described } from '../described';
import { carriedAs, carriedOf, type Partly } from './message';
import type { PathParam } from './params';

/** The services by the name of their package in `proto/`. */
export type ServiceArea = 'delivery' | 'forms' | 'hooks' | 'submissions' | 'workspaces';

/**
 * An operation of the API, in one place: the route, its documentation, the method of the service that answers it, the messages of that method in
 * `proto/`, and the check at the service's door follow from it. Its name in generated clients is the name under which it is exported.
 */
export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  /** A title in the imperative. */
  readonly summary: string;
  readonly description: string;
  /** The callers who may use it: those with a scope (people have all scopes), only people, only people with a session, or anyone. */
  readonly access: { readonly scope: Scope } | 'person' | 'session' | 'anyone';
  /** The permission that the role of a person in the whole instance must give. */
  readonly onInstance?: InstanceAction;
  readonly params?: Readonly<Record<string, PathParam>>;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Replaces `body` where an absent property stays as it is, and null removes it. */
  readonly patch?: z.ZodObject;
  readonly status: 200 | 201 | 202 | 204;
  readonly reply?: z.ZodObject;
  readonly errors: readonly number[];
  /** Whether the caller's own access changes, so that the gateway must look it up again. */
  readonly changesAccess?: boolean;
  /** The method that answers: `submissions.ListNotes`. Without it, both the route and the messages are written by hand. */
  readonly rpc?: `${ServiceArea}.${string}`;
  /** Whether a call may be repeated when it is not known to have arrived. Without it: every `get`. */
  readonly repeatable?: boolean;
  /** The callers of the method, where they are not those of `access`. */
  readonly callers?: readonly Caller['kind'][];
  /** Further scopes of callers of the method, for operations that ask it as well. */
  readonly otherScopes?: readonly Scope[];
  /** Whether the route is written by hand, because it does more than to ask one method: `route({ ...rowOf(operation), handle })`. */
  readonly composed?: boolean;
  /** The parts that a composed route adds to the message. */
  readonly added?: z.ZodObject;
  /** The message in which the method of a composed route answers, if it does not carry `reply`. It is written by hand. */
  readonly answer?: string;
}

const defined = new WeakSet<object>();

export function operation<const O extends Operation>(one: O): O {
  defined.add(one);
  return one;
}

export const isOperation = (value: unknown): value is Operation => typeof value === 'object' && value !== null && defined.has(value);

/** The request of the operation's method: what is left of path, query and body once they are parsed, in one object. */
export type RequestOf<O extends Operation> = Flat<
  ParamsOf<O> &
    (O extends { query: infer S extends z.ZodType } ? Kept<S, z.output<S>> : unknown) &
    (O extends { body: infer S extends z.ZodType } ? Kept<S, z.output<S>> : unknown) &
    (O extends { patch: infer S extends z.ZodType } ? { patch: z.output<S> } : unknown) &
    (O extends { added: infer S extends z.ZodType } ? z.output<S> : unknown)
>;

type ParamsOf<O extends Operation> = O extends { params: infer P extends Readonly<Record<string, PathParam>> }
  ? { [Param in P[keyof P] as Param['field']]: Param extends { shape: infer S extends z.ZodType } ? z.output<S> : string }
  : unknown;

type Flat<T> = { [K in keyof T]: T[K] };

/** The answer of the method: the reply of the API, but for what the gateway adds. Without a reply, nothing is read of it. */
export type ReplyOf<O extends Operation> = O extends { reply: infer R extends z.ZodType } ? Kept<R, z.input<R>> : unknown;

type Kept<S extends z.ZodType, Value> = S extends Partly<infer K> ? Omit<Value, K> : Value;

/** The callers of the operation's method. */
export type CallerOf<O extends Operation> = O extends { callers: readonly (infer K)[] }
  ? Extract<Caller, { kind: K }>
  : O['access'] extends object
    ? Client
    : O['access'] extends 'anyone'
      ? Respondent
      : User;

const requests = new WeakMap<Operation, z.ZodObject>();

/** The shape of the request of the operation's method. */
export function requestShape(of: Operation): z.ZodObject {
  const known = requests.get(of);
  if (known) return known;
  const { params = {}, query, body, patch, added } = of;
  const parts = [query, body, added].filter((part) => part !== undefined);
  const shape = z
    .object({
      ...Object.fromEntries(
        Object.values(params).map(({ field, text, shape: read }) => [
          field,
          described(read ? arrived(read) : z.string('must be a string'), text),
        ]),
      ),
      ...Object.assign({}, ...parts.map(arrivedParts)),
      ...(patch && { patch }),
    })
    // The checks of whole objects, such as that one property needs another.
    .check(...parts.flatMap(({ def }) => (def.checks ?? []) as z.core.$ZodCheck<Record<string, unknown>>[]));
  const all = parts.map(carriedOf);
  const [names, flat] = [all.flatMap((one) => Object.entries(one.names ?? {})), all.flatMap((one) => Object.entries(one.flat ?? {}))];
  const json = all.flatMap((one) => one.json ?? []);
  const jsonAs = all.flatMap((one) => Object.entries(one.jsonAs ?? {}));
  carriedAs(shape, {
    ...(jsonAs.length > 0 && { jsonAs: Object.fromEntries(jsonAs) }),
    ...(names.length > 0 && { names: Object.fromEntries(names) }),
    ...(flat.length > 0 && { flat: Object.fromEntries(flat) }),
    ...(json.length > 0 && { json }),
    ...(patch && { patch: 'patch' }),
  });
  requests.set(of, shape);
  return shape;
}

function arrivedParts(shape: z.ZodObject): Record<string, z.ZodType> {
  const { without = [] } = carriedOf(shape);
  const parts = Object.entries<z.ZodType>(shape.shape).filter(([name]) => !without.includes(name));
  return Object.fromEntries(parts.map(([name, part]) => [name, arrived(part)]));
}

/** The output of a shape, as a shape: a text that was read as a number is a number, and a default is there. */
export function arrived(shape: z.ZodType): z.ZodType {
  const result = arrivedShape(shape);
  const { description } = shape;
  return description === undefined || result.description !== undefined ? result : result.meta({ description });
}

function arrivedShape(shape: z.ZodType): z.ZodType {
  const def = shape._zod.def as { type: string } & Record<'innerType' | 'out', z.ZodType>;
  switch (def.type) {
    case 'pipe':
      return arrived(def.out);
    case 'default':
    case 'prefault':
      return arrived(def.innerType);
    case 'optional':
      return arrived(def.innerType).optional();
    case 'nullable':
      return arrived(def.innerType).nullable();
    case 'transform':
      throw new Error('pipe a transformation into the shape of its result, so that it can be described and checked');
    default:
      return shape;
  }
}
