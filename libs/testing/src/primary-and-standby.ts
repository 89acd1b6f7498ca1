import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, startPostgres, type Postgres } from '@sheaf/embedded';

/** A PostgreSQL whose standby, named `standby`, streams from it. Replication is asynchronous until somebody sets it otherwise. */
export interface PrimaryAndStandby {
  primary: Postgres;
  standby: Postgres;
  stop(): Promise<void>;
}

export async function startPrimaryAndStandby(): Promise<PrimaryAndStandby> {
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-standby-'));
  const [primaryPort = 0, standbyPort = 0] = await freePorts(2);
  const start = (name: string, port: number) =>
    startPostgres({ dataDir: join(folder, name), port, durable: false, onLine: () => undefined });
  // The embedded PostgreSQL lacks pg_basebackup; the folder of a stopped server is as good. `-a`, because its owner need not be this user.
  await (await start('primary', primaryPort)).stop();
  execFileSync('cp', ['-a', join(folder, 'primary'), join(folder, 'standby')]);
  await writeFile(join(folder, 'standby/standby.signal'), '');
  await appendFile(
    join(folder, 'standby/postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${primaryPort} user=postgres application_name=standby'\n`,
  );
  const primary = await start('primary', primaryPort);
  const standby = await start('standby', standbyPort);
  return {
    primary,
    standby,
    async stop() {
      await standby.stop();
      await primary.stop();
      await rm(folder, { recursive: true });
    },
  };
}
