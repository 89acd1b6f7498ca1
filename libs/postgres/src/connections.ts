import type { ClientBase } from 'pg';

/** What knex has beneath, as far as it is used here. */
export interface KnexClient {
  acquireConnection(): Promise<ClientBase>;
  releaseConnection(connection: ClientBase): Promise<void> | undefined;
  emit(event: 'query', about: { sql: string; bindings: readonly unknown[] }): void;
  emit(event: 'query-error', failure: unknown, about: undefined): void;
  on(event: 'query-error', heard: (failure: unknown) => void): void;
}

/** How a statement comes to a connection of the pool. */
export type OnConnection = <Result>(client: KnexClient, work: (connection: ClientBase) => Promise<Result>) => Promise<Result>;

export const alone: OnConnection = async (client, work) => {
  const connection = await client.acquireConnection();
  try {
    return await work(connection);
  } finally {
    await client.releaseConnection(connection);
  }
};

/** A connection that the pool has given to several at once. */
interface Shared {
  connection: Promise<ClientBase>;
  users: number;
}

// Few wait behind a slow one, and a busy process needs some connections instead of all.
const mostUsers = 8;
const shared = new WeakMap<KnexClient, Set<Shared>>();

/** On a connection that others use at the same moment, as long as there is one with room; else on one that others may join. */
export const beside: OnConnection = async (client, work) => {
  const all = shared.get(client) ?? new Set();
  shared.set(client, all);
  const one = [...all].find(({ users }) => users < mostUsers) ?? { connection: client.acquireConnection(), users: 0 };
  all.add(one);
  one.users += 1;
  try {
    return await work(await one.connection);
  } catch (error) {
    // The connection may be broken: nobody else joins.
    all.delete(one);
    throw error;
  } finally {
    one.users -= 1;
    if (one.users === 0) {
      all.delete(one);
      // Whoever waited for it in vain has been told.
      await one.connection.then((connection) => client.releaseConnection(connection), () => undefined);
    }
  }
};
