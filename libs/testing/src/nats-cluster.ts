import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@sheaf/embedded';

const members = [0, 1, 2] as const;
type Member = (typeof members)[number];

/** Three nats-servers that are one cluster with JetStream, open to everyone on this machine. */
export class NatsCluster {
  private readonly running = new Map<Member, ChildProcess>();

  private constructor(
    private readonly folder: string,
    /** The addresses of all servers, as in `NATS_URL`. */
    readonly url: string,
  ) {}

  static async start(): Promise<NatsCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'sheaf-nats-cluster-'));
    const ports = await freePorts(2 * members.length);
    const client = (member: Member) => `127.0.0.1:${ports[member] ?? 0}`;
    const route = (member: Member) => `127.0.0.1:${ports[member + members.length] ?? 0}`;
    for (const member of members) {
      const lines = [
        `server_name: n${member}`,
        `listen: "${client(member)}"`,
        'max_payload: 8MB',
        `jetstream { store_dir: ${JSON.stringify(join(folder, `n${member}`))} }`,
        `cluster { name: sheaf, listen: "${route(member)}", routes: [${members.map((other) => `"nats://${route(other)}"`).join(', ')}] }`,
      ];
      await writeFile(join(folder, `n${member}.conf`), lines.join('\n'));
    }
    const cluster = new NatsCluster(folder, members.map((member) => `nats://${client(member)}`).join(','));
    cluster.startMissing();
    return cluster;
  }

  /** Starts the servers that do not run, and does not wait until they are ready. */
  startMissing(): void {
    for (const member of members) {
      if (this.running.has(member)) continue;
      const server = spawn(process.env.TEST_NATS_SERVER ?? '', ['-c', join(this.folder, `n${member}.conf`)], { stdio: 'ignore' });
      this.running.set(member, server);
    }
  }

  async kill(member: Member): Promise<void> {
    const server = this.running.get(member);
    if (!server) return;
    this.running.delete(member);
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
  }

  async stop(): Promise<void> {
    await Promise.all(members.map((member) => this.kill(member)));
    await rm(this.folder, { recursive: true, force: true });
  }
}
