import { newId } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { Started } from './started';

const started = new Started();
const { clock } = started;
beforeAll(() => started.start({ SUBMIT_PER_ADDRESS_PER_MINUTE: 2, SUBMIT_PER_FORM_PER_MINUTE: 3 }));
afterAll(() => started.stop());

const check = async (form: string, data: unknown, address?: string): Promise<unknown[]> => {
  const { faults } = await started.client.checkAnswers(
    { ...callAs(started.respondent), address },
    { form, data: Buffer.from(typeof data === 'string' ? data : JSON.stringify(data)) },
  );
  return JSON.parse(faults.toString()) as unknown[];
};

describe('checking answers', () => {
  it('finds the faults that submitting would find, for programs and people', async () => {
    const form = started.aForm();
    const answers = { stars: 9, colour: 'red' };
    const faults = await check(form, answers);
    expect(faults).toEqual([
      { key: 'colour', code: 'unknown_field', params: {}, message: 'is not a field of this form' },
      { key: 'name', code: 'required', params: {}, message: 'is required' },
      { key: 'stars', code: 'too_large', params: { max: 5 }, message: 'must be at most 5' },
    ]);
    await expect(started.submit(form, answers)).rejects.toMatchObject({ details: faults });
  });

  it('finds nothing in valid answers, and stores nothing', async () => {
    const form = started.aForm();
    expect(await check(form, { name: 'Ada' })).toEqual([]);
    expect(await started.list(form)).toEqual({ total: 0, ids: [] });
  });

  it('works while the form is closed, so that a page can say both', async () => {
    expect(await check(started.aForm({ status: 'disabled' }), { name: 'Ada' })).toEqual([]);
  });

  it('reports all faults of the fields, but at most 30 of made-up keys', async () => {
    const keys = Array.from({ length: 40 }, (_, n) => `field_${n}`);
    const fields = Buffer.from(JSON.stringify(keys.map((key) => ({ key, label: key, type: 'short_text', required: true }))));
    const madeUp = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`made_up_${n}`, 1]));
    expect(await check(started.aForm({ fields }), madeUp)).toHaveLength(30 + 40);
  });

  it.each(['[]', '"Ada"', 'null', '{'])('refuses %s', async (data) => {
    await expect(check(started.aForm(), data)).rejects.toEqual(refused('bad_request', 'data: must be an object'));
  });

  it('does not find a form of another instance', async () => {
    await expect(
      started.client.checkAnswers(callAs({ kind: 'respondent', instanceId: newId() }), { form: started.aForm(), data: Buffer.from('{}') }),
    ).rejects.toEqual(refused('not_found'));
  });

  it('is limited to ten times as many as submissions, per address and form, and uses up none of those', async () => {
    const form = started.aForm();
    for (let n = 0; n < 20; n++) await check(form, {}, '9.9.9.9');
    await expect(check(form, {}, '9.9.9.9')).rejects.toEqual(
      refused('too_many_requests', 'Too many requests at once. Please try again in a minute.'),
    );
    await expect(started.submit(form, { name: 'Ada' }, { address: '9.9.9.9' })).resolves.toMatchObject({ status: 'new' });
    for (let n = 0; n < 10; n++) await check(form, {}, '8.8.8.8');
    await expect(check(form, {}, '8.8.4.4')).rejects.toEqual(refused('too_many_requests'));
    clock.advance(60_000);
    expect(await check(form, { name: 'Ada' }, '9.9.9.9')).toEqual([]);
  });
});
