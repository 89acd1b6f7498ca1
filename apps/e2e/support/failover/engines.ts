import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@sheaf/testing';
import { Client } from 'pg';
import { dataFolder, unpackedEngines } from './debian';
import { Disk, newFolderName, removeLeftOverDisks } from './disk';
import { Machine } from './machine';
import { Network } from './network';

export const postgresMachines = ['pg1', 'pg2', 'pg3'] as const;
export const natsMachines = ['n1', 'n2', 'n3'] as const;
const all = ['etcd', ...postgresMachines, ...natsMachines, 'proxy'];
const password = 'failover';
// Several times what the longest scenario stores.
const diskMegabytes = 1_024;

interface Member {
  name: string;
  role: string;
  state: string;
}

/**
 * The engines as a cluster runs them: three PostgreSQL 18 under Patroni, synchronous, which etcd elects and HAProxy leads to, and three
 * nats-servers. Each is a machine of its own on one network.
 */
export class Engines {
  private readonly machines = new Map<string, Machine>();
  private readonly disks = new Map<string, Disk>();

  private constructor(
    readonly network: Network,
    private readonly folder: string,
  ) {}

  static async start(): Promise<Engines> {
    const root = await unpackedEngines();
    await removeLeftOverDisks();
    const engines = new Engines(await Network.create(), await mkdtemp(newFolderName()));
    try {
      await engines.configure(root);
      await engines.machine('etcd').turnOn();
      await Promise.all([...natsMachines, 'proxy'].map((name) => engines.machine(name).turnOn()));
      // The first one makes the cluster, and the others are copies of it.
      await engines.machine('pg1').turnOn();
      await eventually(() => engines.primary());
      await Promise.all(['pg2', 'pg3'].map((name) => engines.machine(name).turnOn()));
      await engines.whole();
      return engines;
    } catch (error) {
      const logs = [...engines.machines.values()].map(({ name, log }) => `${name}:\n${log.join('').slice(-1_500)}`);
      await engines.stop();
      throw new Error(`The engines did not start.\n${logs.join('\n')}`, { cause: error });
    }
  }

  machine(name: string): Machine {
    const machine = this.machines.get(name);
    if (!machine) throw new Error(`There is no machine ${name}.`);
    return machine;
  }

  disk(name: string): Disk {
    const disk = this.disks.get(name);
    if (!disk) throw new Error(`There is no disk of ${name}.`);
    return disk;
  }

  get databaseUrl(): string {
    return this.urlOf('proxy');
  }

  private urlOf = (name: string) => `postgresql://postgres:${password}@${this.network.addressOf(name)}:5432/postgres`;

  get natsUrl(): string {
    return natsMachines.map((name) => `nats://sheaf:${password}@${this.network.addressOf(name)}:4222`).join(',');
  }

  /** The member that is the primary, as Patroni says. */
  async primary(): Promise<string> {
    return (await this.members()).find(({ role, state }) => role === 'leader' && state === 'running')?.name ?? nobody('primary');
  }

  async synchronousStandby(): Promise<string> {
    return (
      (await this.members()).find(({ role, state }) => role === 'sync_standby' && state === 'streaming')?.name ??
      nobody('synchronous standby')
    );
  }

  async standbys(): Promise<string[]> {
    const primary = await this.primary();
    return postgresMachines.filter((name) => name !== primary);
  }

  /** Asks Patroni for a planned change of the primary. */
  async switchOver(): Promise<void> {
    const [leader, candidate] = [await this.primary(), await this.synchronousStandby()];
    const answer = await fetch(`http://${this.network.addressOf(leader)}:8008/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader, candidate }),
      signal: AbortSignal.timeout(60_000),
    });
    if (!answer.ok) throw new Error(`Patroni refused the switchover: ${await answer.text()}`);
  }

  /** The server that leads the stream of events. */
  async streamLeader(): Promise<string> {
    return (await this.stream()).leader ?? nobody('leader of the stream');
  }

  /** Waits until every member is there, one standby is synchronous, and each server of NATS has the whole stream, if there is one. */
  async whole(): Promise<void> {
    await eventually(async () => {
      // Each member itself: etcd still lists one that has only just died.
      const members = await Promise.all(postgresMachines.map((name) => this.statusOf(name)));
      const isWhole =
        members.filter(({ role, state }) => role === 'primary' && state === 'running').length === 1 &&
        members.filter((member) => member.replication_state === 'streaming').length === 2 &&
        members.some((member) => member.sync_standby === true);
      if (!isWhole) throw new Error(`PostgreSQL is not whole: ${JSON.stringify(members)}`);
      const { leader, current } = await this.stream();
      if (leader !== undefined && current < 3) throw new Error(`The stream is not whole: ${current} of 3`);
    });
  }

  /** A write by a new connection through the proxy. Rejects soon while there is no primary behind it. */
  write = async (): Promise<void> => {
    const client = new Client({
      connectionString: this.databaseUrl,
      connectionTimeoutMillis: 1_000,
      query_timeout: 1_000,
      statement_timeout: 1_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('create table if not exists probe (at timestamptz); insert into probe values (now())');
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  /** Writes so much WAL, without a transaction, that a server without room for it notices. Rejects if this is the primary. */
  async writeWal(megabytes: number): Promise<void> {
    const client = new Client({ connectionString: this.urlOf(await this.primary()), connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      for (let written = 0; written < megabytes; written += 16)
        await client.query(`select pg_logical_emit_message(false, 'failover', repeat('x', 15 << 20)), pg_switch_wal()`);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Whether a server of NATS stores at all. It switches that off when it cannot write, and only a new start switches it on again. */
  async natsHasStore(name: string): Promise<boolean> {
    const path = '/healthz?js-enabled-only=true';
    return (await fetch(`http://${this.network.addressOf(name)}:8222${path}`, { signal: AbortSignal.timeout(1_000) })).ok;
  }

  /** The work of the liveness probe of deploy/platform/nats. */
  async restartNatsWithoutStore(name: string): Promise<void> {
    if (await this.natsHasStore(name)) return;
    await this.machine(name).turnOff();
    await this.machine(name).turnOn();
  }

  /** Mends everything, whatever a test that failed has left. */
  async mend(): Promise<void> {
    await this.network.heal();
    for (const disk of this.disks.values()) await disk.makeRoom();
    for (const machine of this.machines.values()) await (machine.isOn ? machine.thaw() : machine.turnOn());
    for (const name of natsMachines) await eventually(() => this.restartNatsWithoutStore(name));
  }

  /** Turns everything off, and leaves no process, mount, namespace or file. */
  async stop(): Promise<void> {
    await Promise.all([...this.machines.values()].map((machine) => machine.turnOff()));
    await this.network.remove();
    for (const disk of this.disks.values()) await disk.unmount();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async statusOf(name: string): Promise<{ role?: string; state?: string; replication_state?: string; sync_standby?: boolean }> {
    const answer = await fetch(`http://${this.network.addressOf(name)}:8008/patroni`, { signal: AbortSignal.timeout(1_000) });
    return (await answer.json()) as object;
  }

  private async members(): Promise<Member[]> {
    for (const name of postgresMachines) {
      try {
        const answer = await fetch(`http://${this.network.addressOf(name)}:8008/cluster`, { signal: AbortSignal.timeout(1_000) });
        return ((await answer.json()) as { members: Member[] }).members;
      } catch {
        // Another one may answer.
      }
    }
    return nobody('Patroni');
  }

  private async stream(): Promise<{ leader?: string; current: number }> {
    for (const name of natsMachines) {
      try {
        const answer = await fetch(`http://${this.network.addressOf(name)}:8222/jsz?streams=true`, { signal: AbortSignal.timeout(1_000) });
        const { account_details: accounts = [] } = (await answer.json()) as {
          account_details?: { stream_detail?: { cluster?: { leader?: string; replicas?: { current: boolean; offline?: boolean }[] } }[] }[];
        };
        const cluster = accounts.flatMap(({ stream_detail: streams = [] }) => streams)[0]?.cluster;
        // Only the leader knows how far the others are.
        if (cluster?.leader === name)
          return {
            leader: name,
            current: 1 + (cluster.replicas ?? []).filter(({ current, offline }) => current && offline !== true).length,
          };
      } catch {
        // Another one may answer.
      }
    }
    return { current: 0 };
  }

  private async configure(root: string): Promise<void> {
    let number = 11;
    for (const name of all) await this.network.add(name, number++);
    for (const name of all) {
      const data = join(this.folder, name);
      const settings = join(this.folder, `${name}.settings`);
      this.disks.set(name, await Disk.mount(data, diskMegabytes));
      await writeFile(settings, this.settingsOf(name));
      this.machines.set(name, new Machine({ name, network: this.network, root, data, settings, command: this.commandOf(name) }));
    }
  }

  private commandOf(name: string): string[] {
    const settings = '/tmp/settings';
    const address = this.network.addressOf(name);
    if (name === 'proxy') return ['haproxy', '-db', '-f', settings];
    if (name === 'etcd')
      return [
        ...['etcd', '--name', 'etcd', '--data-dir', `${dataFolder}/data`],
        ...['--listen-client-urls', `http://${address}:2379`, '--advertise-client-urls', `http://${address}:2379`],
        ...['--listen-peer-urls', `http://${address}:2380`, '--initial-advertise-peer-urls', `http://${address}:2380`],
        ...['--initial-cluster', `etcd=http://${address}:2380`],
      ];
    return name.startsWith('pg') ? ['patroni', settings] : ['nats-server', '-c', settings];
  }

  private settingsOf(name: string): string {
    const address = this.network.addressOf(name);
    if (name.startsWith('pg')) return JSON.stringify(this.patroni(name, address));
    if (name.startsWith('n')) return this.nats(name, address);
    if (name === 'proxy') return this.proxy(address);
    return '';
  }

  /** YAML has JSON in it. */
  private patroni(name: string, address: string): object {
    const user = (username: string) => ({ username, password });
    return {
      scope: 'sheaf',
      name,
      restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
      etcd3: { host: `${this.network.addressOf('etcd')}:2379` },
      bootstrap: {
        dcs: {
          ttl: 20,
          loop_wait: 5,
          retry_timeout: 5,
          maximum_lag_on_failover: 1_048_576,
          synchronous_mode: true,
          synchronous_mode_strict: true,
          postgresql: {
            use_pg_rewind: true,
            remove_data_directory_on_rewind_failure: true,
            remove_data_directory_on_diverged_timelines: true,
            parameters: {
              max_connections: 300,
              max_wal_senders: 10,
              max_wal_size: '128MB',
              wal_keep_size: '64MB',
              wal_log_hints: 'on',
              // As in deploy/platform/postgres-cluster.
              wal_sender_timeout: '5s',
              wal_receiver_timeout: '5s',
              shared_buffers: '96MB',
            },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      },
      postgresql: {
        listen: `${address}:5432`,
        connect_address: `${address}:5432`,
        data_dir: `${dataFolder}/data`,
        bin_dir: '/usr/lib/postgresql/18/bin',
        pgpass: `${dataFolder}/pgpass`,
        pg_hba: ['local all all trust', 'host replication all 0.0.0.0/0 scram-sha-256', 'host all all 0.0.0.0/0 scram-sha-256'],
        parameters: { unix_socket_directories: dataFolder },
        // A new copy waits for a checkpoint, which takes minutes if it is not asked to be fast.
        basebackup: [{ checkpoint: 'fast' }],
        authentication: { replication: user('replicator'), superuser: user('postgres'), rewind: user('rewind') },
      },
    };
  }

  private nats(name: string, address: string): string {
    return [
      `server_name: ${name}`,
      `listen: "${address}:4222"`,
      `http: "${address}:8222"`,
      'max_payload: 8MB',
      `jetstream { store_dir: ${dataFolder}/data, max_file_store: 2GB }`,
      `cluster { name: sheaf, listen: "${address}:6222", routes: [${natsMachines.map((other) => `"nats://${this.network.addressOf(other)}:6222"`).join(', ')}] }`,
      `authorization { user: sheaf, password: ${password} }`,
    ].join('\n');
  }

  private proxy(address: string): string {
    return [
      'defaults',
      '  mode tcp',
      '  maxconn 1000',
      '  timeout connect 2s',
      '  timeout client 1h',
      '  timeout server 1h',
      '  timeout check 1s',
      'listen primary',
      `  bind ${address}:5432`,
      '  option httpchk OPTIONS /primary',
      '  http-check expect status 200',
      '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
      ...postgresMachines.map((name) => `  server ${name} ${this.network.addressOf(name)}:5432 check port 8008`),
      '',
    ].join('\n');
  }
}

function nobody(what: string): never {
  throw new Error(`There is no ${what} at the moment.`);
}
