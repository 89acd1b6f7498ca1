import {
  type Fault,
  both,
  cables,
  cutForAWhile,
  frozen,
  frozenForAWhile,
  fullSynchronousStandby,
  fullUntilRefused,
  isolated,
  natsWithoutRoom,
  off,
  offForAWhile,
  primary,
  primaryWithoutRoomForWal,
  standbys,
  streamLeader,
  switchedOver,
  these,
} from '../support/failover/faults';
import { kept, under, useRig } from '../support/failover/rig';

// Each test runs the load over one fault, then compares what was answered with what is stored and what subscribers heard.

const rig = useRig();

it.each<[string, Fault]>([
  ['the primary dies', off(primary)],
  ['the primary hangs', frozen(primary)],
  ['the primary is cut off from everybody', isolated(primary)],
  ['the primary is replaced as planned', switchedOver],
  ['the primary and the stream’s leader die together', off(both)],
])('nothing is lost or sent too often, and submissions are accepted within a second of the takeover, when %s', async (title, fault) => {
  const seen = await under(rig, title, fault);
  expect(seen).toMatchObject(kept);
  expect(seen.afterTakeoverMs).toBeLessThan(1_000);
});

it.each<[string, Fault]>([
  ['both standbys hang for a while', frozenForAWhile(standbys)],
  ['the stream’s leader dies', off(streamLeader)],
  ['the stream’s leader hangs for a while', frozenForAWhile(streamLeader)],
  ['two servers of NATS are off for a while', offForAWhile(these('n1', 'n2'))],
  ['all servers of NATS are off for a while', offForAWhile(these('n1', 'n2', 'n3'))],
  ['the primary’s disk is full for a while', fullUntilRefused(primary)],
  ['the primary has no room for its WAL for a while', primaryWithoutRoomForWal],
  ['the synchronous standby’s disk is full for a while', fullSynchronousStandby],
  ['the disk of the stream’s leader is full for a while', natsWithoutRoom(streamLeader)],
  ['the disks of all servers of NATS are full for a while', natsWithoutRoom(these('n1', 'n2', 'n3'))],
  ...Object.entries(cables).map(
    ([name, ends]) => [`the cable between ${name} is cut for a while`, cutForAWhile(ends)] satisfies [string, Fault],
  ),
])('nothing is lost or sent too often when %s', async (title, fault) => {
  expect(await under(rig, title, fault)).toMatchObject(kept);
});
