import { ReadingThreads } from '@sheaf/apps/forms/xlsform';
import { join, resolve } from 'node:path';
import { filesIn } from './files-in';
import { readAll } from './read-all';
import { reportOf } from './report-of';

async function main([folder, ...others]: readonly string[]): Promise<number> {
  if (folder === undefined || others.length > 0) {
    console.error('usage: npm run xlsforms -- <folder with .xlsx files>');
    return 2;
  }
  // The file that the service itself runs, with the service's limits of time and memory for each file.
  const reader = new ReadingThreads(join(__dirname, '../../apps/forms/xlsform-read-thread.cjs'));
  try {
    const outcomes = await readAll(await filesIn(resolve(folder)), reader);
    console.log(reportOf(outcomes));
    return outcomes.some(({ failed }) => failed !== undefined) ? 1 : 0;
  } finally {
    await reader.stop();
  }
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
