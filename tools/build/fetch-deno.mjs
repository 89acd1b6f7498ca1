// Prints the folder of a Deno, for tests of the packages that are published.
import { fail, fetchBinary } from './fetch-binary.mjs';

const version = '2.9.6';
const packages = {
  'linux-x64': '@deno/linux-x64-glibc',
  'linux-arm64': '@deno/linux-arm64-glibc',
  'darwin-x64': '@deno/darwin-x64',
  'darwin-arm64': '@deno/darwin-arm64',
};
const name = packages[`${process.platform}-${process.arch}`];
if (!name) fail(`No Deno is available for ${process.platform} on ${process.arch}.`);
console.log(await fetchBinary({ name, version, program: 'deno' }));
