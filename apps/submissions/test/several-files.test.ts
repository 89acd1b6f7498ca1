import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { silentLog } from '@sheaf/runtime';
import { callAs } from '@sheaf/testing';
import { localStorage } from '../src/files/storage/local';
import { Started } from './started';

const started = new Started();
const { respondent } = started;
const fields = Buffer.from(
  JSON.stringify([{ key: 'proofs', label: 'Proofs', type: 'file', required: true, multiple: true, max_files: 3 }]),
);

let folder: string;
let client: Started['client'];
let db: Started['db'];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-several-files-'));
  const limits = { formBytes: 0, instanceBytes: 0, waitingFiles: 10, waitingBytes: 1_000_000 };
  const files = {
    storage: await localStorage(folder),
    log: silentLog(),
    maxBytes: 1_000,
    unclaimedHours: 24,
    exportMaxBytes: 1_000,
    limits,
  };
  ({ client, db } = await started.start({}, { files }));
});
afterAll(async () => {
  await started.stop();
  await rm(folder, { recursive: true });
});

async function uploaded(form: string): Promise<string> {
  const sent = [{ file: { form, field: 'proofs', name: 'a.txt', content_type: 'text/plain' } }, { bytes: Buffer.from('hello\n') }];
  return (await client.uploadFile(callAs(respondent), Readable.from(sent))).file_id;
}
const submit = (form: string, proofs: readonly string[]) =>
  client.submit(callAs(respondent), { form, data: Buffer.from(JSON.stringify({ proofs })) });
const claimedBy = async (submission_id: string): Promise<string[]> =>
  (await db('file').where({ submission_id, state: 'claimed' }).select<{ id: string }[]>('id')).map(({ id }) => id).sort();

it('a submission claims every file of a field that takes several', async () => {
  const form = started.aForm({ fields });
  const ids = [await uploaded(form), await uploaded(form), await uploaded(form)];
  const { id } = await submit(form, ids);
  expect(await claimedBy(id)).toEqual([...ids].sort());
});

it('a submission with one unavailable file is refused with its field named once, and the other files stay unclaimed', async () => {
  const form = started.aForm({ fields });
  const taken = [await uploaded(form), await uploaded(form)];
  await submit(form, taken);
  const free = await uploaded(form);
  await expect(submit(form, [...taken, free])).rejects.toMatchObject({
    code: 'bad_request',
    details: [{ key: 'proofs', code: 'not_file', params: {} }],
  });
  const { id } = await submit(form, [free]);
  expect(await claimedBy(id)).toEqual([free]);
});
