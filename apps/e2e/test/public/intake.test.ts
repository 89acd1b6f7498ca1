import { startSubscriber, type Subscriber } from '@sheaf/testing';
import * as given from '../../support/given';
import { anyone, asOwner } from '../../support/people';
import { proofFor } from '../../support/proof-of-work';

// The guarantees for submissions when many arrive at the same moment.

const crowd = 200;
const submit = (form: string, body: object, key?: string) =>
  anyone.post(`/public/v1/forms/${form}/submissions`, body, key === undefined ? {} : { 'idempotency-key': key });
const countOf = (statuses: readonly number[]) =>
  Object.fromEntries([...new Set(statuses)].sort().map((status) => [status, statuses.filter((one) => one === status).length]));
const totalOf = async (path: string) => ((await asOwner.get(path)).body as { total: number }).total;

let subscriber: Subscriber;
beforeAll(async () => {
  subscriber = await startSubscriber();
});
afterAll(() => subscriber.close());

/** A form with a subscriber on its own path, which receives all events of the test. */
async function formWithSubscriber(settings: object = {}): Promise<{ form: string; receivedIds: (count: number) => Promise<string[]> }> {
  const form = await given.publishedForm();
  await asOwner.patch(`/api/v1/forms/${form}`, settings);
  await given.subscription(form, `${subscriber.url}/${form}`);
  const receivedIds = async (count: number) => {
    const received = await subscriber.waitFor(count, ({ path }) => path === `/${form}`);
    return received.map(({ body }) => (JSON.parse(body) as { submission: { id: string } }).submission.id);
  };
  return { form, receivedIds };
}

it('accepts exactly as many submissions as the form allows, and delivers each of them, when 200 arrive at once', async () => {
  const { form, receivedIds } = await formWithSubscriber({ max_submissions: 50, closed_message: 'Full' });

  const replies = await Promise.all(Array.from({ length: crowd }, (_, n) => submit(form, { data: { name: `Ada ${n}` } })));

  expect(countOf(replies.map(({ status }) => status))).toEqual({ 201: 50, 403: 150 });
  const accepted = replies
    .filter(({ status }) => status === 201)
    .map(({ body }) => (body as { id: string }).id)
    .sort();
  expect(await totalOf(`/api/v1/forms/${form}/submissions`)).toBe(50);
  expect(await totalOf(`/api/v1/forms/${form}/submissions?status=new`)).toBe(50);
  expect((await receivedIds(50)).sort()).toEqual(accepted);
  expect(await totalOf(`/app/v1/forms/${form}/deliveries`)).toBe(50);
  expect((await anyone.get(`/public/v1/forms/${form}`)).body).toMatchObject({ open: false });
});

it('accepts one of 200 concurrent submissions with the same idempotency key, and gives all of them the same response', async () => {
  const { form, receivedIds } = await formWithSubscriber();

  const replies = await Promise.all(Array.from({ length: crowd }, () => submit(form, { data: { name: 'Ada' } }, 'the-same')));

  const [first] = replies;
  expect(first?.status).toBe(201);
  for (const { status, body } of replies) expect({ status, body }).toEqual({ status: 201, body: first?.body });
  expect(await totalOf(`/api/v1/forms/${form}/submissions`)).toBe(1);
  expect(await receivedIds(1)).toEqual([(first?.body as { id: string } | undefined)?.id]);
  expect(await totalOf(`/app/v1/forms/${form}/deliveries`)).toBe(1);
  expect(await submit(form, { data: { name: 'Bob' } }, 'the-same')).toMatchObject({
    status: 400,
    body: { error: { code: 'bad_request', details: [{ key: 'Idempotency-Key', code: 'key_reused' }] } },
  });
});

it('sends spam to subscribers only after a person has released it', async () => {
  const { form, receivedIds } = await formWithSubscriber();
  const linking = await submit(form, { data: { name: 'http://buy.example '.repeat(21) }, hp: '' });
  const trapped = await submit(form, { data: { name: 'Bot' }, hp: 'http://buy.example' });
  const other = await submit(form, { data: { name: 'Bob' } });
  expect([linking, trapped, other].map(({ status, body }) => [status, Object.keys(body as object)])).toEqual(
    Array.from({ length: 3 }, () => [201, ['id', 'form_id', 'status', 'created_at']]),
  );
  const [linkingId, trappedId, otherId] = [linking, trapped, other].map(({ body }) => (body as { id: string }).id);

  expect(await receivedIds(1)).toEqual([otherId]);
  expect(await asOwner.get(`/app/v1/forms/${form}/submissions/spam`)).toMatchObject({
    status: 200,
    body: {
      total: 2,
      limit: 25,
      offset: 0,
      data: [
        { id: trappedId, data: { name: 'Bot' }, spam_reason: 'honeypot' },
        { id: linkingId, spam_reason: 'too_many_links' },
      ],
    },
  });
  expect(await asOwner.put(`/app/v1/forms/${form}/submissions/${linkingId}/spam`, { spam: false })).toMatchObject({
    status: 200,
    body: { id: linkingId, status: 'new' },
  });
  expect(await receivedIds(2)).toEqual([otherId, linkingId]);
  expect(await totalOf(`/api/v1/forms/${form}/submissions`)).toBe(2);
});

it('checks the proof of work that a form asks for, together with the start token and the idempotency key', async () => {
  const form = await given.publishedForm();
  await asOwner.patch(`/app/v1/forms/${form}`, { proof_of_work: true });
  const { started, proof_bits } = (await anyone.get(`/public/v1/forms/${form}`)).body as { started: string; proof_bits: number };
  const proof = proofFor(`${started}:key-1`, `${started}:key-2`, proof_bits);

  expect(await submit(form, { data: { name: 'Ada' }, started, proof }, 'key-1')).toMatchObject({ status: 201 });
  expect(await submit(form, { data: { name: 'Bot' }, started, proof }, 'key-2')).toMatchObject({ status: 201 });
  const { data } = (await asOwner.get(`/app/v1/forms/${form}/submissions/spam`)).body as { data: { data: unknown; spam_reason: string }[] };
  // The first one may be spam for another reason: on a fast machine, it is sent sooner than a person can type.
  expect(data.filter(({ spam_reason }) => spam_reason === 'no_proof')).toMatchObject([{ data: { name: 'Bot' } }]);
});

it('changes statuses in bulk, lists the history of a submission, and restores it from the trash', async () => {
  const form = await given.publishedForm();
  const [one, two] = [await given.submission(form), await given.submission(form)];
  const path = `/app/v1/forms/${form}/submissions`;

  expect(await asOwner.post(`${path}/bulk-status`, { submission_ids: [two, one], status: 'approved' })).toMatchObject({
    status: 200,
    body: { updated: [two, one], unchanged: [] },
  });
  expect(await asOwner.get(`${path}/${one}/history`)).toMatchObject({
    status: 200,
    body: { total: 1, limit: 1, offset: 0, data: [{ status: 'approved', from: 'new', to: 'approved', actor: { kind: 'user' } }] },
  });
  await asOwner.delete(`/api/v1/forms/${form}/submissions/${one}`);
  expect(await asOwner.get(`${path}/trash`)).toMatchObject({
    status: 200,
    body: { total: 1, data: [{ id: one, status: 'approved', data: { name: 'Ada' } }] },
  });
  expect(await asOwner.post(`${path}/${one}/restore`)).toMatchObject({ status: 200, body: { id: one, status: 'approved' } });
  expect(await totalOf(`${path}/trash`)).toBe(0);
});

it.each([
  [{ submission_ids: [], status: 'new' }, 'submission_ids: must have between 1 and 500 items'],
  [{ submission_ids: 'all', status: 'new' }, 'submission_ids: must be an array'],
  [{ submission_ids: [''], status: 'new' }, 'submission_ids.0: must have between 1 and 64 characters'],
  [{ submission_ids: ['x'], status: 'lost' }, 'status: must be one of new, in_review, approved, rejected, archived, pending_payment'],
])('rejects the bulk change %j', async (body, message) => {
  const form = await given.publishedForm();
  const reply = await asOwner.post(`/app/v1/forms/${form}/submissions/bulk-status`, body);
  expect(reply).toMatchObject({ status: 400, body: { error: { code: 'bad_request', message } } });
});
