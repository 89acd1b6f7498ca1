import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Client, type Connection, type Submittable } from 'pg';
import { Failure } from '../failure';

/**
 * The parts that PostgreSQL sends: the cluster as a tar archive, with the log that makes it consistent in `pg_wal`, and a list of its
 * files.
 */
export interface BaseBackupSinks {
  archive: Writable;
  manifest: Writable;
  /** @param estimated what PostgreSQL expects before it begins */
  onProgress: (bytes: number, estimated: number) => void;
}

export interface BaseBackup {
  /** Everything committed before this time is in the backup; it may have what was committed a little later, up to `completedAt`. */
  startedAt: Date;
  /** Nothing committed after this time is in the backup. */
  completedAt: Date;
  serverVersion: string;
}

const applicationName = 'sheaf backup';

/**
 * Takes PostgreSQL's own base backup, with all databases of the cluster at one moment, by the command that pg_basebackup sends
 * (https://www.postgresql.org/docs/18/protocol-replication.html#PROTOCOL-REPLICATION-BASE-BACKUP): the embedded server comes without that
 * program. While it runs, a temporary slot keeps the log: on a busy system PostgreSQL could otherwise have removed the beginning by the end.
 * @param url a user with the attribute REPLICATION
 * @param open called once it is connected: to begin an encryption takes seconds without a pause, and the connection would time out
 * @throws Failure if PostgreSQL refuses or ends it
 */
export async function takeBaseBackup(url: string, open: () => BaseBackupSinks, signal: AbortSignal): Promise<BaseBackup> {
  const client = new Client({ ...replicating, connectionString: url, application_name: applicationName, connectionTimeoutMillis: 10_000 });
  // A broken connection makes the running command fail.
  client.on('error', () => undefined);
  const abort = () => void client.end().catch(() => undefined);
  signal.addEventListener('abort', abort);
  try {
    await client.connect();
    signal.throwIfAborted();
    // In capitals: the words of this protocol are, as opposed to those of SQL.
    await client.query(`CREATE_REPLICATION_SLOT ${slotName()} TEMPORARY PHYSICAL RESERVE_WAL`);
    const { now: startedAt, version } = await moment(client);
    await receive(client, open());
    const { now: completedAt } = await moment(client);
    return { startedAt, completedAt, serverVersion: version };
  } catch (error) {
    signal.throwIfAborted();
    throw new Failure('unavailable', `PostgreSQL gave no backup: ${(error as Error).message}`, 1, { cause: error });
  } finally {
    signal.removeEventListener('abort', abort);
    await client.end().catch(() => undefined);
  }
}

/** The types of `pg` do not know this setting. With the name of a database, and not only `true`, the connection also takes SQL. */
const replicating: object = { replication: 'database' };

const slotName = (): string => `sheaf_backup_${process.pid}_${Date.now().toString(36)}`;

async function moment(client: Client): Promise<{ now: Date; version: string }> {
  const { rows } = await client.query<{ now: Date; version: string }>(
    `select clock_timestamp() as now, current_setting('server_version') as version`,
  );
  if (!rows[0]) throw new Error('PostgreSQL did not tell the time.');
  return rows[0];
}

const command = `BASE_BACKUP (LABEL 'sheaf', PROGRESS, CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`;

async function receive(client: Client, sinks: BaseBackupSinks): Promise<void> {
  const received = new Receiver(sinks);
  client.query(received);
  await received.ended;
  for (const sink of [sinks.archive, sinks.manifest]) {
    sink.end();
    await finished(sink, { readable: false });
  }
}

/** How `pg` passes on what it receives for a running command. */
interface Handlers {
  handleDataRow(message: { fields: (string | null)[] }): void;
  handleCopyData(message: { chunk: Buffer }, connection: Connection): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
  handleRowDescription(): void;
  handleCommandComplete(): void;
}

class Receiver implements Submittable, Handlers {
  readonly ended: Promise<void>;
  #end: () => void = () => undefined;
  #fail: (error: Error) => void = () => undefined;
  #sink: Writable | undefined;
  #archives = 0;
  #bytes = 0;
  #estimatedBytes = 0;

  constructor(private readonly sinks: BaseBackupSinks) {
    this.ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
    // Also rejects when nobody waits any more.
    this.ended.catch(() => undefined);
  }

  submit(connection: Connection): void {
    for (const sink of [this.sinks.archive, this.sinks.manifest])
      sink.once('error', (error) => {
        this.#fail(error);
        connection.stream.destroy();
      });
    connection.query(command);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    // Before the data come two results of one row each, and after them one: where the log begins, the tablespaces with their estimated size,
    // and where the log ends. Only the tablespaces have three columns.
    if (fields.length === 3) this.#estimatedBytes += Number(fields[2] ?? 0) * 1024;
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: Connection): void {
    const content = chunk.subarray(1);
    switch (String.fromCharCode(chunk[0] ?? 0)) {
      case 'n':
        if (this.#archives++ > 0)
          return this.#refuse(connection, 'The PostgreSQL cluster has tablespaces, which this backup does not include.');
        this.#sink = this.sinks.archive;
        return;
      case 'm':
        this.#sink = this.sinks.manifest;
        return;
      case 'd':
        return this.#store(content, connection);
      case 'p':
        return;
      default:
        return this.#refuse(connection, 'PostgreSQL sent something that is no base backup.');
    }
  }

  handleReadyForQuery(): void {
    this.#end();
  }

  handleError(error: Error): void {
    this.#fail(error);
  }

  handleRowDescription(): void {
    // The columns are known.
  }

  handleCommandComplete(): void {
    // The connection is ready only after the last of them.
  }

  #store(content: Buffer, connection: Connection): void {
    if (!this.#sink || this.#sink.destroyed) return;
    if (this.#sink === this.sinks.archive) {
      this.#bytes += content.length;
      this.sinks.onProgress(this.#bytes, this.#estimatedBytes);
    }
    // A copy, because the driver reuses its buffer for the next message.
    if (this.#sink.write(Buffer.from(content)) || connection.stream.isPaused()) return;
    connection.stream.pause();
    this.#sink.once('drain', () => connection.stream.resume());
  }

  #refuse(connection: Connection, why: string): void {
    this.#fail(new Error(why));
    connection.stream.destroy();
  }
}
