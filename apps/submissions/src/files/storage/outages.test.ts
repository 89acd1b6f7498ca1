import { Readable } from 'node:stream';
import { Problem } from '@sheaf/kernel';
import { reportingOutages } from './outages';

const failingWith = (error: Error) =>
  reportingOutages({
    put: () => Promise.reject(error),
    open: () => Promise.reject(error),
    remove: () => Promise.reject(error),
    sizeOf: () => Promise.reject(error),
    keys: () => nothing,
  });
const withCode = (code: string) => Object.assign(new Error(code), { code });
const nothing = Readable.from([]);

it.each(['ENOSPC', 'ENOTDIR', 'ECONNREFUSED', 'TimeoutError'])('a storage that fails with %s invites a retry', async (code) => {
  const storage = failingWith(withCode(code));
  await expect(storage.put('key', nothing)).rejects.toMatchObject({ code: 'unavailable', cause: { code } });
  await expect(storage.open('key')).rejects.toMatchObject({ code: 'unavailable', cause: { code } });
});

it('an upload that is refused stays refused', async () => {
  const refused = Problem.badRequest('file: is empty');
  await expect(failingWith(refused).put('key', nothing)).rejects.toBe(refused);
});

it.each([withCode('ENOENT'), Object.assign(new Error(), { name: 'NoSuchKey' })])(
  'a file that is gone is no outage: %p',
  async (missing) => {
    await expect(failingWith(missing).open('key')).rejects.toBe(missing);
  },
);
