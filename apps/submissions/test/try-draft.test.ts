import { aServiceAccount, aUser, callAs, refused } from '@sheaf/testing';
import { Started } from './started';

const started = new Started();
beforeAll(() => started.start());
afterAll(() => started.stop());

const condition = { key: 'visits', equals: true };
const draft = [
  { key: 'visits', label: 'Do you visit us?', type: 'boolean', required: true },
  { type: 'section', label: 'Your visit', visible_if: condition },
  { key: 'guests', label: 'Guests', type: 'integer', required: true, max: 5 },
];
const attempt = async (form: string, data: unknown, as: Parameters<typeof callAs>[0] = started.owner) => {
  const { faults, visible } = await started.client.tryDraft(callAs(as), { form_id: form, data: Buffer.from(JSON.stringify(data)) });
  return { faults: JSON.parse(faults.toString()) as unknown[], visible };
};

it('tells the faults of answers to the draft, and the fields that they show', async () => {
  const form = started.aForm({ draft });
  expect(await attempt(form, { visits: true, guests: 9 })).toEqual({
    faults: [{ key: 'guests', code: 'too_large', params: { max: 5 }, message: 'must be at most 5' }],
    visible: ['visits', 'guests'],
  });
  expect(await attempt(form, { visits: false })).toEqual({ faults: [], visible: ['visits'] });
  expect(await attempt(form, { name: 'Ada', visits: true, guests: 2 })).toMatchObject({
    faults: [{ key: 'name', code: 'unknown_field' }],
    visible: ['visits', 'guests'],
  });
});

it('checks the draft and not the published version, and stores nothing', async () => {
  const form = started.aForm({ draft });
  await expect(started.submit(form, { name: 'Ada' })).resolves.toBeDefined();
  expect(await attempt(form, { visits: true, guests: 1 })).toEqual({ faults: [], visible: ['visits', 'guests'] });
  expect(await started.list(form)).toMatchObject({ total: 1 });
});

it('is for those who may read the draft', async () => {
  const form = started.aForm({ draft });
  const viewer = aUser({ instanceId: started.instanceId, workspaceId: started.workspaceId, roles: { [started.workspaceId]: 'viewer' } });
  await expect(attempt(form, {}, viewer)).rejects.toEqual(refused('forbidden'));
  await expect(attempt(form, [])).rejects.toEqual(refused('bad_request', 'data: must be an object'));
});

it('needs no scope for submissions', async () => {
  const program = aServiceAccount({ id: started.owner.id, instanceId: started.instanceId, scopes: ['forms:read'] });
  expect(await attempt(started.aForm({ draft }), { visits: false }, program)).toMatchObject({ faults: [] });
});
