import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readdir, readFile, readlink } from 'node:fs/promises';
import { eventually } from '@sheaf/testing';
import { dataFolder, serverId } from './debian';
import type { Network } from './network';

// The first process of a machine. Its mounts are its own and end with it. As root, so that the server stays its child when the user changes.
const init = `
  set -eu
  mount --bind /dev "$ROOT/dev"
  mount -t proc proc "$ROOT/proc"
  mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
  cp "$SETTINGS" "$ROOT/tmp/settings"; chmod 644 "$ROOT/tmp/settings"
  mount --bind "$DATA" "$ROOT${dataFolder}"
  env -i PATH=/usr/sbin:/usr/bin LC_ALL=C.UTF-8 PYTHONUNBUFFERED=1 chroot --userspec=${serverId}:${serverId} "$ROOT" "$@" &
  wait $!
`;

interface Parts {
  name: string;
  network: Network;
  /** The unpacked system. */
  root: string;
  /** The folder of its data, which outlives the machine. */
  data: string;
  /** A file that its command reads as /tmp/settings. */
  settings: string;
  command: readonly string[];
}

/** A machine with one server: a network, processes and mounts of its own, which end together, at the latest with the tests. */
export class Machine {
  readonly log: string[] = [];
  private process: ChildProcess | undefined;
  private space = '';

  constructor(private readonly parts: Parts) {}

  get name(): string {
    return this.parts.name;
  }

  get isOn(): boolean {
    return this.process !== undefined;
  }

  async turnOn(): Promise<void> {
    const { network, root, data, settings, command, name } = this.parts;
    await mkdir(data, { recursive: true });
    await chown(data, serverId, serverId);
    const words = [
      ...['--pdeathsig', 'KILL', '--', ...network.inside(name)],
      ...['unshare', '--mount', '--pid', '--kill-child=KILL', '--', 'sh', '-c', init, name, ...command],
    ];
    const started = spawn('setpriv', words, {
      env: { PATH: process.env.PATH, ROOT: root, DATA: data, SETTINGS: settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.log.push(chunk.toString());
        if (this.log.length > 2_000) this.log.splice(0, 1_000);
      });
    this.process = started;
    await eventually(async () => {
      if (started.exitCode !== null) throw new Error(`${name} did not start:\n${this.log.join('')}`);
      this.space = await readlink(`/proc/${await this.firstPid()}/ns/pid`);
      if (this.space === (await readlink('/proc/self/ns/pid'))) throw new Error(`${name} has not entered its namespace yet`);
    });
  }

  /** As a power cut: everything on it is gone at once, and nobody is told. */
  async turnOff(): Promise<void> {
    const running = this.process;
    if (!running) return;
    this.process = undefined;
    if (running.exitCode === null && running.signalCode === null) {
      const exited = once(running, 'exit');
      running.kill('SIGKILL');
      await exited;
    }
    await eventually(async () => {
      if ((await this.processes()).length > 0) throw new Error(`${this.name} still runs`);
    });
  }

  /** Stops all its processes where they are, as a hanging host does. Its connections stay open. */
  async freeze(): Promise<void> {
    for (const pid of await this.processes()) process.kill(pid, 'SIGSTOP');
  }

  async thaw(): Promise<void> {
    for (const pid of await this.processes()) process.kill(pid, 'SIGCONT');
  }

  private async firstPid(): Promise<number> {
    const pid = this.process?.pid ?? 0;
    const [first = ''] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ');
    if (first === '') throw new Error(`${this.name} has no process yet`);
    return Number(first);
  }

  private async processes(): Promise<number[]> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const found = await Promise.all(
      pids.map(async (pid) => ((await readlink(`/proc/${pid}/ns/pid`).catch(() => '')) === this.space ? [Number(pid)] : [])),
    );
    return found.flat();
  }
}
