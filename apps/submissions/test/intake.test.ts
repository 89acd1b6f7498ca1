import { callAs, eventually, refused } from '@sheaf/testing';
import { deleteOldKeys } from '../src/intake/delete-old-keys';
import { Started } from './started';

const started = new Started();
const { clock } = started;
beforeAll(() => started.start({ SUBMIT_PER_ADDRESS_PER_MINUTE: 2, SUBMIT_PER_FORM_PER_MINUTE: 3 }));
afterAll(() => started.stop());

describe('the rate limits', () => {
  it('refuse too many submissions from one address, with the time to wait', async () => {
    const form = started.aForm();
    await started.submit(form, undefined, { address: '9.9.9.9' });
    clock.advance(10_000);
    await started.submit(form, undefined, { address: '9.9.9.9' });
    await expect(started.submit(form, undefined, { address: '9.9.9.9' })).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 50,
    });
    await expect(started.submit(form, undefined, { address: '8.8.8.8' })).resolves.toMatchObject({ status: 'new' });
  });

  it('refuse too many submissions to one form from all addresses together', async () => {
    const form = started.aForm();
    for (let n = 0; n < 3; n++) await started.submit(form);
    await expect(started.submit(form)).rejects.toEqual(refused('too_many_requests'));
    clock.advance(60_000);
    await expect(started.submit(form)).resolves.toMatchObject({ status: 'new' });
  });

  it('count submissions that are refused for their answers', async () => {
    const form = started.aForm();
    for (let n = 0; n < 3; n++) await expect(started.submit(form, {})).rejects.toEqual(refused('bad_request'));
    await expect(started.submit(form)).rejects.toEqual(refused('too_many_requests'));
  });

  it('let repeated requests through, which get the first response again', async () => {
    const form = started.aForm();
    const repeat = () => started.submit(form, undefined, { idempotency_key: 'key-1', address: '9.9.9.9' });
    const first = await repeat();
    for (let n = 0; n < 5; n++) expect(await repeat()).toEqual(first);
  });
});

describe('idempotency keys', () => {
  const keysOf = async (form: string) =>
    (await started.db<{ key: string; form_id: string }>('idempotency_key').where({ form_id: form })).map(({ key }) => key).sort();

  it('are deleted by age, and can then be used for a new submission', async () => {
    const form = started.aForm();
    const first = await started.submit(form, undefined, { idempotency_key: 'old' });
    clock.advance(86_400_000);
    await started.submit(form, undefined, { idempotency_key: 'young' });
    clock.advance(29 * 86_400_000);
    await deleteOldKeys(started.deps, 30);
    expect(await keysOf(form)).toEqual(['old', 'young']);

    clock.advance(1);
    await deleteOldKeys(started.deps, 30);
    expect(await keysOf(form)).toEqual(['young']);
    const second = await started.submit(form, undefined, { idempotency_key: 'old' });
    expect(second.id).not.toBe(first.id);
    expect(await started.client.getSubmission(callAs(started.owner), { form_id: form, id: first.id })).toMatchObject({ id: first.id });
  });

  it('match the same answers in another order and without empty ones', async () => {
    const form = started.aForm();
    const ask = (data: object, key = 'key') => {
      // Advance past the rate limits that this file tests.
      clock.advance(60_000);
      return started.submit(form, data, { idempotency_key: key });
    };
    const first = await ask({ name: 'Ada', story: 'Long ago', stars: 5 });
    expect(await ask({ stars: 5, name: 'Ada', story: 'Long ago' })).toEqual(first);
    await expect(ask({ stars: 4, name: 'Ada', story: 'Long ago' })).rejects.toEqual(
      refused('bad_request', 'Idempotency-Key: was already used with different answers'),
    );
    await expect(ask({ name: 'Ada', story: 'Long ago' })).rejects.toMatchObject({
      details: [{ key: 'Idempotency-Key', code: 'key_reused', message: 'was already used with different answers' }],
    });

    const short = await ask({ name: 'Bob', story: '' }, 'short');
    expect(await ask({ stars: null, name: 'Bob' }, 'short')).toEqual(short);
  });

  it('are deleted in batches, by several processes at once', async () => {
    const form = started.aForm();
    await started.db.raw(
      `insert into idempotency_key (form_id, key, fingerprint, submission_id, created_at)
       select ?, 'key-' || n, '', ?, ? from generate_series(1, 2500) as n`,
      [form, form, clock.now()],
    );
    clock.advance(31 * 86_400_000);
    const forgotten = await Promise.all([deleteOldKeys(started.deps, 30), deleteOldKeys(started.deps, 30)]);
    expect(forgotten[0] + forgotten[1]).toBeGreaterThanOrEqual(2_500);
    expect(await keysOf(form)).toEqual([]);
  });
});

it('a submission to a form with a file field, which has its own transaction, is neither stored nor announced once its sender has given up', async () => {
  const fields = Buffer.from(JSON.stringify([{ key: 'cv', label: 'CV', type: 'file', required: false }]));
  const form = started.aForm({ fields });
  await started.db('intake').insert({ form_id: form, accepted: 0 });
  const trx = await started.db.transaction();
  await trx('intake').where({ form_id: form }).forUpdate();

  const deadline = Date.now() + 300;
  await expect(started.client.submit({ ...callAs(started.respondent), deadline }, { form, data: Buffer.from('{}') })).rejects.toEqual(
    refused('unavailable'),
  );
  // The service counts from the arrival of the call, which a busy machine delays.
  await eventually(() => expect(Date.now()).toBeGreaterThan(deadline + 1_000));
  await trx.commit();
  // Take the lock after the abandoned transaction, which holds the same lock until it ends.
  await eventually(async () =>
    expect(await started.db('pg_stat_activity').where({ wait_event_type: 'Lock' }).whereRaw('datname = current_database()')).toEqual([]),
  );
  await started.db.transaction((other) => other('intake').where({ form_id: form }).forUpdate());
  expect(await started.db('submission').where({ form_id: form })).toEqual([]);

  // Events arrive in the order in which they were published.
  const { id } = await started.submit(form, {});
  const announced = () => started.received.filter(({ formId }) => formId === form).map(({ subject }) => subject);
  await eventually(() => expect(announced()).toContain(id));
  expect(announced()).toEqual([id]);
});

it.each(['no JSON', '[]', 'null', '"text"'])('refuses answers that are not a JSON object: %s', async (data) => {
  const form = started.aForm();
  await expect(started.client.submit(callAs(started.respondent), { form, data: Buffer.from(data) })).rejects.toEqual(
    refused('bad_request', 'data: must be an object'),
  );
});
