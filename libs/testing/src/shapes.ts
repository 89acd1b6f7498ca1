import { carriedOf, isOperation, operations, requestShape } from '@sheaf/contracts';
import { newId, Problem, type Caller } from '@sheaf/kernel';
import type { Client, Protocol } from '@sheaf/rpc';
import { aUser, callAs } from './callers';

/** Requests that each method must refuse, with the field that the refusal names. For a streamed request, its messages. */
export type WrongRequests<Definition> = {
  [M in keyof Client<Definition>]: readonly (readonly [field: string, request: RequestOf<Client<Definition>[M]>])[];
};

type RequestOf<Method> = Method extends (call: never, request: infer Request) => unknown
  ? Request extends AsyncIterable<infer Message>
    ? readonly Message[]
    : Request
  : never;

type AnyMethod = (call: ReturnType<typeof callAs>, request: unknown) => Promise<unknown> | AsyncIterable<unknown>;
type Fields = readonly { name: string; type: string }[];

/**
 * Fields without a wrong value: texts that are only looked up, the bytes of a file, and the parts of a patch, whose own fields the table
 * names. Flags have no wrong value either.
 */
const anything = /^(?:id|\w+_id|form|host|version|other_version|credential|token|signature|bytes|patch|set)$/;

/**
 * Sends each wrong request, and checks that every method and every field that may be wrong is in the table.
 * @returns the methods and fields without a wrong request, and the wrong requests that were not refused with the field's name.
 */
export async function findUncheckedRequests<Definition>(
  client: Client<Definition>,
  protocol: Protocol<Definition>,
  wrong: WrongRequests<Definition>,
): Promise<string[]> {
  const methods = client as Record<string, AnyMethod | undefined>;
  const found: string[] = [];
  for (const [method, definition] of Object.entries(protocol.methods)) {
    const name = method.charAt(0).toLowerCase() + method.slice(1);
    const requests = (wrong as Record<string, readonly (readonly [string, unknown])[] | undefined>)[name];
    const ask = methods[name];
    if (!requests || !ask) {
      found.push(`${name} is not in the table`);
      continue;
    }
    const { field: fields } = (definition as unknown as { requestType: { type: { field: Fields } } }).requestType.type;
    const carried = carriedNames(definition.path);
    const named = new Set(requests.map(([field]) => field.split('.')[0] ?? '').map((property) => carried[property] ?? property));
    for (const { name: field, type } of fields)
      if (type !== 'TYPE_BOOL' && !anything.test(field) && !named.has(field)) found.push(`${name} has no wrong ${field}`);
    if (fields.some(({ name: field }) => field === 'patch') && requests.length === 0) found.push(`${name} has no wrong patch`);

    for (const [field, request] of requests) {
      const answer = await answerTo(ask, definition.requestStream ? () => each(request as unknown[]) : () => request);
      const isNamed = answer instanceof Problem && answer.code === 'bad_request' && answer.message.startsWith(`${field}: `);
      if (!isNamed) found.push(`${name}, ${field}: ${answer instanceof Error ? answer.message : 'is accepted'}`);
    }
  }
  return found;
}

/** The fields of the request of an operation's method, where they have other names than the properties that its faults name. */
function carriedNames(method: string): Readonly<Record<string, string>> {
  const [, area = '', name = ''] = /^\/sheaf\.(\w+)\..*\/(\w+)$/.exec(method) ?? [];
  const operation = Object.values<unknown>(operations).find((one) => isOperation(one) && one.rpc === `${area}.${name}`);
  return isOperation(operation) ? (carriedOf(requestShape(operation)).names ?? {}) : {};
}

const callers: readonly Caller[] = [
  aUser({ instanceId: newId(), via: 'session' }),
  { kind: 'respondent', instanceId: newId() },
  { kind: 'service', id: 'delivery' },
];

/** The answer to the first caller that the method admits. */
async function answerTo(ask: AnyMethod, request: () => unknown): Promise<unknown> {
  let last: unknown;
  for (const caller of callers) {
    last = await settled(() => ask(callAs(caller), request()));
    if (!(last instanceof Problem && last.message === 'This operation is not for this kind of caller.')) return last;
  }
  return last;
}

async function settled(ask: () => ReturnType<AnyMethod>): Promise<unknown> {
  try {
    const answer = ask();
    return Symbol.asyncIterator in answer ? await answer[Symbol.asyncIterator]().next() : await answer;
  } catch (error) {
    return error;
  }
}

async function* each(messages: readonly unknown[]): AsyncGenerator {
  for (const message of messages) yield await Promise.resolve(message);
}
