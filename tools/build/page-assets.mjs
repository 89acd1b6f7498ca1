// Builds the files that the pages of forms load into a folder: each under a name with a hash of its content, so that browsers may keep it
// for ever, and manifest.json, which has the names.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const source = 'libs/form-view/src';

const shared = {
  absWorkingDir: root,
  tsconfig: 'tsconfig.base.json',
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
  charset: 'utf8',
};

const browserFiles = {
  ...shared,
  outdir: 'out',
  format: 'iife',
  // The browsers of the last four years; older ones get the pages without the scripts' help.
  target: ['chrome105', 'firefox115', 'safari15.4'],
  // All of them know the properties that we name; esbuild goes by the newest scripts.
  supported: { 'regexp-unicode-property-escapes': true },
};

/**
 * @param {string} folder is replaced unless it has the same files already
 * @returns {Promise<{ inputs: string[], changed: boolean }>} the files of the repository that the assets are made of, and whether any differs
 *   from the previous build
 */
export async function buildPageAssets(folder) {
  const scripts = ['page', 'conditions', 'formulas', 'piping', 'search', 'sign', 'proof', 'embed'].map(
    (name) => `${source}/browser/${name}.ts`,
  );
  const [files, drawing] = await Promise.all([
    build({ ...browserFiles, entryPoints: [...scripts, `${source}/style/form.css`] }),
    build({ ...shared, entryPoints: [`${source}/parts/drawing.ts`], format: 'esm' }),
  ]);
  const { icon } = await import(`data:text/javascript,${encodeURIComponent(drawing.outputFiles[0].text)}`);
  const contents = new Map(files.outputFiles.map((file) => [basename(file.path), Buffer.from(file.contents)]));
  contents.set('icon.svg', Buffer.from(icon));

  const inputs = [files, drawing].flatMap(({ metafile }) => Object.keys(metafile.inputs)).filter((file) => !file.includes('node_modules/'));
  return { inputs, changed: write(folder, contents) };
}

function write(folder, contents) {
  const manifest = Object.fromEntries([...contents].map(([name, bytes]) => [name, hashedName(name, bytes)]));
  const list = join(folder, 'manifest.json');
  const listed = `${JSON.stringify(manifest, null, 2)}\n`;
  if (existsSync(list) && readFileSync(list, 'utf8') === listed) return false;

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of contents) writeFileSync(join(folder, manifest[name]), bytes);
  writeFileSync(list, listed);
  return true;
}

function hashedName(name, bytes) {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
  return `${basename(name, extname(name))}.${hash}${extname(name)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder] = process.argv;
  if (!folder) {
    console.error('usage: node tools/build/page-assets.mjs <folder>');
    process.exit(2);
  }
  await buildPageAssets(folder);
}
