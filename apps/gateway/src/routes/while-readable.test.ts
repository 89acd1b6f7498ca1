import { Problem, type Client } from '@sheaf/kernel';
import { whileReadable } from './while-readable';

const formId = '0197f0c2-0000-7000-8000-000000000001';
const workspace = '0197f0c2-0000-7000-8000-000000000002';
const ada: Client = {
  kind: 'user',
  id: '0197f0c2-0000-7000-8000-000000000003',
  instanceId: '0197f0c2-0000-7000-8000-000000000004',
  credentialId: '0197f0c2-0000-7000-8000-000000000005',
  via: 'session',
  roles: {},
};
const other = '0197f0c2-0000-7000-8000-000000000006';
const facts = (grants: Readonly<Record<string, string>>) => ({
  form_id: formId,
  workspace_id: workspace,
  creator_kind: 'user',
  creator_id: other,
  grants,
  legal_hold: false,
});

/** A stream of a chunk each 400 ms, and what is true at each of them. */
function reading() {
  const state = { now: 0, looks: 0, caller: (): Promise<Client> => Promise.resolve(ada), grants: { [ada.id]: 'viewer' } };
  const getFormAccess = () => {
    state.looks += 1;
    return Promise.resolve(facts(state.grants));
  };
  let [sent, hasEnded] = [0, false];
  async function* chunks() {
    try {
      for (; sent < 100; sent++) {
        yield sent;
        state.now += 400;
        await Promise.resolve();
      }
    } finally {
      hasEnded = true;
    }
  }
  const iterator = whileReadable(chunks(), {
    streamCall: {} as never,
    revalidate: () => state.caller(),
    forms: { getFormAccess: getFormAccess as never },
    access: { scope: 'submissions:read' },
    formId,
    now: () => state.now,
    pause: (ms) => Promise.resolve((state.now += ms)),
  });
  return { state, next: async () => (await iterator.next()).value as number | undefined, end: () => hasEnded };
}

it('sends everything to a caller who keeps the access, and asks for their role once a second', async () => {
  const { state, next } = reading();
  const received: number[] = [];
  for (let chunk = await next(); chunk !== undefined; chunk = await next()) received.push(chunk);
  expect(received).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(state.looks).toBe(33);
});

it('sends no further chunk once the credential is not valid any more, and stops reading', async () => {
  const { state, next, end } = reading();
  expect([await next(), await next()]).toEqual([0, 1]);
  state.caller = () => Promise.reject(Problem.unauthorized('revoked'));
  await expect(next()).rejects.toMatchObject({ code: 'unauthorized' });
  expect(end()).toBe(true);
  expect(await next()).toBeUndefined();
});

it('sends nothing a second after the role on the form was lost', async () => {
  const { state, next } = reading();
  expect(await next()).toBe(0);
  state.grants = { [other]: 'viewer' };
  expect([await next(), await next()]).toEqual([1, 2]);
  await expect(next()).rejects.toMatchObject({
    code: 'forbidden',
    message: 'Your role does not allow you to read submissions of this form.',
  });
});

it('a service account that loses its scope gets no further chunk', async () => {
  const { state, next } = reading();
  const robot: Client = {
    kind: 'service_account',
    id: ada.id,
    instanceId: ada.instanceId,
    credentialId: ada.credentialId,
    scopes: ['forms:read'],
  };
  expect(await next()).toBe(0);
  state.caller = () => Promise.resolve(robot);
  await expect(next()).rejects.toMatchObject({ code: 'insufficient_scope' });
});

it('waits while nobody can tell whether the access is still there, but not for ever', async () => {
  const { state, next } = reading();
  let failures = 3;
  state.caller = () => (failures-- > 0 ? Promise.reject(Problem.unavailable('restarting')) : Promise.resolve(ada));
  expect(await next()).toBe(0);
  expect(state.now).toBe(3_000);
  failures = Number.POSITIVE_INFINITY;
  await expect(next()).rejects.toMatchObject({ code: 'unavailable' });
  expect(state.now).toBe(33_400);
});
