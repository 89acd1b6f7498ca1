import { LRUCache } from 'lru-cache';

/** How often the trace of one error is logged. */
const traceEveryMs = 60_000;
/** How many errors are told apart. Beyond that, the ones that are longest ago get their trace again. */
const maxKnown = 200;
/** Messages may quote what a client sent. */
const maxMessage = 1_000;
const maxTrace = 10_000;

/** The fields of an error that are logged. Others are left out: PostgreSQL's `detail`, for one, quotes the values of the row. */
interface LoggedError {
  type: string;
  message: string;
  code?: string | number;
  /** Of PostgreSQL: the constraint or the table that the refusal names. */
  constraint?: string;
  table?: string;
  stack?: string;
  /** How many lines of the same error had no trace since the last one that had. */
  withoutTrace?: number;
}

/**
 * Makes the serializer of `err`. The first line of an error has its trace, and further ones within a minute only say which error it was: in an
 * outage every request fails for the same reason, and their traces alone would fill a disk. Errors are the same if they have the same type, code
 * and trace; their messages may differ in a name or a number.
 */
export function loggedErrors(now: () => number = () => performance.now()): (thrown: unknown) => unknown {
  const known = new LRUCache<string, { tracedAt: number; since: number }>({ max: maxKnown });
  return (thrown) => {
    if (!isError(thrown)) return typeof thrown === 'string' ? thrown.slice(0, maxMessage) : thrown;
    const fields = fieldsOf(thrown);
    const stack = stackOf(thrown);
    if (stack === undefined) return fields;
    const key = `${fields.type} ${fields.code} ${framesOf(stack)}`;
    const last = known.get(key);
    const at = now();
    if (last !== undefined && at - last.tracedAt < traceEveryMs) {
      last.since += 1;
      return fields;
    }
    known.set(key, { tracedAt: at, since: 0 });
    return { ...fields, stack: stack.slice(0, maxTrace), ...(last !== undefined && last.since > 0 ? { withoutTrace: last.since } : {}) };
  };
}

function fieldsOf(error: Error): LoggedError {
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown };
  return {
    type: typeOf(error),
    message: messageOf(error).slice(0, maxMessage),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(typeof table === 'string' ? { table } : {}),
  };
}

/** PostgreSQL's errors have the name `error`, and aborted calls the class `DOMException`. */
function typeOf({ name, constructor }: Error): string {
  const own = constructor.name;
  return own === '' || own === 'Error' || own === 'DOMException' ? name : own;
}

/** The message with those of its causes, and of the errors that an AggregateError collects, whose own message is often empty. */
function messageOf(error: Error, depth = 0): string {
  const collected = error instanceof AggregateError ? error.errors : [];
  const further = [...(collected as unknown[]), error.cause].filter(isError);
  const texts = depth < 5 ? further.map((each) => messageOf(each, depth + 1)) : [];
  return [error.message, ...texts].filter((text) => text !== '').join(': ');
}

function stackOf(error: Error, depth = 0): string | undefined {
  const cause = depth < 5 && isError(error.cause) ? stackOf(error.cause, depth + 1) : undefined;
  return error.stack === undefined || cause === undefined ? error.stack : `${error.stack}\ncaused by: ${cause}`;
}

const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n');

// `instanceof` would miss the errors of another realm, such as those of sockets in Jest's tests.
const isError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error || Object.prototype.toString.call(thrown) === '[object Error]';
