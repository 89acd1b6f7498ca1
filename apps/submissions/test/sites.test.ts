import { newId } from '@sheaf/kernel';
import { callAs, refused } from '@sheaf/testing';
import { Started } from './started';

const started = new Started();
let client: Started['client'];
beforeAll(async () => {
  ({ client } = await started.start());
});
afterAll(() => started.stop());

const shop = 'https://shop.example';
const refusal = refused('forbidden', 'Origin: is not among the sites that may use this form');

const read = (form: string, origin?: string) => client.getIntakeForm(callAs(started.respondent), { form, origin });
const submit = (form: string, origin?: string, idempotency_key?: string) =>
  client.submit(callAs(started.respondent), { form, data: Buffer.from('{"name":"Ada"}'), origin, idempotency_key });
const upload = (form: string, origin?: string) =>
  client.uploadFile(callAs(started.respondent), announced({ form, field: 'f', name: 'a', content_type: 'text/plain', origin }));

async function* announced(file: { form: string; field: string; name: string; content_type: string; origin: string | undefined }) {
  yield await Promise.resolve({ file });
}

describe('a form', () => {
  it('admits every site unless it lists the sites that may use it', async () => {
    const form = started.aForm();
    await expect(read(form, shop)).resolves.toMatchObject({ open: true });
    await expect(submit(form, 'null')).resolves.toMatchObject({ status: 'new' });
  });

  it('admits the sites that it lists, its own pages and programs', async () => {
    const form = started.aForm({ settings: { embed_origins: [shop] } });
    for (const origin of [shop, undefined]) {
      await expect(read(form, origin)).resolves.toMatchObject({ open: true });
      await expect(submit(form, origin)).resolves.toMatchObject({ status: 'new' });
      await expect(upload(form, origin)).rejects.toEqual(refused('bad_request', /^field: /));
    }
  });

  it.each(['https://other.example', 'http://shop.example', 'https://shop.example:8443', 'https://a.shop.example', 'null'])(
    'refuses any other site, such as %j',
    async (origin) => {
      const form = started.aForm({ settings: { embed_origins: [shop] } });
      for (const act of [read, submit, upload]) await expect(act(form, origin)).rejects.toEqual(refusal);
    },
  );

  it('refuses every site if it lists none', async () => {
    const form = started.aForm({ settings: { embed_origins: [] } });
    await expect(read(form, shop)).rejects.toEqual(refusal);
    await expect(read(form)).resolves.toMatchObject({ open: true });
  });

  it('refuses a site before anything else: it learns neither whether the form is open nor what was sent', async () => {
    const key = newId();
    const form = started.aForm({ settings: { embed_origins: [shop] }, max_submissions: 1 });
    await submit(form, shop, key);
    await expect(submit(form, 'https://other.example', key)).rejects.toEqual(refusal);
    await expect(submit(form, 'https://other.example')).rejects.toEqual(refusal);
    await expect(submit(form, shop)).rejects.toEqual(refused('forbidden', /not accepting submissions/));
  });
});
