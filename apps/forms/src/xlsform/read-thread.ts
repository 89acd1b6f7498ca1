// Runs in a thread of its own and reads one file.
import { Problem } from '@sheaf/kernel';
import { parentPort, workerData } from 'node:worker_threads';
import { readXlsForm } from './read-xlsform';
import type { Said } from './reading-threads';

const say = (said: Said) => parentPort?.postMessage(said);

async function read(file: Uint8Array): Promise<Said> {
  try {
    return { form: await readXlsForm(Buffer.from(file)) };
  } catch (error) {
    // Anything else ends the thread with its error.
    if (!(error instanceof Problem)) throw error;
    return { refused: error.message };
  }
}

say('ready');
void read(workerData as Uint8Array).then(say);
