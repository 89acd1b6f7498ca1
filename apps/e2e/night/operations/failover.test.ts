import { isolated, off, primary, streamLeader } from '../../support/failover/faults';
import { kept, under, useRig } from '../../support/failover/rig';

// The three faults that matter most. `npx nx run e2e:failover` has all of them.

const rig = useRig();

it.each([
  ['the primary dies', off(primary)],
  ['the primary is cut off from everybody', isolated(primary)],
])('nothing is lost or sent too often, and submissions are accepted within a second of the takeover, when %s', async (title, fault) => {
  const seen = await under(rig, title, fault);
  expect(seen).toMatchObject(kept);
  expect(seen.afterTakeoverMs).toBeLessThan(1_000);
});

it('nothing is lost or sent too often when the stream’s leader dies', async () => {
  expect(await under(rig, 'the stream’s leader dies', off(streamLeader))).toMatchObject(kept);
});
