import { carriedOf, isOperation, operations, parseInput, type Operation } from '@sheaf/contracts';
import { codecOf, requestCodecOf, type SentTo } from '@sheaf/rpc';
import { z } from 'zod';
import { RawJson } from '../http/json';
import { route, type Route } from '../route';
import { pageOf, wholeList, type Services } from './services';

const idOf = new Map(
  Object.entries(operations as Record<string, unknown>).flatMap(([id, one]) => (isOperation(one) ? [[one, id] as const] : [])),
);

type QueryOf<O extends Operation> = O extends { query: infer Q extends z.ZodType } ? Q : z.ZodType;
type BodyOf<O extends Operation> = O extends { body: infer B extends z.ZodType } | { patch: infer B extends z.ZodType } ? B : z.ZodType;
type RowOf<O extends Operation> = Omit<Route, 'handle' | 'query' | 'body'> & { query?: QueryOf<O>; body?: BodyOf<O> };

/** Everything of an operation's route but its handler. */
export function rowOf<O extends Operation>(operation: O): RowOf<O> {
  const {
    method,
    path,
    summary,
    description,
    access,
    onInstance,
    params,
    query,
    body = operation.patch,
    status,
    reply,
    errors,
  } = operation;
  const id = idOf.get(operation);
  if (id === undefined) throw new Error(`${method} ${path} is not exported by libs/contracts/src/operations`);
  return {
    id,
    method,
    path,
    summary,
    description,
    access,
    status,
    errors,
    ...(onInstance && { onInstance }),
    ...(params && { params }),
    ...(query && { query: query as unknown as QueryOf<O> }),
    ...(body && { body: body as unknown as BodyOf<O> }),
    ...(reply && { reply }),
  };
}

/** The routes of the operations that one call answers. */
export const derived = (services: Services): Route[] =>
  [...idOf.keys()].flatMap((operation) =>
    operation.rpc === undefined || operation.composed === true
      ? []
      : [route({ ...rowOf(operation), handle: handlerOf(operation, services) })],
  );

type Ask = (call: unknown, request: unknown) => Promise<unknown>;

function handlerOf(operation: Operation, services: Services): Route['handle'] {
  const [area = '', method = ''] = (operation.rpc ?? '').split('.');
  const service = (area === 'delivery' ? 'deliveries' : area) as keyof Services;
  const name = method.charAt(0).toLowerCase() + method.slice(1);
  const request = asking(operation);
  const shown = operation.reply && showing(operation.reply);
  return async (context) => {
    const client = services[service] as unknown as Record<string, Ask>;
    const answer = await client[name]?.(context.call, request(context));
    if (operation.changesAccess === true) context.forgetCaller();
    return shown?.(answer, context.query);
  };
}

/** The values of a request by the parts of an operation. */
interface Given {
  params: Readonly<Record<string, string>>;
  query?: unknown;
  body?: unknown;
}

/** Makes the message with which the method of an operation is asked. @throws Problem `bad_request` for a parameter of another shape */
export function asking<O extends Operation>(operation: O): (given: Given, added?: AddedTo<O>) => SentTo<O> {
  const { toMessage } = requestCodecOf(operation);
  const namedBy = naming(operation);
  return ({ params, query, body }, added) => {
    const sent = operation.patch === undefined ? (body as object | undefined) : { patch: body };
    const request = { ...namedBy(params), ...(query as object | undefined), ...sent, ...(added as object | undefined) };
    return (toMessage ? toMessage(request) : request) as SentTo<O>;
  };
}

type AddedTo<O extends Operation> = O extends { added: infer A extends z.ZodType } ? z.input<A> : never;

/** Gives the parameters of the path the names that the message has for them. */
function naming({ params = {} }: Operation): (given: Readonly<Record<string, string>>) => object {
  const rows = Object.entries(params).map(([name, { field, shape }]) => ({ name, field, shape: shape && z.object({ [name]: shape }) }));
  return (given) =>
    Object.fromEntries(
      rows.map(({ name, field, shape }) => [field, shape ? parseInput(shape, { [name]: given[name] })[name] : given[name]]),
    );
}

/** Makes of an answer what clients see: the value that the message carries, with what the gateway knows of a list. */
export function showing(reply: z.ZodObject): (answer: unknown, query?: unknown) => unknown {
  const { fromMessage = (answer: unknown) => answer } = codecOf(reply, (bytes, property) =>
    property === 'fields' ? RawJson.ofItems(bytes) : RawJson.of(bytes),
  );
  const { without = [] } = carriedOf(reply);
  if (without.length === 0) return fromMessage;
  return (answer, query) => {
    const { data, total } = fromMessage(answer) as { data: unknown[]; total: number };
    return without.includes('total') ? wholeList(data) : pageOf(data, total, query as { limit: number; offset: number });
  };
}
