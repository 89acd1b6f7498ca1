import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller } from '@sheaf/kernel';
import { silentLog } from '@sheaf/runtime';
import { callAs } from '@sheaf/testing';
import { localStorage } from '../src/files/storage/local';
import type { FileStorage } from '../src/files/storage/storage';
import { Started } from './started';

const fields = Buffer.from(
  JSON.stringify([
    { key: 'name', label: 'Name', type: 'short_text', required: false },
    { key: 'cv', label: 'CV', type: 'file', required: false, accept: ['application/pdf', 'text/*'], max_bytes: 100_000 },
    { key: 'photo', label: 'Photo', type: 'file', required: false },
  ]),
);

export interface Sent {
  field?: string;
  name?: string;
  type?: string;
  chunks?: Iterable<Buffer> | AsyncIterable<Buffer>;
  address?: string;
  signal?: AbortSignal;
}
const text = [Buffer.from('hello\n')];

/** The service with its files in a temporary folder. */
export class StartedWithFiles {
  readonly started = new Started();
  private folder!: string;
  storage!: FileStorage;

  start = async (): Promise<void> => {
    this.folder = await mkdtemp(join(tmpdir(), 'sheaf-files-'));
    const storage = await localStorage(this.folder);
    this.storage = storage;
    const limits = { formBytes: 0, instanceBytes: 0, waitingFiles: 5, waitingBytes: 1_000_000 };
    await this.started.start(
      {},
      { files: { storage, log: silentLog(), maxBytes: 1_000_000, unclaimedHours: 24, exportMaxBytes: 10_000_000, limits } },
    );
  };

  stop = async (): Promise<void> => {
    await this.started.stop();
    await rm(this.folder, { recursive: true });
  };

  aForm: Started['aForm'] = (form) => this.started.aForm({ fields, ...form });

  upload = (form: string, { field = 'cv', name = 'cv.txt', type = 'text/plain', chunks = text, address, signal }: Sent = {}) =>
    this.started.client.uploadFile(
      { ...callAs(this.started.respondent), address, signal },
      (async function* () {
        yield { file: { form, field, name, content_type: type } };
        for await (const bytes of chunks) yield { bytes };
      })(),
    );

  submit = (form: string, data: unknown, idempotency_key?: string) =>
    this.started.client.submit(callAs(this.started.respondent), { form, data: Buffer.from(JSON.stringify(data)), idempotency_key });

  download = async (form_id: string, id: string, as: Caller = this.started.viewer) => {
    const parts: Buffer[] = [];
    let file;
    for await (const part of this.started.client.readFile(callAs(as), { form_id, id })) {
      if (part.file) file = part.file;
      if (part.bytes) parts.push(part.bytes);
    }
    return { file, bytes: Buffer.concat(parts) };
  };

  rowsOf = (form: string): Promise<{ id: string; state: string }[]> =>
    this.started.db('file').where({ form_id: form }).select('id', 'state');

  /** A form's files in storage, including partly written ones. */
  bytesOf = (form: string): Promise<string[]> => readdir(join(this.folder, this.started.instanceId, form)).catch(() => []);

  /** As an outage of the storage may. */
  loseBytes = (form: string, id: string): Promise<void> => rm(join(this.folder, this.started.instanceId, form, id));

  /** Expects neither bytes nor rows to be left. */
  expectNothingLeft = async (form: string): Promise<void> => {
    expect(await this.rowsOf(form)).toEqual([]);
    expect(await this.bytesOf(form)).toEqual([]);
  };
}

export const hours = (count: number) => count * 3_600_000;
