import { createServer, type AddressInfo } from 'node:net';
import { freshDatabase } from '@sheaf/testing';
import { connectTo, sessionSettings } from '../src/database';
import { openForCommand } from '../src/database-command';
import { readOf, rowsOf, type Database } from '../src/statement';

/** The parameters that a client sends when it connects, each followed by its value. */
async function startupOf(open: (url: string) => Database): Promise<string[]> {
  let heard: (message: Buffer) => void;
  const message = new Promise<Buffer>((resolve) => (heard = resolve));
  const server = createServer((socket) =>
    socket.on('error', () => undefined).once('data', (chunk: Buffer) => (heard(chunk), socket.destroy())),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const db = open(`postgres://a:b@127.0.0.1:${(server.address() as AddressInfo).port}/c`);
  try {
    await db.raw('select 1').catch(() => undefined);
    // Skips the length and the protocol version.
    return (await message).subarray(8).toString().split('\0');
  } finally {
    await db.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

it('a connection sends its settings', async () => {
  const fresh = await freshDatabase([]);
  const db = connectTo(fresh.url, 'test', 1);
  try {
    await expect(
      rowsOf(db, `select current_setting('enable_seqscan') as seqscan, current_setting('statement_timeout') as timeout`),
    ).resolves.toEqual([{ seqscan: 'off', timeout: '8s' }]);
  } finally {
    await Promise.all([db, fresh.db].map((pool) => pool.destroy()));
  }
});

it.each<[string, (startupSettings: boolean) => (url: string) => Database]>([
  ['a process', (startupSettings) => (url) => connectTo(url, 'test', 1, { startupSettings })],
  [
    'a command',
    (startupSettings) => (url) =>
      openForCommand({ DATABASE_URL: url, DATABASE_STARTUP_SETTINGS: startupSettings, DATABASE_NAMED_STATEMENTS: true }),
  ],
])('behind a pooler, %s sends only parameters that PgBouncer knows', async (_, open) => {
  expect(await startupOf(open(true))).toContain('options');
  const sent = (await startupOf(open(false))).filter((_name, place) => place % 2 === 0);
  expect(sent.filter((name) => !['user', 'database', 'client_encoding', 'application_name', ''].includes(name))).toEqual([]);
  for (const setting of Object.keys(sessionSettings)) expect(sent).not.toContain(setting);
});

it.each([
  [true, 1],
  [false, 0],
])('keeps statements prepared only if named statements are allowed: %s', async (namedStatements, kept) => {
  const { db, url } = await freshDatabase([]);
  const pool = connectTo(url, 'pooled', 1, { namedStatements });
  const prepared = async (on: Database) =>
    Number(
      (await on.raw<{ rows: { count: number }[] }>(`select count(*) from pg_prepared_statements where statement like '%the one%'`)).rows[0]
        ?.count,
    );
  try {
    await rowsOf(pool, `select ?::text as "the one"`, ['a']);
    await readOf(pool, `select ?::text as "the one"`, ['a']);
    await pool.transaction((trx) => rowsOf(trx, `select ?::text as "the one"`, ['a']));
    expect(await prepared(pool)).toBe(kept);
  } finally {
    await pool.destroy();
    await db.destroy();
  }
});
