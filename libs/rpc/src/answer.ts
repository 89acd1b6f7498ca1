import { requestShape, type CallerOf, type Operation, type ReplyOf, type RequestOf } from '@sheaf/contracts';
import { z } from 'zod';
import { codecOf, requestCodecOf } from './codec';
import { clientsWith, open, type Admitted, type Asked, type Door } from './transport/door';
import type {
  DeliveriesDefinition,
  FormsDefinition,
  HooksDefinition,
  MethodTypes,
  SubmissionsDefinition,
  WorkspacesDefinition,
} from './transport/protocol';

interface Definitions {
  delivery: DeliveriesDefinition;
  forms: FormsDefinition;
  hooks: HooksDefinition;
  submissions: SubmissionsDefinition;
  workspaces: WorkspacesDefinition;
}

/** The types of the method that answers an operation. */
type TypesOf<O extends Operation> = O extends { rpc: `${infer Area extends keyof Definitions}.${infer Method}` }
  ? Method extends keyof Definitions[Area]
    ? Definitions[Area][Method]
    : never
  : never;

/** The message with which the method of an operation is asked. */
export type SentTo<O extends Operation> = TypesOf<O> extends MethodTypes<infer S> ? S : never;

type Taken<O extends Operation> = TypesOf<O> extends MethodTypes<unknown, infer T> ? T : never;
type Given<O extends Operation> = TypesOf<O> extends MethodTypes<unknown, unknown, infer G> ? G : never;

type Handler<O extends Operation, Reply> = (request: RequestOf<O>, asked: Asked<CallerOf<O>>) => Promise<Reply>;

/**
 * Opens the method of an operation: to its callers, to requests of its shape, and with the conversions between messages and the values of the API.
 * That the messages have the fields of the shapes is what `operations.test.ts` checks, and not the compiler.
 */
export function answer<O extends Operation>(operation: O, handle: Handler<O, ReplyOf<O>>): Door<Taken<O>, Promise<Given<O>>> {
  const { toMessage } = operation.reply ? codecOf(operation.reply) : {};
  return opened(operation, async (request, asked) => {
    const reply = await handle(request, asked);
    return (toMessage ? toMessage(reply) : (reply ?? {})) as Given<O>;
  });
}

/** Like `answer`, for a method that answers with a message of its own (`Operation.answer`). */
export const answerAs = <O extends Operation>(operation: O, handle: Handler<O, Given<O>>): Door<Taken<O>, Promise<Given<O>>> =>
  opened(operation, handle);

function opened<O extends Operation>(operation: O, handle: Handler<O, Given<O>>): Door<Taken<O>, Promise<Given<O>>> {
  const { fromMessage } = requestCodecOf(operation);
  const shape = doorShape(operation) as unknown as z.ZodType<RequestOf<O>, Taken<O>>;
  const door = open(
    admittedTo(operation),
    shape,
    handle as Handler<O, Given<O>> & ((request: RequestOf<O>, asked: Asked) => Promise<Given<O>>),
  );
  if (!fromMessage) return door;
  return { handle: (request, asked) => door.handle(fromMessage(request), asked) };
}

/** The shape of the request, in which the fault of a patch has the name that clients know: `label`, and not `patch.label`. */
function doorShape(operation: Operation): z.ZodType {
  const shape = requestShape(operation);
  const { patch } = operation;
  if (patch === undefined) return shape;
  const sent = z.object({ patch: z.unknown() }).transform((request) => request.patch);
  return shape.omit({ patch: true }).and(sent.pipe(patch).transform((parsed) => ({ patch: parsed })));
}

function admittedTo({ access, callers, otherScopes = [] }: Operation): readonly Admitted[] {
  if (callers) return callers as readonly Admitted[];
  if (typeof access === 'object') return clientsWith(access.scope, ...otherScopes);
  return [access === 'person' ? 'user' : access === 'session' ? 'session' : 'respondent'];
}
