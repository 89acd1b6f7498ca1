import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../manifests';
import { breaks } from './compare';
import { currentAgreement, type Agreement, type EventsModule } from './current';

const accepted = JSON.parse(readFileSync(join(root, 'deploy/compatibility/accepted.json'), 'utf8')) as Agreement;
const current = async () => currentAgreement(root, (await import(join(root, 'libs/contracts/src/events'))) as EventsModule);

/**
 * Fields that may be absent since then. The bytes of a value stay the same, and an earlier reader takes 0 for an absent one: no price is 0, so it stores
 * nothing (decision 0087). They are removed from here with the next acceptance.
 */
const withPresence = ['sheaf.forms.v1.Payment.amount', 'sheaf.submissions.v1.Payment.amount'].map(
  (field) => `${field}: label optional instead of implicit`,
);

// Services are deployed one by one: for a while each version runs beside the previous one. If this fails, make the change in two steps
// (add, deploy everywhere, remove), or, once the accepted version no longer runs anywhere: npx nx accept deploy-checks.
it('is compatible with the accepted version in both directions', async () => {
  expect(breaks(accepted, await current())).toEqual(withPresence);
});

it('covers every message, method and event', async () => {
  const { services, messages, events } = await current();
  expect(Object.keys(services)).toHaveLength(6);
  expect(Object.keys(messages).length).toBeGreaterThan(50);
  expect(Object.keys(events).length).toBeGreaterThan(8);
});
