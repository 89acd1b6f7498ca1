import { eventually } from '@sheaf/testing';
import {
  type Fault,
  type Which,
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
import { gauge } from '../support/failover/gauges';
import { kept, under, useRig } from '../support/failover/rig';

// Each test runs the load over one fault, then compares what was answered with what is stored and what subscribers heard.

type Series = Parameters<typeof gauge> extends [unknown, ...infer Rest] ? Rest : never;

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

// The series behind the alerts, during the real fault. That alerts fire on such series is tested with promtool.
describe('Prometheus', () => {
  const becomes = (expected: number, series: Series) => eventually(async () => expect(await gauge(rig.system, ...series)).toBe(expected));

  it.each<[string, Which, Series, { well: number; ill: number }]>([
    ['no standby is left', standbys, ['submissions', 'sheaf_postgres_synchronous'], { well: 1, ill: 0 }],
    ['a server of NATS is gone', these('n1'), ['delivery', 'sheaf_nats_stream_replicas', 'state="current"'], { well: 3, ill: 2 }],
    ['all servers of NATS are gone', these('n1', 'n2', 'n3'), ['submissions', 'sheaf_nats_connected'], { well: 1, ill: 0 }],
  ])('gets that %s, and that all is well again', async (_, which, series, { well, ill }) => {
    const { engines } = rig;
    await engines.whole();
    await becomes(well, series);
    const names = await which(engines);
    await Promise.all(names.map((name) => engines.machine(name).turnOff()));
    try {
      await becomes(ill, series);
    } finally {
      await Promise.all(names.map((name) => engines.machine(name).turnOn()));
    }
    await becomes(well, series);
  });

  it('gets that submissions were refused while the primary was gone, and that PostgreSQL replicates synchronously after it', async () => {
    const refused: Series = ['gateway', 'sheaf_http_duration_seconds_count', 'route="/public/v1/forms/:form/submissions",status="503"'];
    const before = (await gauge(rig.system, ...refused)) ?? 0;
    expect(await under(rig, 'the primary dies', off(primary))).toMatchObject(kept);
    expect(await gauge(rig.system, ...refused)).toBeGreaterThan(before);
    await becomes(1, ['submissions', 'sheaf_postgres_synchronous']);
  });
});
