import { randomBytes } from 'node:crypto';
import { newId, type ProblemCode } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { deleteExpired } from '../src/saved/delete-expired';
import { Started } from './started';

const started = new Started();
const { clock, respondent } = started;
const formBytes = 10_000;
beforeAll(() => started.start({ SUBMIT_PER_ADDRESS_PER_MINUTE: 2 }, { saved: { formBytes } }));
afterAll(() => started.stop());

const days = (count: number) => count * 86_400_000;
const aForm: Started['aForm'] = (form) => started.aForm({ settings: { resume: { days: 30 } }, ...form });
const save = (form: string, name: Buffer, sealed: Buffer | string = 'sealed', address?: string) =>
  started.client.saveAnswers({ ...callAs(respondent), address }, { form, name, sealed: Buffer.from(sealed), file_ids: [] });
const read = async (form: string, name: Buffer, as = respondent) =>
  (await started.client.getSavedAnswers(callAs(as), { form, name })).sealed.toString();
const aName = () => randomBytes(32);
const bytesOf = async (form: string) =>
  (await started.db('saved_bytes').where({ form_id: form }).first<{ bytes: number } | undefined>('bytes'))?.bytes;

describe('saved answers', () => {
  it('are there as often as they are asked for, until they expire', async () => {
    const [form, name] = [aForm(), aName()];
    const expires_at = new Date(clock.now().getTime() + days(30)).toISOString();
    expect(await save(form, name)).toEqual({ expires_at });
    clock.advance(days(30) - 1);
    expect(await read(form, name)).toBe('sealed');
    expect(await started.client.getSavedAnswers(callAs(respondent), { form, name })).toEqual({ sealed: Buffer.from('sealed'), expires_at });
    clock.advance(1);
    await expect(read(form, name)).rejects.toEqual(refused('not_found'));
  });

  it('are replaced when they are saved again, and last from then on', async () => {
    const [form, name] = [aForm(), aName()];
    await save(form, name, 'one page');
    clock.advance(days(29));
    await save(form, name, 'two pages');
    clock.advance(days(29));
    expect(await read(form, name)).toBe('two pages');
  });

  it('are refused if the form does not offer it; those from before stay readable', async () => {
    const [form, name] = [started.aForm(), aName()];
    await expect(save(form, name)).rejects.toEqual(refused('forbidden', 'This form does not offer to save answers.'));
    await started.db('saved_answers').insert({
      form_id: form,
      name,
      sealed: Buffer.from('before'),
      file_ids: [],
      created_at: clock.now(),
      expires_at: new Date(clock.now().getTime() + 1),
    });
    expect(await read(form, name)).toBe('before');
  });

  it('can be saved while the form is closed, as it may open again', async () => {
    const [form, name] = [aForm({ status: 'disabled' }), aName()];
    await save(form, name);
    expect(await read(form, name)).toBe('sealed');
  });

  it('are not found under another name, in another form or in another instance', async () => {
    const [form, name] = [aForm(), aName()];
    await save(form, name);
    await expect(read(form, aName())).rejects.toEqual(refused('not_found'));
    await expect(read(aForm(), name)).rejects.toEqual(refused('not_found'));
    await expect(read(form, name, { kind: 'respondent', instanceId: newId() })).rejects.toEqual(refused('not_found'));
  });

  it('have the same limit per address and form as submissions, but are counted apart', async () => {
    const [form, name] = [aForm(), aName()];
    for (let n = 0; n < 2; n++) await save(form, name, 'sealed', '9.9.9.9');
    await expect(save(form, name, 'sealed', '9.9.9.9')).rejects.toEqual(refused('too_many_requests'));
    await expect(started.submit(form, undefined, { address: '9.9.9.9' })).resolves.toMatchObject({ status: 'new' });
    await save(form, name, 'sealed', '8.8.8.8');
  });

  it('of a form share a maximum size; what is replaced or sent makes room', async () => {
    const [form, first, second] = [aForm(), aName(), aName()];
    await save(form, first, Buffer.alloc(5_000));
    await expect(save(form, second, Buffer.alloc(5_000))).rejects.toEqual(
      refused('payload_too_large', 'sealed: all saved answers of this form together must have at most 10000 bytes'),
    );
    await expect(read(form, second)).rejects.toEqual(refused('not_found'));
    await save(form, first, Buffer.alloc(4_000));
    await save(form, second, Buffer.alloc(5_000));
    await started.submit(form, undefined, { saved: second });
    await save(form, aName(), Buffer.alloc(5_000));
    await save(aForm(), aName(), Buffer.alloc(5_000));
  });

  it('are deleted when they have expired, however many there are, and those of a later date are not', async () => {
    const forms = [aForm(), aForm()];
    for (const form of forms) {
      await started.db.raw(
        `insert into saved_answers (form_id, name, sealed, file_ids, created_at, expires_at)
         select ?, sha256(cast(n::text as bytea)), 'x', '{}', now(), ? from generate_series(1, 1200) n`,
        [form, clock.now()],
      );
      await started.db.raw(
        'insert into saved_bytes as s select form_id, sum(bytes) from saved_answers where form_id = ? group by form_id on conflict (form_id) do nothing',
        [form],
      );
    }
    const [left, kept] = [aForm(), aName()];
    await save(left, kept);
    const before = await bytesOf(left);

    const both = await Promise.all([deleteExpired(started.deps), deleteExpired(started.deps)]);
    expect(both[0] + both[1]).toBeGreaterThanOrEqual(2_400);
    expect(await started.db('saved_answers').whereIn('form_id', forms)).toEqual([]);
    for (const form of forms) expect(await bytesOf(form)).toBe(0);
    expect(await read(left, kept)).toBe('sealed');
    expect(await bytesOf(left)).toBe(before);
  });
});

describe('sending saved answers', () => {
  it('erases them, whether or not they look like spam', async () => {
    for (const hp of ['', 'http://buy.example']) {
      const [form, name] = [aForm(), aName()];
      await save(form, name);
      await started.submit(form, undefined, { saved: name, hp });
      await expect(read(form, name)).rejects.toEqual(refused('not_found'));
      expect(await started.db('saved_answers').where({ form_id: form })).toEqual([]);
    }
  });

  it('leaves those of others, and those under the same name in another form', async () => {
    const [form, other, name, others] = [aForm(), aForm(), aName(), aName()];
    for (const [of, by] of [
      [form, name],
      [form, others],
      [other, name],
    ] as const)
      await save(of, by);
    await started.submit(form, undefined, { saved: name });
    expect([await read(form, others), await read(other, name)]).toEqual(['sealed', 'sealed']);
  });

  it.each<[string, ProblemCode, Parameters<Started['aForm']>[0], object]>([
    ['the answers are wrong', 'bad_request', {}, { stars: 9 }],
    ['the form is full', 'forbidden', { max_submissions: 0 }, { name: 'Ada' }],
  ])('keeps them if %s', async (_, code, settings, data) => {
    const [form, name] = [aForm(settings), aName()];
    await save(form, name);
    await expect(started.submit(form, data, { saved: name, idempotency_key: 'key-1' })).rejects.toEqual(refused(code));
    expect(await read(form, name)).toBe('sealed');
  });

  it('works when they have expired or were sent before', async () => {
    const [form, name] = [aForm(), aName()];
    const first = await started.submit(form, undefined, { saved: name, idempotency_key: 'key-1' });
    expect(await started.submit(form, undefined, { saved: name, idempotency_key: 'key-1' })).toEqual(first);
    expect(await started.list(form)).toEqual({ total: 1, ids: [first.id] });
  });

  it('works while they are being saved again, and the bytes that are left are counted', async () => {
    const [form, names] = [aForm(), Array.from({ length: 5 }, aName)];
    await Promise.all(
      names.flatMap((name) => [
        save(form, name),
        started.submit(form, undefined, { saved: name }),
        save(form, name, 'sealed again'),
        started.submit(form, undefined, { saved: name }),
      ]),
    );
    const [{ bytes }] = (await started.db('saved_answers').where({ form_id: form }).sum('bytes as bytes')) as [{ bytes: number | null }];
    expect(await bytesOf(form)).toBe(bytes ?? 0);
    expect(await started.list(form)).toMatchObject({ total: 10 });
  });
});
