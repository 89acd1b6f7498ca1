import { types } from 'node:util';
import { Problem } from '@sheaf/kernel';
import { isOutdated } from './statement';

/** What PostgreSQL says of a refused statement. */
interface Refusal {
  code?: unknown;
  constraint?: unknown;
}

// Classes 08 (connection), 40 (rolled back because of others: deadlock, serialization), 53 (out of resources), 57 (shut down, statement
// cancelled by its timeout) and 58 (system error), and a server that takes no changes.
const awayClass = /^(08|40|53|57|58|25006$)/;
// The driver has no code for these. Knex puts the statement before them, for the most part the ROLLBACK that could not be sent any more.
const awayMessage = /(?:^| - )(?:Connection terminated(?: unexpectedly| due to connection timeout)?|Client (?:has encountered a connection error|was closed) and is not queryable|Query read timeout|timeout expired)$/;
const awayCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * What was thrown, as a Problem: a database that is away or overloaded is `unavailable` and worth another try, anything else that we
 * did not mean is an internal failure.
 */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return isAway(thrown) ? Problem.unavailable(thrown) : Problem.internal(thrown);
}

function isAway(thrown: unknown): boolean {
  // Those of sockets are no `Error` of the realm that jest runs its tests in.
  if (!types.isNativeError(thrown)) return false;
  if (isOutdated(thrown)) return true;
  const { code } = thrown as Refusal;
  return (
    (typeof code === 'string' && (awayClass.test(code) || awayCodes.has(code))) ||
    thrown.name === 'KnexTimeoutError' ||
    awayMessage.test(thrown.message)
  );
}

/** Whether the database undid the statement because of others at that moment, such as a deadlock, so that it may simply be run again. */
export const wasRolledBack = (thrown: unknown): boolean => String((thrown as Refusal | undefined)?.code).startsWith('40');

/**
 * Turns the violation of a named constraint into the refusal that it stands for: the database decides, also between two requests
 * at the same moment. Use as `.catch(whenViolated({ form_slug_key: () => Problem.badRequest('slug: is taken') }))`.
 */
export const whenViolated =
  (meaning: Record<string, () => Problem>) =>
  (error: unknown): never => {
    const constraint = (error as Refusal | undefined)?.constraint;
    const problem = typeof constraint === 'string' && Object.hasOwn(meaning, constraint) ? meaning[constraint] : undefined;
    throw problem?.() ?? error;
  };
