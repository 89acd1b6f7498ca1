// Generates libs/rpc/src/generated from proto/: the TypeScript types, and descriptors.json, so that a bundle needs no .proto files
// at run time.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
  tree.loadSync(
    files.map((file) => join(protoDir, file)),
    { keepCase: true },
  );
} catch (error) {
  console.error(error.message.replaceAll(`${root}/`, ''));
  process.exit(1);
}

const fresh = mkdtempSync(join(tmpdir(), 'sheaf-rpc-'));
try {
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
      `--outDir=${fresh}`,
      `--includeDirs=${protoDir}`,
    ],
    { cwd: protoDir, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  writeFileSync(join(fresh, 'descriptors.json'), JSON.stringify(tree.toJSON()));
  replaceWhatDiffers(fresh, out);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
console.log(`${files.length} protos → ${relative(root, out)}`);

/**
 * Leaves files that are the same alone, and replaces each of the others at once, because compilers, linters and tests may read them meanwhile:
 * several runs of Nx begin with this task. That is also why Nx does not cache it: it would remove the folder before it restores it.
 */
function replaceWhatDiffers(from, to) {
  mkdirSync(to, { recursive: true });
  const [now, before] = [from, to].map((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }));
  const namesOf = (entries, folder) =>
    entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const names = namesOf(now, from);
  for (const name of names) {
    const content = readFileSync(join(from, name));
    if (contentOf(join(to, name))?.equals(content)) continue;
    mkdirSync(dirname(join(to, name)), { recursive: true });
    const temporary = join(to, `${name}.${process.pid}`);
    writeFileSync(temporary, content);
    renameSync(temporary, join(to, name));
  }
  const wanted = new Set(names);
  // Those of another run that is replacing a file have its number at their end.
  for (const name of namesOf(before, to)) if (!wanted.has(name) && !/\.\d+$/.test(name)) rmSync(join(to, name), { force: true });
}

function contentOf(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
