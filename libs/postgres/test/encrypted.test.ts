import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAuthority, certificateFor, eventually, startEncryptedPostgres } from '@sheaf/testing';
import { checkWritable, connectTo } from '../src/database';
import { rowsOf } from '../src/statement';

// How operators connect to a PostgreSQL on a network that they do not trust: sslmode=verify-full, with the authority in a file.

let folder: string;
let server: Awaited<ReturnType<typeof startEncryptedPostgres>>;
type Database = ReturnType<typeof connectTo>;
const open: Database[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-authorities-'));
  const [authority, other] = await Promise.all([anAuthority(), anAuthority()]);
  const certificate = await certificateFor(['localhost'], { issuer: authority });
  writeFileSync(join(folder, 'ca.crt'), authority.cert);
  writeFileSync(join(folder, 'other.crt'), other.cert);
  server = await startEncryptedPostgres(certificate);
});
afterAll(async () => {
  for (const db of open) await db.destroy();
  await server.stop();
  rmSync(folder, { recursive: true });
});

function to(host: string, authority: string): Database {
  const url = `postgres://postgres@${host}:${server.port}/postgres?sslmode=verify-full&sslrootcert=${join(folder, authority)}`;
  const db = connectTo(url, 'test', 1);
  open.push(db);
  return db;
}

it('connects with TLS to the server whose certificate has its name, of the authority in the file', async () => {
  const db = to('localhost', 'ca.crt');
  // The server has been told a moment ago to speak TLS.
  await eventually(() => checkWritable(db));
  expect(await rowsOf(db, 'select ssl from pg_stat_ssl where pid = pg_backend_pid()', [])).toEqual([{ ssl: true }]);
});

it.each([
  ['of another authority', 'localhost', 'other.crt'],
  ['with another name', '127.0.0.1', 'ca.crt'],
])('does not connect to a server with a certificate %s', async (_what, host, authority) => {
  await eventually(() => checkWritable(to('localhost', 'ca.crt')));
  await expect(checkWritable(to(host, authority))).rejects.toThrow();
});
