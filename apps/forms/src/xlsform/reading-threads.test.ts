import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReadingThreads } from './reading-threads';

const form = { document: {}, warnings: [] };
const say = (said: unknown) => `require('node:worker_threads').parentPort.postMessage(${JSON.stringify(said)});`;
const ready = say('ready');
const [instanceId, another] = ['instance', 'another'];
const waitingFor = (ms: number) => ({ instanceId, until: Date.now() + ms });
/** Longer than any machine takes, and within what a timer can wait. */
const patient = () => waitingFor(1_000_000);
const file = Buffer.from('file');

let folder: string;
let threads: ReadingThreads;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'sheaf-threads-'))));
afterEach(async () => {
  await threads.stop();
  await rm(folder, { recursive: true });
});

/** Threads that run this code in place of reading a file. */
async function running(code: string, settings: ConstructorParameters<typeof ReadingThreads>[1] = {}): Promise<void> {
  const script = join(folder, 'thread.cjs');
  await writeFile(script, code);
  threads = new ReadingThreads(script, { limitMs: 1_000_000, ...settings });
}

// A regular expression that takes longer than the age of the universe.
const stuck = `${ready} /^(a+)+$/.test('a'.repeat(100) + '!');`;

it('a file is read in a thread that holds its bytes, and not the settings of the process', async () => {
  process.env.SECRET_OF_THE_PROCESS = 'secret';
  await running(`
    const { workerData } = require('node:worker_threads');
    if (Buffer.from(workerData).toString() !== 'file' || Object.keys(process.env).length > 0) throw new Error('wrong');
    ${ready} ${say({ form })}`);
  expect(await threads.read(file, patient())).toEqual(form);
  delete process.env.SECRET_OF_THE_PROCESS;
});

it('a file that is refused is refused in the words of its reader', async () => {
  await running(ready + say({ refused: 'survey row 2: must have a name' }));
  await expect(threads.read(file, patient())).rejects.toMatchObject({ code: 'bad_request', message: 'survey row 2: must have a name' });
});

it('a file that takes too long is refused, and its thread ends, even within a regular expression', async () => {
  await running(stuck, { limitMs: 1, threads: 1 });
  for (let time = 0; time < 3; time++)
    await expect(threads.read(file, patient())).rejects.toMatchObject({ code: 'bad_request', message: 'file: takes too long to read' });
});

it('a file that takes too much memory is refused, and the process goes on', async () => {
  await running(`${ready} const held = []; for (;;) held.push(new Array(100_000).fill(held.length));`, { memoryMb: 16 });
  await expect(threads.read(file, patient())).rejects.toMatchObject({
    code: 'bad_request',
    message: 'file: takes too much memory to read',
  });
});

it('a thread ends when its caller stops waiting, so that the next file is read', async () => {
  await running(stuck, { threads: 1 });
  await expect(threads.read(file, waitingFor(600))).rejects.toMatchObject({ code: 'unavailable' });
  const next = threads.read(file, waitingFor(600));
  await expect(next).rejects.toMatchObject({ code: 'unavailable' });
});

it('a thread ends when its caller disconnects, so that the next file is read', async () => {
  // Only the first file is stuck.
  await running(`
    const { workerData } = require('node:worker_threads');
    if (Buffer.from(workerData).toString() === 'stuck') { ${stuck} }
    ${ready} ${say({ form })}`);
  const caller = new AbortController();
  const first = threads.read(Buffer.from('stuck'), { ...patient(), signal: caller.signal });
  const next = threads.read(file, patient());
  caller.abort();
  await expect(first).rejects.toMatchObject({ code: 'unavailable' });
  expect(await next).toEqual(form);
});

it('a file whose caller has disconnected is not read, and waits no longer', async () => {
  await running(stuck, { threads: 1, maxWaiting: 1 });
  const caller = new AbortController();
  const first = threads.read(file, patient());
  const second = threads.read(file, { ...patient(), signal: caller.signal });
  caller.abort();
  await expect(second).rejects.toMatchObject({ code: 'unavailable' });
  await expect(threads.read(file, { ...patient(), signal: caller.signal })).rejects.toMatchObject({ code: 'unavailable' });
  // The only place is free again.
  const third = threads.read(file, patient());
  const both = Promise.allSettled([first, third]);
  await threads.stop();
  expect(await both).toMatchObject([{ reason: { code: 'unavailable' } }, { reason: { code: 'unavailable' } }]);
});

it('an instance that imports many files leaves room for others, and the next turn', async () => {
  await running(`${ready} ${say({ form })}`, { threads: 1, maxWaiting: 4, maxWaitingOfOne: 3 });
  const read: string[] = [];
  const reading = (name: string, of: string) => threads.read(file, { ...patient(), instanceId: of }).then(() => read.push(name));
  const those = ['a1', 'a2', 'a3', 'a4'].map((name) => reading(name, instanceId));
  await expect(reading('a5', instanceId)).rejects.toMatchObject({ code: 'unavailable' });
  await Promise.all([...those, reading('b1', another)]);
  expect(read).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
});

it('a file whose caller no longer waits is not read', async () => {
  await running('throw new Error("must not run");');
  await expect(threads.read(file, { instanceId, until: 0 })).rejects.toMatchObject({ code: 'unavailable' });
});

it('files wait for each other, and more than may wait are refused at once', async () => {
  await running(stuck, { threads: 1, maxWaiting: 1 });
  const first = threads.read(file, patient());
  const second = threads.read(file, patient());
  await expect(threads.read(file, patient())).rejects.toMatchObject({ code: 'unavailable' });
  const both = Promise.allSettled([first, second]);
  await threads.stop();
  expect(await both).toMatchObject([{ reason: { code: 'unavailable' } }, { reason: { code: 'unavailable' } }]);
});

it('a fault in the reader is an internal error, and the process goes on', async () => {
  await running(`${ready} throw new Error('oops');`);
  await expect(threads.read(file, patient())).rejects.toMatchObject({ code: 'internal_error' });
});

it('no file is read while the process stops', async () => {
  await running(ready);
  await threads.stop();
  await expect(threads.read(file, patient())).rejects.toMatchObject({ code: 'unavailable' });
});
