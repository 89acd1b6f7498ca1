// Generates libs/rpc/src/generated from proto/: the TypeScript types, and descriptors.json, so that a bundle needs no .proto files
// at run time.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const protobuf = require('protobufjs');

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const protoDir = join(root, 'proto');
const out = join(root, 'libs/rpc/src/generated');

const files = readdirSync(protoDir, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.proto'))
  .sort();

const tree = new protobuf.Root();
tree.resolvePath = (_origin, target) => (target.startsWith('/') ? target : join(protoDir, target));
try {
  // Parse before removing anything: the last generated code stays usable while someone edits a proto.
  tree.loadSync(
    files.map((file) => join(protoDir, file)),
    { keepCase: true },
  );
} catch (error) {
  console.error(error.message.replaceAll(`${root}/`, ''));
  process.exit(1);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const loader = dirname(require.resolve('@grpc/proto-loader/package.json'));
execFileSync(
  process.execPath,
  [
    join(loader, 'build/bin/proto-loader-gen-types.js'),
    // Files first: --includeDirs consumes all arguments after it.
    ...files,
    '--keepCase',
    '--longs=Number',
    '--enums=String',
    '--defaults',
    '--grpcLib=@grpc/grpc-js',
    `--outDir=${out}`,
    `--includeDirs=${protoDir}`,
  ],
  { cwd: protoDir, stdio: ['ignore', 'ignore', 'inherit'] },
);

writeFileSync(join(out, 'descriptors.json'), JSON.stringify(tree.toJSON()));
console.log(`${files.length} protos → ${relative(root, out)}`);
