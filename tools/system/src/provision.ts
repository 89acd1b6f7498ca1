import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg';
import { Refusal } from '@sheaf/data-dir';

export type Provisioned = {
  /** For the role that owns the database and runs its migrations. */
  ownerUrl: string;
  /** For the role that the service runs as: it reads and writes rows, but cannot alter tables. */
  runUrl: string;
};

export type ProvisionOptions<S extends string> = {
  /** Logs in as a role that may create roles and databases. */
  adminUrl: string;
  /** The prefix of our databases' and roles' names. */
  prefix: string;
  services: readonly S[];
  /** Keyed by `<service>` and `<service>_owner`. */
  rolePasswords: Record<string, string>;
};

/** Gives each service a database, an owner and a user. Idempotent: it corrects differences and touches no data. */
export async function provision<S extends string>(options: ProvisionOptions<S>): Promise<Record<S, Provisioned>> {
  const { adminUrl, prefix, services, rolePasswords } = options;
  const results: [S, Provisioned][] = [];

  await asAdmin(adminUrl, async (admin) => {
    for (const service of services) {
      const database = `${prefix}_${service}`;
      const [run, owner] = [database, `${database}_owner`];
      const [runPassword, ownerPassword] = [rolePasswords[service], rolePasswords[`${service}_owner`]];
      if (runPassword === undefined || ownerPassword === undefined) throw new Error(`There are no passwords for the roles of ${service}.`);

      await setRole(admin, owner, ownerPassword);
      await setRole(admin, run, runPassword);
      await setSessionSettings(admin, run, { ...sessionSettings, ...ownSessionSettings[service] });
      await setDatabase(admin, database, owner);
      results.push([
        service,
        {
          ownerUrl: urlFor(adminUrl, owner, ownerPassword, database),
          runUrl: urlFor(adminUrl, run, runPassword, database),
        },
      ]);
    }
  });

  await Promise.all(
    results.map(([service, { ownerUrl }]) => withClient(ownerUrl, (client) => setPrivileges(client, `${prefix}_${service}`))),
  );
  return Object.fromEntries(results) as Record<S, Provisioned>;
}

/** Stored on the role, because a pooler refuses such settings from a service's connections. */
export const sessionSettings = {
  statement_timeout: '8000',
  idle_in_transaction_session_timeout: '16000',
  enable_seqscan: 'off',
  client_connection_check_interval: '100',
};

/** Those of a single service, which gives them to its connections where there is no pooler. */
export const ownSessionSettings: Record<string, Record<string, string>> = {
  submissions: { plan_cache_mode: 'force_generic_plan' },
};

async function setRole(admin: Client, role: string, password: string): Promise<void> {
  const { rowCount } = await admin.query('select 1 from pg_roles where rolname = $1', [role]);
  const verb = rowCount === 0 ? 'create' : 'alter';
  await admin.query(`${verb} role ${escapeIdentifier(role)} login password ${escapeLiteral(scramVerifier(password))}`);
}

async function setSessionSettings(admin: Client, role: string, settings: Record<string, string>): Promise<void> {
  for (const [setting, value] of Object.entries(settings)) {
    await admin.query(`alter role ${escapeIdentifier(role)} set ${escapeIdentifier(setting)} = ${escapeLiteral(value)}`);
  }
}

async function setDatabase(admin: Client, database: string, owner: string): Promise<void> {
  const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [database]);
  if (rowCount === 0) {
    // Unless the administrator is a superuser, only a member of a role may make it the owner of a database.
    const { rows } = await admin.query<{ rolsuper: boolean }>('select rolsuper from pg_roles where rolname = current_user');
    if (rows[0]?.rolsuper !== true) await admin.query(`grant ${escapeIdentifier(owner)} to current_user`);
    await admin.query(`create database ${escapeIdentifier(database)} owner ${escapeIdentifier(owner)}`);
  }
}

/** Runs as the owner, since default privileges apply to the tables that the current role creates. */
async function setPrivileges(owner: Client, database: string): Promise<void> {
  const run = escapeIdentifier(database);
  await owner.query(`
    revoke all on database ${escapeIdentifier(database)} from public;
    grant connect on database ${escapeIdentifier(database)} to ${run};
    revoke all on schema public from public;
    grant usage on schema public to ${run};
    alter default privileges in schema public grant select, insert, update, delete on tables to ${run};
    alter default privileges in schema public grant usage, select on sequences to ${run};
    grant select, insert, update, delete on all tables in schema public to ${run};
    grant usage, select on all sequences in schema public to ${run};
  `);
}

/**
 * The form in which PostgreSQL stores a password (SCRAM-SHA-256, RFC 5803). Sent instead of the password, because failed statements, and
 * any that an administrator chooses to log, end up in the server's log.
 */
export function scramVerifier(password: string, salt = randomBytes(16)): string {
  const iterations = 4096;
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`;
}

/** The prefix for our names: the database name in the administrator's URL. */
export function prefixOf(databaseUrl: string): string {
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  if (name === '') return 'sheaf';
  // The longest name with this prefix, <prefix>_submissions_owner, must fit into PostgreSQL's 63 bytes.
  if (Buffer.byteLength(name) > 40) throw new Refusal('The database name in DATABASE_URL is longer than 40 bytes.');
  return name;
}

/** The URL of the same server for another role and database. */
export function urlFor(adminUrl: string, user: string, password: string, database: string): string {
  const url = new URL(adminUrl);
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

async function asAdmin<T>(adminUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await withClient(adminUrl, work);
  } catch (error) {
    // The database in the URL only supplies the prefix; it does not have to exist.
    if (!(error instanceof DatabaseError) || !saysNoDatabase(error)) throw error;
    const url = new URL(adminUrl);
    url.pathname = '/postgres';
    return await withClient(url.href, work);
  }
}

/** PgBouncer passes on what PostgreSQL said about a missing database, with a code of its own. */
const saysNoDatabase = ({ code, message }: DatabaseError): boolean =>
  code === '3D000' || (code === '08P01' && /database .* does not exist/.test(message));

async function withClient<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
    application_name: 'sheaf launcher',
  });
  // A broken connection makes the running query fail, and that is where the error is handled.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
