import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@sheaf/testing';
import type { Engines } from './engines';
import type { Load } from './load';
import { here } from './network';

/** Does something to the engines. @returns how to mend it */
export type Fault = (engines: Engines, load: Load) => Promise<() => Promise<void>>;

// Long enough that requests in progress, and connections, reach their time limits.
const heldMs = 15_000;
// Long enough for every service to have met it.
const enoughRefusals = 100;
// More than a server keeps files for.
const walMegabytes = 320;
const nothing = () => Promise.resolve();

export type Which = (engines: Engines) => Promise<readonly string[]>;
export const primary: Which = async (engines) => [await engines.primary()];
export const standbys: Which = (engines) => engines.standbys();
export const streamLeader: Which = async (engines) => [await engines.streamLeader()];
export const both: Which = async (engines) => [await engines.primary(), await engines.streamLeader()];
export const these =
  (...names: string[]): Which =>
  () =>
    Promise.resolve(names);

/** A power cut. The machines stay off until mended. */
export const off =
  (which: Which): Fault =>
  async (engines) => {
    const names = await which(engines);
    await Promise.all(names.map((name) => engines.machine(name).turnOff()));
    return async () => void (await Promise.all(names.map((name) => engines.machine(name).turnOn())));
  };

/** A power cut of a while. */
export const offForAWhile =
  (which: Which): Fault =>
  async (engines, load) => {
    const mend = await off(which)(engines, load);
    await sleep(heldMs);
    await mend();
    return nothing;
  };

/** Machines that hang, with their connections open. */
export const frozen =
  (which: Which): Fault =>
  async (engines) => {
    const names = await which(engines);
    await Promise.all(names.map((name) => engines.machine(name).freeze()));
    return async () => void (await Promise.all(names.map((name) => engines.machine(name).thaw())));
  };

export const frozenForAWhile =
  (which: Which): Fault =>
  async (engines, load) => {
    const mend = await frozen(which)(engines, load);
    await sleep(heldMs);
    await mend();
    return nothing;
  };

/** A disk without room, until so many requests have been refused. */
export const fullUntilRefused =
  (which: Which): Fault =>
  async (engines, load) => {
    const names = await which(engines);
    for (const name of names) await engines.disk(name).fill();
    await load.refuses(enoughRefusals);
    for (const name of names) await engines.disk(name).makeRoom();
    return nothing;
  };

/** No room for the primary's WAL either: it ends itself, and cannot start again before there is room. */
export const primaryWithoutRoomForWal: Fault = async (engines) => {
  const name = await engines.primary();
  await engines.disk(name).fill();
  await engines.writeWal(walMegabytes).then(
    () => {
      throw new Error('The primary had room for its WAL.');
    },
    () => undefined,
  );
  return () => engines.disk(name).makeRoom();
};

/** A standby that cannot store what the primary sends, until another one is the synchronous one. */
export const fullSynchronousStandby: Fault = async (engines) => {
  const name = await engines.synchronousStandby();
  await engines.disk(name).fill();
  await engines.writeWal(walMegabytes);
  await eventually(async () => {
    if ((await engines.synchronousStandby()) === name) throw new Error(`${name} is still the synchronous standby.`);
  });
  return () => engines.disk(name).makeRoom();
};

/** Servers of NATS that cannot store, until they have noticed it, and are started again once there is room. */
export const natsWithoutRoom =
  (which: Which): Fault =>
  async (engines, load) => {
    const names = await which(engines);
    for (const name of names) await engines.disk(name).fill();
    await eventually(async () => {
      for (const name of names) if (await engines.natsHasStore(name)) throw new Error(`${name} still stores.`);
    });
    await load.accepts(60);
    return async () => {
      for (const name of names) {
        await engines.disk(name).makeRoom();
        await engines.restartNatsWithoutStore(name);
      }
    };
  };

/** A planned change of the primary. */
export const switchedOver: Fault = async (engines) => {
  await engines.switchOver();
  return nothing;
};

/** A cut between machines, for a while. */
export const cutForAWhile =
  (between: (engines: Engines) => Promise<readonly [string, string]>): Fault =>
  async (engines) => {
    await engines.network.cut(...(await between(engines)));
    await sleep(heldMs);
    await engines.network.heal();
    return nothing;
  };

/** A machine whose cable is cut, until mended. */
export const isolated =
  (which: Which): Fault =>
  async (engines) => {
    for (const name of await which(engines)) await engines.network.isolate(name);
    return () => engines.network.heal();
  };

export const cables = {
  'the primary and its synchronous standby': async (engines: Engines) =>
    [await engines.primary(), await engines.synchronousStandby()] as const,
  'the primary and the proxy': async (engines: Engines) => [await engines.primary(), 'proxy'] as const,
  'the primary and etcd': async (engines: Engines) => [await engines.primary(), 'etcd'] as const,
  'Sheaf and the proxy': () => Promise.resolve([here, 'proxy'] as const),
  'Sheaf and the stream’s leader': async (engines: Engines) => [here, await engines.streamLeader()] as const,
  'the stream’s leader and another server': async (engines: Engines) => {
    const leader = await engines.streamLeader();
    return [leader, leader === 'n1' ? 'n2' : 'n1'] as const;
  },
};
