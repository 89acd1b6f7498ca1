import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { callAs, eventually, refused } from '@sheaf/testing';
import * as files from '../src/files/files.queries';
import { removeUnclaimed, storageKey } from '../src/files/remove-files';
import { localStorage } from '../src/files/storage/local';
import type { Files } from '../src/files/storage/files';
import type { UploadLimits } from '../src/files/upload-limits';
import { Started } from './started';

const started = new Started();
const { clock, instanceId, respondent } = started;
const fields = Buffer.from(JSON.stringify([{ key: 'cv', label: 'CV', type: 'file', required: false }]));
const aForm = () => started.aForm({ fields });
const minutes = (count: number) => count * 60_000;

let folder: string;
let sharedFiles: Files;
let { db, client, deps } = started;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sheaf-upload-limits-'));
  const limits = { formBytes: 0, instanceBytes: 0, waitingFiles: 100, waitingBytes: 1_000_000 };
  sharedFiles = {
    storage: await localStorage(folder),
    log: silentLog(),
    maxBytes: 1_000_000,
    unclaimedHours: 24,
    exportMaxBytes: 1_000_000,
    limits,
  };
  ({ db, client, deps } = await started.start({}, { files: sharedFiles }));
});
afterAll(async () => {
  await started.stop();
  await rm(folder, { recursive: true });
});

/** Another process, with these limits. */
async function startWithLimits(limits: Partial<UploadLimits>) {
  client = await started.startProcess({ files: { ...sharedFiles, limits: { ...sharedFiles.limits, ...limits } } });
}
interface Sent {
  size?: number;
  address?: string;
  before?: () => Promise<unknown>;
}
/** `before`: runs before the last bytes are sent. */
const upload = (form: string, { size = 6, address, before }: Sent = {}) =>
  client.uploadFile(
    { ...callAs(respondent), address },
    (async function* () {
      yield { file: { form, field: 'cv', name: 'cv.txt', content_type: 'text/plain' } };
      if (size > 5_000) yield { bytes: Buffer.alloc(5_000, 'a') };
      await before?.();
      yield { bytes: Buffer.alloc(size > 5_000 ? size - 5_000 : size, 'a') };
    })(),
  );
const bytesOf = async (form: string): Promise<string[]> => readdir(join(folder, instanceId, form)).catch(() => []);
async function countedOf(scope: string, id: string): Promise<number> {
  const row = await db<{ scope: string; id: string; bytes: number }>('file_bytes').where({ scope, id }).first();
  return row?.bytes ?? 0;
}
/** Concurrent uploads: none ends before all have begun and `meanwhile` has run. */
async function uploadConcurrently(count: number, form: string, sent: Sent, meanwhile: () => void = () => undefined) {
  const allBegun = eventually(async () => expect(await bytesOf(form)).toHaveLength(count)).then(meanwhile);
  const results = await Promise.allSettled(Array.from({ length: count }, () => upload(form, { ...sent, before: () => allBegun })));
  return {
    taken: results.filter(({ status }) => status === 'fulfilled').length,
    refusals: results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : [])),
  };
}
const formIsFull = (bytes: number) =>
  refused('payload_too_large', `file: all files of this form together must have at most ${bytes} bytes`);

describe('the files of a form', () => {
  it('share a maximum of bytes, and nothing remains of a file that exceeds it', async () => {
    await startWithLimits({ formBytes: 100 });
    const form = aForm();
    await upload(form, { size: 60 });
    await expect(upload(form, { size: 41 })).rejects.toEqual(formIsFull(100));
    await upload(form, { size: 40 });
    await expect(upload(form, { size: 1 })).rejects.toEqual(formIsFull(100));
    await expect(upload(aForm(), { size: 100 })).resolves.toBeDefined();

    expect(await bytesOf(form)).toHaveLength(2);
    expect(await db('file').where({ form_id: form })).toHaveLength(2);
    expect(await countedOf('form', form)).toBe(100);
  });

  it('share the remaining bytes among concurrent uploads, and give the last of them to only one', async () => {
    await startWithLimits({ formBytes: 10_000 });
    const form = aForm();
    const { taken, refusals } = await uploadConcurrently(6, form, { size: 6_000 });
    expect(taken).toBe(1);
    expect(refusals).toEqual(Array.from({ length: 5 }, () => formIsFull(10_000)));
    expect(await bytesOf(form)).toHaveLength(1);
    expect(await countedOf('form', form)).toBe(6_000);
  });

  it('free their bytes when they are removed', async () => {
    await startWithLimits({ formBytes: 100 });
    const form = aForm();
    await upload(form, { size: 100 });
    clock.advance(minutes(24 * 60) + 1);
    await removeUnclaimed(deps);
    expect(await countedOf('form', form)).toBe(0);
    await expect(upload(form, { size: 100 })).resolves.toBeDefined();
  });

  it('still count once a submission has claimed them', async () => {
    await startWithLimits({ formBytes: 100 });
    const form = aForm();
    const { file_id } = await upload(form, { size: 100 });
    await started.submit(form, { cv: file_id });
    clock.advance(minutes(24 * 60) + 1);
    await removeUnclaimed(deps);
    await expect(upload(form, { size: 1 })).rejects.toEqual(formIsFull(100));
  });

  it('do not count before their upload is complete, even if its process died', async () => {
    await startWithLimits({ formBytes: 100 });
    const form = aForm();
    const file: files.NewFile = {
      id: newId(),
      instance_id: instanceId,
      form_id: form,
      field_key: 'cv',
      name: 'cv.txt',
      address: null,
      created_at: clock.now(),
    };
    await db.transaction((trx) => files.insert(trx, file));
    await sharedFiles.storage.put(
      storageKey(file),
      (async function* () {
        yield await Promise.resolve(Buffer.alloc(100, 'a'));
      })(),
    );
    await expect(upload(form, { size: 100 })).resolves.toBeDefined();
  });

  it('have no maximum if the operator sets none', async () => {
    await startWithLimits({ formBytes: 0, instanceBytes: 0 });
    await expect(upload(aForm(), { size: 900_000 })).resolves.toBeDefined();
  });
});

it('the files of an instance share a maximum of bytes across all of its forms', async () => {
  const instanceBytes = (await countedOf('instance', instanceId)) + 100;
  await startWithLimits({ instanceBytes });
  await upload(aForm(), { size: 60 });
  const full = refused('payload_too_large', `file: all files of this instance together must have at most ${instanceBytes} bytes`);
  await expect(upload(aForm(), { size: 41 })).rejects.toEqual(full);
  await upload(aForm(), { size: 40 });
  await expect(upload(aForm(), { size: 1 })).rejects.toEqual(full);
});

describe('an address', () => {
  const perFiles = 'file: one address may upload at most 5 files within 10 minutes without submitting them';
  const perBytes = 'file: one address may upload at most 10000 bytes of files within 10 minutes without submitting them';

  it('can be limited to a number of unclaimed files, receives the time to wait, and may continue once they are submitted', async () => {
    await startWithLimits({ waitingFiles: 5 });
    const [form, address] = [aForm(), '192.0.2.7'];
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => upload(form, { address })));
    const taken = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(taken).toHaveLength(5);
    clock.advance(minutes(4));
    await expect(upload(form, { address })).rejects.toMatchObject({ code: 'too_many_requests', message: perFiles, retryAfterSeconds: 360 });
    await expect(upload(form, { address: '192.0.2.8' })).resolves.toBeDefined();

    await started.submit(form, { cv: taken[0]?.file_id });
    await expect(upload(form, { address })).resolves.toBeDefined();
  });

  it('counts as its /64 network if it is IPv6', async () => {
    await startWithLimits({ waitingFiles: 2 });
    const form = aForm();
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::1']) await expect(upload(form, { address })).resolves.toBeDefined();
    await expect(upload(form, { address: '2001:db8:1:2::3' })).rejects.toEqual(refused('too_many_requests'));
    await expect(upload(form, { address: '2001:db8:1:3::1' })).resolves.toBeDefined();
  });

  it('is blocked by unclaimed files for only ten minutes', async () => {
    await startWithLimits({ waitingFiles: 5 });
    const [form, address] = [aForm(), '192.0.2.9'];
    for (let n = 0; n < 5; n++) await upload(form, { address });
    clock.advance(minutes(10) - 1);
    await expect(upload(form, { address })).rejects.toMatchObject({ code: 'too_many_requests', message: perFiles, retryAfterSeconds: 1 });
    clock.advance(1);
    await expect(upload(form, { address })).resolves.toBeDefined();
  });

  it('can be limited to a number of unclaimed bytes, even across concurrent uploads', async () => {
    await startWithLimits({ waitingBytes: 10_000 });
    const [form, address] = [aForm(), '192.0.2.10'];
    const { taken, refusals } = await uploadConcurrently(4, form, { size: 6_000, address });
    expect(taken).toBe(1);
    expect(refusals).toEqual(Array.from({ length: 3 }, () => refused('too_many_requests', perBytes)));
    await expect(upload(form, { size: 4_001, address })).rejects.toMatchObject({
      code: 'too_many_requests',
      message: perBytes,
      retryAfterSeconds: 600,
    });
    await upload(form, { size: 4_000, address });
    clock.advance(minutes(10));
    await expect(upload(form, { size: 10_000, address })).resolves.toBeDefined();
  });

  it('cannot exceed the maximum by sending slowly', async () => {
    await startWithLimits({ waitingBytes: 10_000 });
    const [form, address] = [aForm(), '192.0.2.11'];
    const { taken, refusals } = await uploadConcurrently(2, form, { size: 6_000, address }, () => clock.advance(minutes(11)));
    expect(taken).toBe(1);
    expect(refusals).toEqual([refused('too_many_requests', perBytes)]);
  });
});
