import { newId, type Caller } from '@sheaf/kernel';
import { aServiceAccount, callAs } from '@sheaf/testing';
import { Started } from './started';

const started = new Started();
const { instanceId, owner, viewer, outsider, stranger } = started;
let client: Started['client'];
beforeAll(async () => {
  ({ client } = await started.start());
});
afterAll(() => started.stop());

const summarize = async (form_ids: string[], as: Caller = viewer) => (await client.summarizeForms(callAs(as), { form_ids })).forms;

it('counts all submissions and new ones, and says when the last one arrived', async () => {
  const [form, empty] = [started.aForm(), started.aForm()];
  const { id } = await started.submit(form);
  started.clock.advance(1_000);
  const { created_at: last } = await started.submit(form);
  await client.changeStatus(callAs(owner), { form_id: form, id, status: 'approved' });
  const found = await summarize([form, empty]);
  expect(found).toHaveLength(2);
  expect(found).toContainEqual({ form_id: form, total: 2, fresh: 1, spam: 0, last_submission_at: last });
  expect(found).toContainEqual({ form_id: empty, total: 0, fresh: 0, spam: 0 });
});

it('leaves out the trash, and counts spam apart', async () => {
  const form = started.aForm();
  const first = await started.submit(form);
  started.clock.advance(1_000);
  const [trashed, spam] = [await started.submit(form), await started.submit(form)];
  await client.deleteSubmission(callAs(owner), { form_id: form, id: trashed.id });
  await client.markSpam(callAs(owner), { form_id: form, id: spam.id, spam: true });
  expect(await summarize([form])).toEqual([{ form_id: form, total: 1, fresh: 1, spam: 1, last_submission_at: first.created_at }]);
});

it('leaves out forms that the caller may not read, and asks about all in one call', async () => {
  const forms = [started.aForm(), started.aForm()];
  for (const as of [outsider, stranger]) expect(await summarize(forms, as)).toEqual([]);
  expect(await summarize([...forms, newId(), 'no id'], aServiceAccount({ instanceId, scopes: ['forms:read'] }))).toHaveLength(2);
});
