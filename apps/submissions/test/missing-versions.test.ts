import { newId } from '@sheaf/kernel';
import { testProcess } from '@sheaf/testing';
import { MissingVersions } from '../src/insights/watch-missing-versions';
import { markMissing } from '../src/reconcile.queries';
import { Started } from './started';

const started = new Started();
beforeAll(() => started.start());
afterAll(() => started.stop());

it('versions that forms was found not to have are counted and said, until it has them again', async () => {
  const process = testProcess('submissions');
  const missing = new MissingVersions(process, started.db);
  const told = async () => {
    await missing.ask();
    return [/^sheaf_missing_versions (\d+)$/m.exec(await process.metrics.metrics())?.[1], process.health.warnings.length];
  };
  await expect(told()).resolves.toEqual(['0', 0]);

  const form_id = newId();
  const [lost, kept] = [1, 2].map((version) => ({ form_id, version, version_id: newId() }));
  const found = (isLost: boolean) => [
    { form_id, version: 1, version_id: lost?.version_id ?? '', is_missing: isLost },
    { form_id, version: 2, version_id: kept?.version_id ?? '', is_missing: false },
  ];
  await markMissing(started.db, found(true), started.clock.now());
  await markMissing(started.db, found(true), started.clock.now());
  await expect(told()).resolves.toEqual(['1', 1]);
  expect(process.health.warnings).toEqual([expect.stringContaining('npm run sheaf -- reconcile')]);

  await markMissing(started.db, found(false), started.clock.now());
  await expect(told()).resolves.toEqual(['0', 0]);
});
