import { Readable } from 'node:stream';
import { silentLog } from '@sheaf/runtime';
import type { Files } from '../src/files/storage/files';

const unexpected = () => Promise.reject(new Error('this test has no files'));

/** For tests that do not involve files. */
export const noFiles: Files = {
  storage: { put: unexpected, open: unexpected, remove: unexpected, sizeOf: unexpected, keys: () => Readable.from([]) },
  log: silentLog(),
  maxBytes: 0,
  unclaimedHours: 1,
  exportMaxBytes: 1,
  limits: { formBytes: 0, instanceBytes: 0, waitingFiles: 0, waitingBytes: 0 },
};
