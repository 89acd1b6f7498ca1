import { OwnFailure } from '@sheaf/egress';
import type { Claim } from './claims.queries';
import { post, type PostDeps } from './post';

const claimed = {
  id: 'd',
  number: 2,
  attempts_before: 0,
  url: 'https://hooks.example/here',
  payload: 'named',
  body: '{}',
  traceparent: 'of the event',
} as Claim;

/** Sends with a tracer that notes how the span ends. */
async function ended(parts: { bodyOf: () => Promise<string>; post: () => Promise<unknown> }) {
  const ends: unknown[] = [];
  const deps = {
    clock: { now: () => new Date() },
    settings: { DELIVERY_SLOW_MS: 1_000, DELIVERY_TIMEOUT_MS: 1_000 },
    tracer: { start: () => ({ trace: 'of the span', end: (attributes: unknown) => ends.push(attributes) }) },
    webhookKeys: { sign: () => Promise.resolve('signed') },
    payloads: { bodyOf: parts.bodyOf },
    egress: { post: parts.post },
  } as unknown as PostDeps;
  const { claim, result } = await post(deps, claimed, () => undefined);
  return { ends, trace: claim.traceparent, result };
}

const bodyOf = () => Promise.resolve('{"named":1}');

it('ends the span of an attempt with its outcome', async () => {
  const outcome = { status: 500, durationMs: 1 };

  await expect(ended({ bodyOf, post: () => Promise.resolve(outcome) })).resolves.toMatchObject({
    ends: [{ 'http.response.status_code': 500, 'error.type': '500' }],
    trace: 'of the span',
    result: { outcome, headers: { traceparent: 'of the span' } },
  });
});

it('ends the span of an attempt whose body cannot be composed', async () => {
  const fault = new Error('forms is away');

  await expect(ended({ bodyOf: () => Promise.reject(fault), post: jest.fn() })).resolves.toEqual({
    ends: [{ 'error.type': 'own_prepare' }],
    trace: 'of the span',
    result: { fault },
  });
});

it('names the stage of a fault on our side in the span', async () => {
  const fault = new OwnFailure('socket', new Error('EMFILE'));

  await expect(ended({ bodyOf, post: () => Promise.reject(fault) })).resolves.toMatchObject({ ends: [{ 'error.type': 'own_socket' }] });
});
