import { failureOf } from './end-subscription';

const settlement = { id: 'd', subscriptionId: 's', number: 3, lease: new Date(), durationMs: 1, at: new Date(), state: 'failed' } as const;

it.each([
  [{ status: 500, error: 'status' }, 'HTTP 500'],
  [{ error: 'timeout' }, 'timeout'],
  [{ error: 'tls', code: 'CERT_HAS_EXPIRED' }, 'tls (CERT_HAS_EXPIRED)'],
] as const)('a webhook that failed for days says how it failed last: %j', (why, said) => {
  expect(failureOf({ ...settlement, ...why })).toBe(said);
});
