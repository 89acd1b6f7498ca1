import { callAs, refused } from '@sheaf/testing';
import { Started } from './started';

const started = new Started();
const { owner, outsider } = started;
beforeAll(() => started.start());
afterAll(() => started.stop());

const story = 'x'.repeat(1_000);
const max_bytes = 3_500;

async function aFormWith(count: number): Promise<{ form: string; ids: string[] }> {
  const form = started.aForm();
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await started.submit(form, { name: String(n), story });
    ids.unshift(id);
    started.clock.advance(1);
  }
  return { form, ids };
}

const answersOf = async (form: string, ids: readonly string[]) => {
  const read: { id: string; data: unknown }[] = [];
  for await (const { answers } of started.client.readAnswers(callAs(owner), { form_id: form, ids: [...ids] })) {
    read.push(...answers.map(({ id, data }) => ({ id, data: JSON.parse(data.toString()) as unknown })));
  }
  return read;
};

describe('a page with a limit in bytes', () => {
  it('omits answers that do not fit, and names their submissions', async () => {
    const { form, ids } = await aFormWith(6);
    const { json, rest, total } = await started.client.listSubmissions(callAs(owner), {
      form_id: form,
      limit: 5,
      offset: 0,
      as_json: true,
      max_bytes,
    });
    const first = JSON.parse(json?.toString() ?? '') as { id: string; created_at: string; schema_version: number }[];
    expect({ total, first: first.map(({ id }) => id), rest: rest.map(({ id }) => id) }).toEqual({
      total: 6,
      first: ids.slice(0, 3),
      rest: ids.slice(3, 5),
    });
    expect(rest[0]).toMatchObject({ form_id: form, schema_version: 3, status: 'new', data: Buffer.alloc(0) });
    expect(rest.map(({ created_at }) => created_at)).toEqual((await page(form)).slice(3).map(({ created_at }) => created_at));
    expect(
      await answersOf(
        form,
        rest.map(({ id }) => id),
      ),
    ).toEqual(ids.slice(3, 5).map((id, index) => ({ id, data: { name: String(2 - index), story } })));
  });

  const page = async (form: string) =>
    (await started.client.listSubmissions(callAs(owner), { form_id: form, limit: 5, offset: 0 })).submissions;

  it('has the answers of at least one submission, and of all without a limit', async () => {
    const { form, ids } = await aFormWith(2);
    const of = async (max_bytes?: number) => {
      const { submissions, rest } = await started.client.listSubmissions(callAs(owner), { form_id: form, limit: 5, offset: 0, max_bytes });
      return [submissions.map(({ id }) => id), rest.map(({ id }) => id)];
    };
    expect(await of(1)).toEqual([ids.slice(0, 1), ids.slice(1)]);
    expect(await of()).toEqual([ids, []]);
  });

  it('may be a page of the trash', async () => {
    const { form, ids } = await aFormWith(5);
    for (const id of [...ids].reverse()) await started.client.deleteSubmission(callAs(owner), { form_id: form, id });
    const { submissions, rest, total } = await started.client.listTrash(callAs(owner), { form_id: form, limit: 5, offset: 0, max_bytes });
    expect({ total, first: submissions.length, rest: rest.length }).toEqual({ total: 5, first: 3, rest: 2 });
    expect(
      await answersOf(
        form,
        rest.map(({ id }) => id),
      ),
    ).toHaveLength(2);
  });
});

it('streams answers of submissions of the form to callers who may read them', async () => {
  const { form, ids } = await aFormWith(1);
  const other = await aFormWith(1);
  const read = async (caller: typeof owner, ids: string[]) => {
    for await (const _ of started.client.readAnswers(callAs(caller), { form_id: form, ids }));
  };
  await expect(read(outsider, ids)).rejects.toEqual(refused('forbidden'));
  await expect(read(owner, other.ids)).rejects.toEqual(refused('not_found'));
  await expect(read(owner, Array(101).fill(ids[0]) as string[])).rejects.toEqual(refused('bad_request'));
});
