// Builds a program that is published, such as libs/mcp, into dist/<its folder>, ready for `npm pack` and `npm publish`: src/main.ts and all that it
// imports in one file, which starts without an installation of other packages, beside their licences.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const [, , folder = ''] = process.argv;
if (folder === '' || !existsSync(join(root, folder, 'src/main.ts'))) {
  console.error('usage: node tools/build/program.mjs <project folder>');
  process.exit(2);
}

const out = join(root, 'dist', folder);
const file = join(out, 'main.cjs');
const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const { metafile } = await build({
  absWorkingDir: root,
  tsconfig: 'tsconfig.base.json',
  entryPoints: [join(folder, 'src/main.ts')],
  outfile: file,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minifySyntax: true,
  banner: { js: '#!/usr/bin/env node' },
  define: { PACKAGE_VERSION: JSON.stringify(manifest.version) },
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
});
chmodSync(file, 0o755);
writeFileSync(join(out, 'LICENSES.txt'), licencesOf(Object.keys(metafile.inputs)));
writeFileSync(join(out, 'package.json'), `${JSON.stringify({ ...manifest, repository: { ...repository, directory: folder } }, null, 2)}\n`);
cpSync(join(root, folder, 'README.md'), join(out, 'README.md'));
cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'));

/** The licences of the packages in the file, which ask to be kept with copies of them. */
function licencesOf(inputs) {
  const packages = new Set(inputs.flatMap((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []));
  return [...packages]
    .sort()
    .map((path) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
      const text = readdirSync(join(root, path)).find((entry) => /^licen[cs]e/i.test(entry));
      return `${name} ${version} (${license})\n\n${text === undefined ? '' : readFileSync(join(root, path, text), 'utf8')}`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
