import { newId, type Respondent } from '@sheaf/kernel';
import type { Client, FormsDefinition } from '@sheaf/rpc';
import { aUser, callAs, TestClock } from '@sheaf/testing';
import { startService, type Service } from './service';

const instanceId = newId();
const workspaceId = newId();
const editor = aUser({ instanceId, workspaceId, roles: { [workspaceId]: 'editor' } });
const respondent: Respondent = { kind: 'respondent', instanceId };
let service: Service;
let client: Client<FormsDefinition>;

beforeAll(async () => {
  service = await startService(new TestClock());
  ({ client } = service);
});
afterAll(() => service.stop());

type Payment = { amount: number; currency: string };
const fields = Buffer.from(JSON.stringify([{ key: 'name', label: 'Name', type: 'short_text', required: false }]));
const create = async () => (await client.createForm(callAs(editor), {})).id;
const save = (id: string, revision: number, payment?: Payment) =>
  client.putDraft(callAs(editor), { id, revision, fields, ...(payment ? { payment } : {}) });
const getDraft = (id: string) => client.getDraft(callAs(editor), { id });
const publish = (id: string) => client.publishForm(callAs(editor), { id });
const published = (form: string) => client.getPublishedForm(callAs(respondent), { form });
const refused = (message: string) => expect.objectContaining({ code: 'bad_request', message }) as unknown;

describe('the payment of a form', () => {
  it('is part of its draft, and absent if the draft has none', async () => {
    const id = await create();
    expect(await getDraft(id)).toMatchObject({ payment: null });
    expect(await save(id, 0, { amount: 2500, currency: 'EUR' })).toMatchObject({ payment: { amount: 2500, currency: 'eur' } });
    expect(await getDraft(id)).toMatchObject({ payment: { amount: 2500, currency: 'eur' }, revision: 1 });
    expect(await save(id, 1)).toMatchObject({ payment: null });
  });

  it.each([
    [{ amount: 0, currency: 'eur' }, 'payment.amount: must be a whole number between 1 and 99999999'],
    [{ amount: 100_000_000, currency: 'eur' }, 'payment.amount: must be a whole number between 1 and 99999999'],
    [{ amount: 1, currency: 'euro' }, 'payment.currency: must be an ISO 4217 code, such as eur'],
    [{ amount: 1, currency: 'zzz' }, 'payment.currency: must be an ISO 4217 code, such as eur'],
  ])('cannot be %j', async (payment, message) => {
    const id = await create();
    await expect(save(id, 0, payment)).rejects.toEqual(refused(message));
    expect(await getDraft(id)).toMatchObject({ revision: 0 });
  });

  it('is published with the fields and stays with its version', async () => {
    const id = await create();
    await save(id, 0, { amount: 2500, currency: 'eur' });
    expect((await publish(id)).warnings).toEqual([expect.stringContaining('Respondents now pay 2500 eur')]);
    await save(id, 1, { amount: 900, currency: 'usd' });
    expect(await published(id)).toMatchObject({ version: 1, payment: { amount: 2500, currency: 'eur' } });

    expect((await publish(id)).warnings).toEqual([expect.stringContaining('pay 900 usd')]);
    expect(await published(id)).toMatchObject({ version: 2, payment: { amount: 900, currency: 'usd' } });
    await save(id, 2);
    await publish(id);
    const version = (number: string) => client.getVersion(callAs(editor), { form_id: id, version: number });
    expect(await version('1')).toMatchObject({ payment: { amount: 2500, currency: 'eur' } });
    expect(await version('2')).toMatchObject({ payment: { amount: 900, currency: 'usd' } });
    expect(await version('3')).not.toHaveProperty('payment');
  });

  it('is published automatically in the mode "auto", even if nothing else has changed', async () => {
    const id = await create();
    await client.updateForm(callAs(editor), { id, set: ['publish_mode'], patch: { publish_mode: 'auto' } });
    await save(id, 0);
    await save(id, 1, { amount: 2500, currency: 'eur' });
    expect(await published(id)).toMatchObject({ version: 2, payment: { amount: 2500, currency: 'eur' } });
    await save(id, 2, { amount: 2500, currency: 'eur' });
    expect(await published(id)).toMatchObject({ version: 2 });
  });

  it('is copied with the draft', async () => {
    const id = await create();
    await save(id, 0, { amount: 2500, currency: 'eur' });
    const copy = await client.duplicateForm(callAs(editor), { id });
    expect(await getDraft(copy.id)).toMatchObject({ payment: { amount: 2500, currency: 'eur' } });
  });
});
