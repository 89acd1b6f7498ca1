import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { superuserOf } from '@sheaf/testing';

const services = ['workspaces', 'forms', 'submissions', 'hooks', 'delivery'];

/** By folder and service. Tests ask again and again, and a new connection would first learn of a hundred tables. */
const connections = new Map<string, ReturnType<typeof superuserOf>>();
afterAll(async () => {
  for (const connection of connections.values()) await (await connection).end();
});

function connectionTo(dataDir: string, service: string): ReturnType<typeof superuserOf> {
  const name = `${dataDir} ${service}`;
  const connection = connections.get(name) ?? superuserOf(dataDir, `sheaf_${service}`);
  if (!connections.has(name)) {
    connections.set(name, connection);
    const forget = () => connections.delete(name);
    // Some of these tests end PostgreSQL.
    connection.then((db) => db.on('error', forget), forget);
  }
  return connection;
}

/** The tables and the files below the data folder of a running system, but for the files of PostgreSQL, in which a text is found. */
export async function copiesOf(dataDir: string, text: string): Promise<string[]> {
  const places: string[] = [];
  for (const service of services) {
    const db = await connectionTo(dataDir, service);
    const tables = await db.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
    );
    // One request for all tables: tests ask again and again, and there are a hundred.
    const found = tables.rows.map(({ name }) => {
      const [shown, table] = [db.escapeLiteral(name), db.escapeIdentifier(name)];
      return `select ${shown} as name where exists (select from ${table} as r where r::text ilike $1)`;
    });
    const { rows } = await db.query<{ name: string }>(found.join(' union all '), [`%${text}%`]);
    places.push(...rows.map(({ name }) => `${service}.${name}`));
  }
  for (const file of await filesBelow(dataDir)) {
    const bytes = await readFile(join(dataDir, file)).catch(() => Buffer.alloc(0));
    if (bytes.includes(text)) places.push(file);
  }
  return places;
}

async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('postgres'));
}
