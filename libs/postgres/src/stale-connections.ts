import type { ClientBase } from 'pg';

/** The parts of the driver's connection that are used here. */
type DriverConnection = ClientBase & { connection: { stream: { destroyed: boolean; destroy: () => void } } };

/** Limits how often the pool is renewed while every statement fails. */
const renewalIntervalMs = 1_000;

/**
 * Decides which connections of a pool may be used again. If a firewall drops its connections or a primary is demoted, one statement fails
 * first, and every connection open at that moment may be dead too. The pool then replaces all of them.
 */
export class StaleConnections {
  private readonly generations = new WeakMap<ClientBase, number>();
  private generation = 0;
  private renewedAt = -Infinity;

  opened(connection: ClientBase): void {
    this.generations.set(connection, this.generation);
  }

  /** Examines the error of a failed statement. */
  onFailure(failure: unknown): void {
    if (!isSilence(failure) && !isReadOnly(failure)) return;
    const now = performance.now();
    if (now - this.renewedAt < renewalIntervalMs) return;
    this.renewedAt = now;
    this.generation += 1;
  }

  isUsable(connection: ClientBase): boolean {
    if ((connection as DriverConnection).connection.stream.destroyed) return false;
    if (this.generations.get(connection) === this.generation) return true;
    abandon(connection);
    return false;
  }
}

/** Closes a connection at once, so that the pool does not use it again: a graceful close could wait forever for its answer. */
export const abandon = (connection: ClientBase): void => (connection as DriverConnection).connection.stream.destroy();

/** The statement got no answer in time. By then the driver has destroyed its connection. */
export const isSilence = (failure: unknown): boolean => failure instanceof Error && failure.message.endsWith('Query read timeout');

/** `read_only_sql_transaction`: a standby, or a primary that was demoted under its connections. */
export const isReadOnly = (failure: unknown): boolean => (failure as { code?: unknown } | undefined)?.code === '25006';
