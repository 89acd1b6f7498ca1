import { request } from 'node:http';
import * as given from '../../support/given';
import { anyone, asOwner } from '../../support/people';

// Pages larger than a process keeps in memory.

const keys = Array.from({ length: 9 }, (_, n) => `text${n}`);
const submissionCount = 20;
let form: string;
const sent = new Map<string, object>();

beforeAll(async () => {
  form = await given.publishedForm({ fields: keys.map((key) => ({ key, label: key, type: 'long_text' })) });
  for (let n = 0; n < submissionCount; n++) {
    const data = Object.fromEntries(keys.map((key) => [key, `]"${n}é${key[4] ?? ''}`.repeat(14_000)]));
    const { body } = await anyone.post(`/public/v1/forms/${form}/submissions`, { data });
    sent.set((body as { id: string }).id, data);
  }
});

interface Page {
  data: { id: string; data: object; status: string }[];
  total: number;
  limit: number;
  offset: number;
}

const pageOf = async (path: string): Promise<Page> => {
  const { status, body } = await asOwner.get(path);
  expect(status).toBe(200);
  return body as Page;
};

const expectComplete = (page: Page, ids: readonly string[]) => {
  expect(page.data.map(({ id }) => id)).toEqual(ids);
  // Compared one by one, as jest would otherwise print all of them.
  expect(page.data.filter(({ id, data }) => JSON.stringify(data) !== JSON.stringify(sent.get(id)))).toHaveLength(0);
};

it('a page is complete and in order, however large its submissions are', async () => {
  const newestFirst = [...sent.keys()].reverse();
  const page = await pageOf(`/api/v1/forms/${form}/submissions?limit=100`);
  expect(page).toMatchObject({ total: submissionCount, limit: 100, offset: 0 });
  expectComplete(page, newestFirst);

  const part = await pageOf(`/api/v1/forms/${form}/submissions?limit=5&offset=3&status=new`);
  expect(part).toMatchObject({ total: submissionCount, limit: 5, offset: 3 });
  expectComplete(part, newestFirst.slice(3, 8));
  expectComplete(await pageOf(`/api/v1/forms/${form}/submissions?limit=1&offset=${submissionCount - 1}`), newestFirst.slice(-1));
});

it('a page of the trash or of spam is complete as well', async () => {
  const ids = [...sent.keys()].slice(0, 4);
  for (const id of ids) await asOwner.delete(`/api/v1/forms/${form}/submissions/${id}`);
  const trash = await pageOf(`/app/v1/forms/${form}/submissions/trash?limit=100`);
  expect(trash.data.every((one) => 'deleted_at' in one)).toBe(true);
  expectComplete(trash, [...ids].reverse());
  for (const id of ids) await asOwner.post(`/app/v1/forms/${form}/submissions/${id}/restore`);

  for (const id of ids) await asOwner.put(`/app/v1/forms/${form}/submissions/${id}/spam`, { spam: true });
  const spam = await pageOf(`/app/v1/forms/${form}/submissions/spam?limit=100`);
  expect(spam.data.every((one) => 'spam_reason' in one)).toBe(true);
  expectComplete(spam, [...ids].reverse());
  for (const id of ids) await asOwner.put(`/app/v1/forms/${form}/submissions/${id}/spam`, { spam: false });
});

it('readers who disconnect in the middle of a page do not affect others', async () => {
  const disconnect = () =>
    new Promise<void>((resolve, reject) => {
      const outgoing = request(
        `${asOwner.origin}/api/v1/forms/${form}/submissions?limit=100`,
        { headers: { authorization: `Bearer ${asOwner.credential ?? ''}` } },
        (response) => {
          response.once('data', () => {
            response.destroy();
            resolve();
          });
        },
      );
      outgoing.once('error', reject).end();
    });
  await Promise.all(Array.from({ length: 5 }, disconnect));
  expectComplete(await pageOf(`/api/v1/forms/${form}/submissions?limit=2`), [...sent.keys()].reverse().slice(0, 2));
});
