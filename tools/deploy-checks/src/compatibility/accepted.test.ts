import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../manifests';
import { breaks } from './compare';
import { currentAgreement, type Agreement, type EventsModule } from './current';

const accepted = JSON.parse(readFileSync(join(root, 'deploy/compatibility/accepted.json'), 'utf8')) as Agreement;
const current = async () => currentAgreement(root, (await import(join(root, 'libs/contracts/src/events'))) as EventsModule);

// Services are deployed one by one: for a while each version runs beside the previous one. If this fails, make the change in two steps
// (add, deploy everywhere, remove), or, once the accepted version no longer runs anywhere: npx nx accept deploy-checks.
it('is compatible with the accepted version in both directions', async () => {
  expect(breaks(accepted, await current())).toEqual([]);
});

it('covers every message, method and event', async () => {
  const { services, messages, events } = await current();
  expect(Object.keys(services)).toHaveLength(6);
  expect(Object.keys(messages).length).toBeGreaterThan(50);
  expect(Object.keys(events).length).toBeGreaterThan(8);
});
