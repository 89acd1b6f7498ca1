import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, startPostgres } from '@sheaf/embedded';
import { Client } from 'pg';

/** A PostgreSQL that shows this certificate to those who ask for TLS. `port`: on localhost. */
export async function startEncryptedPostgres(certificate: { cert: string; key: string }): Promise<{ port: number; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-encrypted-'));
  const dataDir = join(folder, 'postgres');
  const [port = 0] = await freePorts(1);
  const server = await startPostgres({ dataDir, port, durable: false, onLine: () => undefined });
  await showCertificate(server.url, dataDir, certificate);
  return {
    port,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Lets a running PostgreSQL show a certificate to those who ask for TLS. */
export async function showCertificate(url: string, dataDir: string, certificate: { cert: string; key: string }): Promise<void> {
  // The server reads a key only if it belongs to its own user, which is another one where the tests run as root.
  const { uid, gid } = await stat(dataDir);
  for (const [name, text] of [
    ['server.crt', certificate.cert],
    ['server.key', certificate.key],
  ] as const) {
    const file = join(dataDir, name);
    await writeFile(file, text);
    await chmod(file, 0o600);
    await chown(file, uid, gid);
  }
  const admin = new Client(url);
  await admin.connect();
  await admin.query('alter system set ssl = on');
  await admin.query('select pg_reload_conf()');
  await admin.end();
}
