import { newId } from '@sheaf/kernel';
import { refused } from '@sheaf/testing';
import * as files from '../src/files/files.queries';
import { discard, removeUnclaimed, storageKey } from '../src/files/remove-files';
import { hours, StartedWithFiles } from './started-with-files';

const withFiles = new StartedWithFiles();
const { started, aForm, upload, submit, download, rowsOf, bytesOf, expectNothingLeft } = withFiles;
const { clock, instanceId } = started;
beforeAll(withFiles.start);
afterAll(withFiles.stop);

describe('cleanup', () => {
  it('removes files that no submission claimed in time, and no others', async () => {
    const form = aForm();
    const [old, claimed] = [await upload(form), await upload(form)];
    await submit(form, { cv: claimed.file_id });
    clock.advance(hours(12));
    const young = await upload(form);
    clock.advance(hours(12) + 1);
    await removeUnclaimed(started.deps);

    expect((await rowsOf(form)).map(({ id }) => id).sort()).toEqual([claimed.file_id, young.file_id].sort());
    expect((await bytesOf(form)).sort()).toEqual([claimed.file_id, young.file_id].sort());
    await expect(submit(form, { cv: old.file_id })).rejects.toEqual(refused('bad_request'));
  });

  const insertedFile = async (form: string) => {
    const file: files.NewFile = {
      id: newId(),
      instance_id: instanceId,
      form_id: form,
      field_key: 'cv',
      name: 'cv.txt',
      address: null,
      created_at: clock.now(),
    };
    await started.db.transaction((trx) => files.insert(trx, file));
    return file;
  };
  const storedFile = async (form: string) => {
    const file = await insertedFile(form);
    await started.deps.files.storage.put(
      storageKey(file),
      (async function* () {
        yield await Promise.resolve(Buffer.from('hello\n'));
      })(),
    );
    return file;
  };
  it.each<[string, (form: string) => Promise<unknown>]>([
    ['before the first byte of an upload', insertedFile],
    ['after the last byte, before the row was updated', storedFile],
    [
      'after the row was updated, before the response',
      async (form) => {
        const { id } = await storedFile(form);
        await started.db.transaction((trx) => files.complete(trx, id, { contentType: 'text/plain', size: 6, now: clock.now() }));
      },
    ],
    [
      'after the file was marked for removal, before its bytes were removed',
      async (form) => files.markForRemoval(started.db, (await storedFile(form)).id),
    ],
    [
      'after its bytes were removed, before its row was',
      async (form) => {
        const file = await storedFile(form);
        await files.markForRemoval(started.db, file.id);
        await started.deps.files.storage.remove(storageKey(file));
      },
    ],
  ])('removes the leftovers of a process that died %s', async (_, die) => {
    const form = aForm();
    await die(form);
    clock.advance(hours(24) + 1);
    await removeUnclaimed(started.deps);
    await expectNothingLeft(form);
  });

  it('by several processes at once, during claims, keeps every claimed file with its bytes', async () => {
    const form = aForm();
    const ids = await Promise.all(Array.from({ length: 12 }, async () => (await upload(form)).file_id));
    clock.advance(hours(24) + 1);
    const claims = ids.map((cv) =>
      submit(form, { cv }).then(
        () => cv,
        () => undefined,
      ),
    );
    await Promise.all([removeUnclaimed(started.deps), removeUnclaimed(started.deps), ...claims]);

    const won = (await Promise.all(claims)).filter((id) => id !== undefined);
    expect((await rowsOf(form)).map(({ id }) => id).sort()).toEqual(won.sort());
    expect((await bytesOf(form)).sort()).toEqual(won.sort());
  });

  it('skips a file that cannot be removed, and retries it in the next run', async () => {
    const form = aForm();
    const [stuck] = [await upload(form), await upload(form)];
    clock.advance(hours(24) + 1);
    const { storage } = started.deps.files;
    const failing = {
      ...storage,
      remove: (key: string) => (key.endsWith(stuck.file_id) ? Promise.reject(new Error('the disk is gone')) : storage.remove(key)),
    };
    await removeUnclaimed({ ...started.deps, files: { ...started.deps.files, storage: failing } });
    expect(await rowsOf(form)).toEqual([{ id: stuck.file_id, state: 'removing' }]);

    await removeUnclaimed(started.deps);
    await expectNothingLeft(form);
  });

  it('does not remove a claimed file', async () => {
    const form = aForm();
    const { file_id } = await upload(form);
    await submit(form, { cv: file_id });
    await expect(discard(started.deps, { id: file_id, instance_id: instanceId, form_id: form })).resolves.toBeUndefined();
    expect((await download(form, file_id)).bytes.toString()).toBe('hello\n');
  });
});
