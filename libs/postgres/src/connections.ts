import type { ClientBase } from 'pg';

/** The parts of knex's internal client that this project uses. */
export interface KnexClient {
  acquireConnection(): Promise<ClientBase>;
  releaseConnection(connection: ClientBase): Promise<void> | undefined;
  emit(event: 'query', about: { sql: string; bindings: readonly unknown[] }): void;
  emit(event: 'query-error', failure: unknown, about: undefined): void;
  on(event: 'query-error', listener: (failure: unknown) => void): void;
}

/** How a statement gets a connection from the pool. */
export type OnConnection = <Result>(client: KnexClient, work: (connection: ClientBase) => Promise<Result>) => Promise<Result>;

export const onOwnConnection: OnConnection = async (client, work) => {
  const connection = await client.acquireConnection();
  try {
    return await work(connection);
  } finally {
    await client.releaseConnection(connection);
  }
};

/** A connection that several statements use at once. */
interface Shared {
  connection: Promise<ClientBase>;
  users: number;
}

// Low enough that few statements wait behind a slow one, and high enough that a busy process does not need the whole pool.
const maxUsers = 8;
const shared = new WeakMap<KnexClient, Set<Shared>>();

/** Runs a statement on a shared connection with room for another user, or on a new one that others may join. */
export const onSharedConnection: OnConnection = async (client, work) => {
  const all = shared.get(client) ?? new Set();
  shared.set(client, all);
  const one = [...all].find(({ users }) => users < maxUsers) ?? { connection: client.acquireConnection(), users: 0 };
  all.add(one);
  one.users += 1;
  try {
    return await work(await one.connection);
  } catch (error) {
    // The connection may be broken, so no other statement may join.
    all.delete(one);
    throw error;
  } finally {
    one.users -= 1;
    if (one.users === 0) {
      all.delete(one);
      // If no connection was acquired, its users have already received the error.
      await one.connection.then(
        (connection) => client.releaseConnection(connection),
        () => undefined,
      );
    }
  }
};
