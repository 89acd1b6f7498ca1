import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ip = async (...args: string[]): Promise<void> => void (await run('ip', args));

/** A hardware address that nobody has: what is sent to it gets lost, as in a cut cable. */
const nobody = '02:00:00:00:00:99';
/** Sheaf, its subscribers and the tests. */
export const here = 'here';

/**
 * A network of machines, each in a namespace of its own, which can be cut between any two. Cut traffic disappears: nobody gets a refusal. All
 * names begin with this process's id, so that what a killed run left behind is recognized and removed by the next one.
 */
export class Network {
  private readonly prefix = `sf${process.pid}`;
  private readonly addresses = new Map<string, string>();
  private readonly cuts: [string, string][] = [];

  private constructor(private readonly subnet: string) {}

  static async create(): Promise<Network> {
    await removeLeftOvers();
    const { stdout } = await run('ip', ['-o', '-4', 'addr']);
    const free = Array.from({ length: 200 }, (_, index) => `10.213.${index + 10}`).find((subnet) => !stdout.includes(`${subnet}.`));
    if (free === undefined) throw new Error('All networks from 10.213.10.0/24 to 10.213.209.0/24 are in use on this machine.');
    const network = new Network(free);
    network.addresses.set(here, `${free}.1`);
    await ip('link', 'add', network.prefix, 'type', 'bridge');
    await ip('addr', 'add', `${free}.1/24`, 'dev', network.prefix);
    await ip('link', 'set', network.prefix, 'up');
    return network;
  }

  addressOf(machine: string): string {
    const address = this.addresses.get(machine);
    if (address === undefined) throw new Error(`There is no machine ${machine}.`);
    return address;
  }

  /** Command words that run a program on a machine of this network. */
  inside = (machine: string): string[] => ['ip', 'netns', 'exec', this.namespaceOf(machine)];

  /** @param number the last part of its address */
  async add(machine: string, number: number): Promise<void> {
    const namespace = this.namespaceOf(machine);
    this.addresses.set(machine, `${this.subnet}.${number}`);
    await ip('netns', 'add', namespace);
    await ip('link', 'add', namespace, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
    await ip('link', 'set', namespace, 'master', this.prefix, 'up');
    await ip('-n', namespace, 'addr', 'add', `${this.subnet}.${number}/24`, 'dev', 'eth0');
    await ip('-n', namespace, 'link', 'set', 'eth0', 'up');
    await ip('-n', namespace, 'link', 'set', 'lo', 'up');
  }

  /** Cuts the cable between two machines until `heal`. */
  async cut(one: string, other: string): Promise<void> {
    this.cuts.push([one, other]);
    await Promise.all([this.lose(one, other), this.lose(other, one)]);
  }

  /** Cuts a machine off from all others. */
  async isolate(machine: string): Promise<void> {
    await Promise.all([...this.addresses.keys()].filter((other) => other !== machine).map((other) => this.cut(machine, other)));
  }

  async heal(): Promise<void> {
    const ends = this.cuts.splice(0).flatMap(([one, other]) => [
      [one, other],
      [other, one],
    ]);
    await Promise.all(
      ends.map(([from = '', to = '']) => ip(...this.on(from), 'neigh', 'del', this.addressOf(to), 'dev', this.deviceOf(from))),
    );
  }

  async remove(): Promise<void> {
    await removeNamed((prefix) => prefix === this.prefix);
  }

  private lose(from: string, to: string): Promise<void> {
    const entry = [this.addressOf(to), 'lladdr', nobody, 'dev', this.deviceOf(from), 'nud', 'permanent'];
    return ip(...this.on(from), 'neigh', 'replace', ...entry);
  }

  private namespaceOf = (machine: string) => `${this.prefix}-${machine}`;
  private on = (machine: string) => (machine === here ? [] : ['-n', this.namespaceOf(machine)]);
  private deviceOf = (machine: string) => (machine === here ? this.prefix : 'eth0');
}

const removeLeftOvers = () => removeNamed((prefix) => !isRunning(Number(prefix.slice(2))));

async function removeNamed(matches: (prefix: string) => boolean): Promise<void> {
  const ours = (name: string) => matches(/^(sf\d+)(?:-|$)/.exec(name)?.[1] ?? '');
  const named = (name: string) => /^sf\d+(?:-|$)/.test(name) && ours(name);
  // A namespace takes its end of the cable along, and so the other one.
  for (const name of await readdir('/run/netns').catch(() => [])) if (named(name)) await ip('netns', 'del', name);
  for (const name of await readdir('/sys/class/net')) if (named(name)) await ip('link', 'del', name).catch(() => undefined);
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
