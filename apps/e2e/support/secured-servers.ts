import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findNatsServer, startPostgres } from '@sheaf/embedded';
import { services } from '@sheaf/kernel';
import { certificateFor, eventually, showCertificate, type Authority } from '@sheaf/testing';
import { connect } from '@nats-io/transport-node';
import { Client as Postgres } from 'pg';

const platform = join(__dirname, '../../../deploy/platform');
const adminPassword = 'admin';

export type Passwords = Record<string, string>;

interface Options {
  folder: string;
  ports: Record<'postgres' | 'nats', number>;
  /** Those of `postgres-role-secrets`. */
  roles: Passwords;
  /** Those of `nats-secrets`, which have the same names. */
  users: Passwords;
  issuer: Authority;
}

/** PostgreSQL and NATS that speak to nobody without TLS, with the roles and the users of `deploy/platform`. */
export class SecuredServers {
  private constructor(
    private readonly options: Options,
    readonly postgres: { stop(): Promise<void> },
    readonly nats: { stop(): Promise<void> },
  ) {}

  static async start(options: Options): Promise<SecuredServers> {
    const { folder, issuer } = options;
    const certificate = await certificateFor(['localhost'], { issuer });
    writeFileSync(join(folder, 'ca.crt'), issuer.cert);
    const [postgres, nats] = await Promise.all([postgresWith(certificate, options), natsWith(certificate, options)]);
    return new SecuredServers(options, postgres, nats);
  }

  /** The authority of both servers. */
  get caFile(): string {
    return join(this.options.folder, 'ca.crt');
  }

  /** An address of a generated secret, at these servers. */
  addressOf(url: string): string {
    const address = new URL(url);
    const { postgres, nats } = this.options.ports;
    const user = `${address.username}:${address.password}`;
    return address.protocol === 'nats:'
      ? `tls://${user}@localhost:${nats}`
      : `postgres://${user}@localhost:${postgres}${address.pathname}?sslmode=verify-full&sslrootcert=${this.caFile}`;
  }
}

async function postgresWith(certificate: { cert: string; key: string }, { folder, ports, roles }: Options) {
  const dataDir = join(folder, 'postgres');
  const server = await startPostgres({ dataDir, port: ports.postgres, durable: true, password: adminPassword, onLine: () => undefined });
  await showCertificate(server.url, dataDir, certificate);
  await asAdmin(server.url, 'postgres', async (admin) => {
    for (const service of services) {
      const [run, owner] = [`sheaf_${service}`, `sheaf_${service}_owner`];
      const passwordOf = (which: string) => admin.escapeLiteral(roles[`${service.toUpperCase()}${which}_PASSWORD`] ?? '');
      await admin.query(`create role ${owner} login password ${passwordOf('_OWNER')}`);
      await admin.query(`create role ${run} login password ${passwordOf('')}`);
      await admin.query(`create database ${run} owner ${owner}`);
      await asAdmin(server.url, run, async (database) => {
        await database.query(`set role ${owner}`);
        await database.query(privilegesOf(run));
      });
    }
    // From now on, only with TLS.
    const { rows } = await admin.query<{ file: string }>(`select current_setting('hba_file') as file`);
    const file = rows[0]?.file ?? '';
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^host\s/gm, 'hostssl '));
    await admin.query('select pg_reload_conf()');
  });
  // The server reads them in a moment of its own.
  const plain = new URL(server.url);
  await eventually(() => expect(asAdmin(plain.href, 'postgres', () => Promise.resolve())).rejects.toThrow('no encryption'));
  return server;
}

/** The statements with which roles.sh lets a service's role use its database. */
function privilegesOf(run: string): string {
  const script = readFileSync(join(platform, 'postgres/roles.sh'), 'utf8');
  const [, statements = ''] = /dbname "sheaf_\$service" <<'SQL'\n([^]*?)\nSQL/.exec(script) ?? [];
  return statements.replaceAll(':"run"', run);
}

async function asAdmin(url: string, database: string, work: (client: Postgres) => Promise<unknown>): Promise<void> {
  const address = new URL(url);
  address.pathname = database;
  const client = new Postgres(address.href);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** The server of `deploy/platform/nats`, with the `tls` of `deploy/platform/nats-cluster`. */
async function natsWith(certificate: { cert: string; key: string }, { folder, ports, users }: Options) {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const tls = { cert_file: file('nats.crt', certificate.cert), key_file: file('nats.key', certificate.key) };
  const config = file(
    'nats.conf',
    [
      `listen: "127.0.0.1:${ports.nats}"`,
      `jetstream { store_dir: ${JSON.stringify(join(folder, 'jetstream'))} }`,
      'max_payload: 8MB',
      `tls ${JSON.stringify(tls)}`,
      `authorization { include ./users.conf }`,
    ].join('\n'),
  );
  file('users.conf', readFileSync(join(platform, 'nats/users.conf'), 'utf8'));
  const server = spawn(await findNatsServer({ onProgress: () => undefined }), ['-c', config], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, ...users },
  });
  await untilItAnswers(server, ports.nats);
  return {
    async stop() {
      const exited = once(server, 'exit');
      server.kill('SIGINT');
      await exited;
    },
  };
}

async function untilItAnswers(server: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`nats-server exited with ${server.exitCode}.`);
    const refusal = await connect({ servers: `localhost:${port}`, reconnect: false, timeout: 2_000 }).then(
      async (open) => open.close(),
      (error: unknown) => String(error),
    );
    // It refuses us: we have no certificate of its authority, and no user.
    if (!/ECONNREFUSED|CONNECTION_REFUSED|refused/i.test(String(refusal))) return;
    await sleep(50);
  }
}
