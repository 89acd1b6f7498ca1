// Builds the console, which `pages` serves, into a folder: index.html, and files under names with a hash of their content.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Everything that the build depends on, beside the versions in the lock file. */
const sources = [
  'apps/console',
  'libs/client/src',
  'libs/contracts/src',
  'libs/form-view/src',
  'libs/formulas/src',
  'docs/verify-webhooks.md',
  'package-lock.json',
  'tools/build/console.mjs',
];

/**
 * @param {string} folder is replaced unless it was built from the same files
 * @returns {Promise<{ inputs: string[], changed: boolean }>} the files of the repository that the console is made of, and whether it was built
 */
export async function buildConsole(folder) {
  const inputs = sources.flatMap((source) => filesIn(join(root, source))).map((file) => relative(root, file));
  const stamp = stampOf(inputs);
  const stampFile = join(folder, 'built-from');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return { inputs, changed: false };

  // Otherwise React's slower build for development gets in, where the variable has another value, such as under jest.
  process.env.NODE_ENV = 'production';
  // Loaded only now: without a change, a rebuild need not wait for it.
  const { build } = await import('vite');
  await build({ configFile: join(root, 'apps/console/vite.config.mjs'), logLevel: 'warn', build: { outDir: folder } });
  writeFileSync(stampFile, stamp);
  return { inputs, changed: true };
}

const filesIn = (path) =>
  extname(path) !== ''
    ? [path]
    : readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
        .sort();

function stampOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder] = process.argv;
  if (!folder) {
    console.error('usage: node tools/build/console.mjs <folder>');
    process.exit(2);
  }
  await buildConsole(folder);
}
