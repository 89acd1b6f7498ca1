import { createHash } from 'node:crypto';
import { callAs } from '@sheaf/testing';
import { Started } from './started';

const started = new Started();
beforeAll(() => started.start({ PROOF_BITS: 8, SPAM_MIN_FILL_MS: 0 }));
afterAll(() => started.stop());

const open = (form: string) => started.client.getIntakeForm(callAs(started.respondent), { form });
const spamOf = async (form_id: string) =>
  (await started.client.listSpam(callAs(started.owner), { form_id, limit: 25, offset: 0 })).submissions.map(({ id, spam_reason }) => [
    id,
    spam_reason,
  ]);

it('a submission without a proof of work is spam if the form wants one and says how much', async () => {
  const form = started.aForm({ settings: { proof_of_work: true } });
  const { started: token, proof_bits } = await open(form);
  expect(proof_bits).toBe(8);
  let nonce = 0;
  while (createHash('sha256').update(`${token}:key-1:${nonce}`).digest()[0] !== 0) nonce++;

  const proven = await started.submit(form, undefined, { started: token, idempotency_key: 'key-1', proof: String(nonce) });
  const other = await started.submit(form, undefined, { started: token, idempotency_key: 'key-2' });
  expect(await started.list(form)).toEqual({ total: 1, ids: [proven.id] });
  expect(await spamOf(form)).toEqual([[other.id, 'no_proof']]);
});

it('a form that wants no proof of work names no amount of it', async () => {
  const form = started.aForm();
  expect((await open(form)).proof_bits).toBeUndefined();
  const { id } = await started.submit(form);
  expect(await started.list(form)).toEqual({ total: 1, ids: [id] });
});
