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

type Payment = { amount?: number; amount_from?: string; currency: string };
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

describe('the payment of a calculated amount', () => {
  const field = (key: string, type: string, more: object = {}) => ({ key, label: key, type, required: false, ...more });
  const total = field('total', 'calculated', { formula: 'places * 12.5' });
  const all = [
    field('places', 'integer'),
    total,
    field('euros', 'calculated', { formula: 'places * 2', format: 'currency', currency: 'eur' }),
    field('share', 'calculated', { formula: '0.5', format: 'percent' }),
    field('text', 'calculated', { formula: "concat('a', places)", format: 'text' }),
  ];
  const saveAll = (id: string, revision: number, payment: Payment, items: readonly object[] = all) =>
    client.putDraft(callAs(editor), { id, revision, fields: Buffer.from(JSON.stringify(items)), payment });
  const from = (amount_from: string, currency = 'eur'): Payment => ({ amount_from, currency });

  it('names the field, in the draft, its versions and its copies', async () => {
    const id = await create();
    expect((await saveAll(id, 0, from('total', 'USD'))).payment).toEqual({ amount_from: 'total', currency: 'usd' });
    expect((await publish(id)).warnings).toEqual([expect.stringContaining('Respondents now pay the answer to "total" in usd.')]);
    expect((await published(id)).payment).toEqual({ amount_from: 'total', currency: 'usd' });
    await saveAll(id, 1, from('euros'));
    const { changes } = await client.checkPublication(callAs(editor), { id });
    expect((JSON.parse(changes.toString()) as { payment: unknown }).payment).toEqual({
      from: { amount_from: 'total', currency: 'usd' },
      to: { amount_from: 'euros', currency: 'eur' },
    });
    expect((await publish(id)).warnings).toEqual([
      'Respondents paid the answer to "total" in usd in version 1 and now pay the answer to "euros" in eur.',
    ]);
    const copy = await client.duplicateForm(callAs(editor), { id });
    expect((await getDraft(copy.id)).payment).toEqual({ amount_from: 'euros', currency: 'eur' });
    await saveAll(id, 2, { amount: 5, currency: 'eur' });
    expect((await publish(id)).warnings).toEqual([
      'Respondents paid the answer to "euros" in eur in version 2 and now pay 5 eur (in the smallest unit).',
    ]);
  });

  const noField = 'payment.amount_from: must be the key of a calculated field with the format number or currency';
  it.each<[Payment, string]>([
    [from('gone'), noField],
    [from('places'), noField],
    [from('share'), noField],
    [from('text'), noField],
    [from('euros', 'usd'), 'payment.currency: must be eur, in which the field "euros" is calculated'],
    [{ currency: 'eur' }, 'payment.amount: is required, or amount_from instead'],
    [{ amount: 5, amount_from: 'total', currency: 'eur' }, 'payment.amount_from: is allowed only without amount'],
  ])('cannot be %j', async (payment, message) => {
    const id = await create();
    await expect(saveAll(id, 0, payment)).rejects.toEqual(refused(message));
    expect(await getDraft(id)).toMatchObject({ revision: 0 });
  });

  it('keeps its field from being removed, or made one that gives no number', async () => {
    const id = await create();
    await saveAll(id, 0, from('total'));
    await expect(saveAll(id, 1, from('total'), [field('places', 'integer')])).rejects.toEqual(refused(noField));
    const date = { ...total, formula: 'today()', format: 'date' };
    await expect(saveAll(id, 1, from('total'), [field('places', 'integer'), date])).rejects.toEqual(refused(noField));
  });

  it('is not published with a draft that lacks its field', async () => {
    const id = await create();
    await saveAll(id, 0, from('total'));
    await service
      .db('draft')
      .where({ form_id: id })
      .update({ payment: JSON.stringify(from('gone')) });
    await expect(publish(id)).rejects.toEqual(refused(noField));
    await expect(client.checkPublication(callAs(editor), { id })).rejects.toEqual(refused(noField));
  });
});
