import { types } from 'node:util';
import { Problem } from '@sheaf/kernel';
import { isOutdated } from './statement';

/** PostgreSQL's details of a refused statement. */
interface Refusal {
  code?: unknown;
  constraint?: unknown;
}

// Classes 08 (connection), 40 (rolled back because of others: deadlock, serialization), 53 (out of resources), 57 (shut down, or statement
// cancelled by its timeout) and 58 (system error), and the code of a read-only server.
const unavailableClass = /^(08|40|53|57|58|25006$)/;
// The driver has no codes for these. Knex prefixes the statement, which is usually the ROLLBACK that could no longer be sent.
const unavailableMessage =
  /(?:^| - )(?:Connection terminated(?: unexpectedly| due to connection timeout)?|Client (?:has encountered a connection error|was closed) and is not queryable|Query read timeout|timeout expired)$/;
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  // A cut network, or a machine that is gone.
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * Converts an error to a Problem: `unavailable`, which invites a retry, if the database is down or overloaded, otherwise an internal
 * error. A Problem stays as it is.
 */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return isUnavailable(thrown) ? Problem.unavailable(thrown) : Problem.internal(thrown);
}

function isUnavailable(thrown: unknown): boolean {
  // `instanceof Error` would miss socket errors, which come from a different realm than Jest's tests.
  if (!types.isNativeError(thrown)) return false;
  if (isOutdated(thrown)) return true;
  const { code } = thrown as Refusal;
  return (
    (typeof code === 'string' && (unavailableClass.test(code) || unavailableCodes.has(code))) ||
    thrown.name === 'KnexTimeoutError' ||
    unavailableMessage.test(thrown.message)
  );
}

/** Whether the database rolled the statement back because of concurrent ones, such as in a deadlock, so that it can simply be retried. */
export const wasRolledBack = (thrown: unknown): boolean => String((thrown as Refusal | undefined)?.code).startsWith('40');

/**
 * Converts the violation of a named constraint to a Problem. The database decides, even between two concurrent requests.
 * Use as `.catch(whenViolated({ form_slug_key: () => Problem.badRequest('slug: is taken') }))`.
 */
export const whenViolated =
  (meaning: Record<string, () => Problem>) =>
  (error: unknown): never => {
    const constraint = (error as Refusal | undefined)?.constraint;
    const problem = typeof constraint === 'string' && Object.hasOwn(meaning, constraint) ? meaning[constraint] : undefined;
    throw problem?.() ?? error;
  };
