import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, System } from '@sheaf/testing';
import { unpackedEngines } from '../support/failover/debian';
import { Disk, newFolderName, removeLeftOverDisks } from '../support/failover/disk';
import { Load } from '../support/failover/load';
import { kept } from '../support/failover/rig';

// The servers that the launcher runs, on one machine with one disk. Only the launcher starts them again.

let folder: string;
let disk: Disk;
let system: System;
let load: Load | undefined;
beforeEach(async () => {
  await removeLeftOverDisks();
  folder = await mkdtemp(newFolderName());
});
afterEach(async () => {
  await disk.makeRoom();
  await load?.abandon();
  await system.stop();
  await disk.unmount();
  await rm(folder, { recursive: true, force: true });
});

const start = async (path: string): Promise<Load> => {
  disk = await Disk.mount(join(folder, path), 3_072);
  // Three POSTs should not take half a minute.
  system = await System.start(join(folder, 'data'), {
    RETRY_DELAYS_MS: '1000,2000',
    // A nats-server 2.9, which the launcher takes where it finds no newer one, hangs for good when its disk is full.
    NATS_SERVER: join(await unpackedEngines(), 'usr/sbin/nats-server'),
  });
  load = await Load.start(system);
  await load.accepts(60);
  return load;
};

const outcomeOf = (finished: Load) => {
  load = undefined;
  return finished.stop();
};

it('nothing is lost or sent too often when the disk of the launcher is full for a while, and submissions are accepted again by themselves', async () => {
  const submits = await start('data');
  await disk.fill();
  await submits.refuses(100);
  await disk.makeRoom();
  await submits.accepts(60);
  expect(await outcomeOf(submits)).toMatchObject(kept);
});

it('no submission is refused when the disk of the launcher’s NATS is full for a while, and webhooks are sent again by themselves', async () => {
  const submits = await start('data/nats');
  await disk.fill();
  await eventually(() => {
    if (!system.said.includes('nats ended')) throw new Error(`NATS still runs:\n${system.said.slice(-2_000)}`);
  });
  await submits.accepts(60);
  await disk.makeRoom();
  await submits.accepts(60);
  const answers = new Set(submits.answers.map(({ status }) => status));
  expect(await outcomeOf(submits)).toMatchObject(kept);
  expect([...answers]).toEqual([201]);
});
