// Builds a package that is published, such as libs/webhooks, into dist/<its folder>, ready for `npm pack` and `npm publish`: for each entry
// of its `exports` an ES module, a CommonJS module and the types of both, beside its package.json, README and licence.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const [, , folder = ''] = process.argv;
const source = join(root, folder, 'src');
const out = join(root, 'dist', folder);
if (folder === '' || !existsSync(source)) {
  console.error('usage: node tools/build/package.mjs <project folder>');
  process.exit(2);
}

const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** `./index.js` in `exports` is built from `src/index.ts`. */
const entries = Object.values(manifest.exports)
  .filter((conditions) => typeof conditions === 'object')
  .map(({ import: { default: file } }) => join(source, file.replace(/\.js$/, '.ts')));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await Promise.all([bundle('esm', '.js'), bundle('cjs', '.cjs')]);
writeTypes();
writeFileSync(join(out, 'package.json'), `${JSON.stringify({ ...manifest, repository: { ...repository, directory: folder } }, null, 2)}\n`);
cpSync(join(root, folder, 'README.md'), join(out, 'README.md'));
cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'));

function bundle(format, extension) {
  return build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: out,
    outExtension: { '.js': extension },
    bundle: true,
    format,
    // No import of a runtime's own modules can slip in, so the package also works in browsers.
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'warning',
  });
}

/** Declarations are written once for each kind of module: `index.d.ts` and `index.d.cts`, whose imports name files with extensions. */
function writeTypes() {
  const { options, errors } = ts.parseJsonConfigFileContent(
    {
      extends: './tsconfig.base.json',
      compilerOptions: { noEmit: false, declaration: true, emitDeclarationOnly: true, stripInternal: true, rootDir: source, outDir: out },
      files: entries,
    },
    ts.sys,
    root,
  );
  const program = ts.createProgram(entries, options);
  const declarations = [];
  program.emit(undefined, (file, text) => declarations.push({ file, text }));
  const faults = [...errors, ...ts.getPreEmitDiagnostics(program)];
  if (faults.length > 0) {
    console.error(ts.formatDiagnosticsWithColorAndContext(faults, { ...host(), getNewLine: () => '\n' }));
    process.exit(1);
  }
  const files = new Set(declarations.map(({ file }) => relative(out, file).replaceAll('\\', '/')));
  for (const { file, text } of declarations) {
    mkdirSync(dirname(file), { recursive: true });
    for (const extension of ['js', 'cjs']) {
      const target = file.replace(/\.d\.ts$/, extension === 'js' ? '.d.ts' : '.d.cts');
      writeFileSync(target, withExtensions(relative(out, file), text, extension, files));
    }
  }
}

function host() {
  return { getCurrentDirectory: () => root, getCanonicalFileName: (file) => file };
}

/** `from './keys'` becomes `from './keys.js'`, or `from './keys/index.js'` for a folder, which may be `..`. */
function withExtensions(file, text, extension, files) {
  return text.replace(/((?:from|import)\s*(?:\(\s*)?['"])(\.{1,2}(?:\/[^'"]+?)?)(?:\.js)?(['"])/g, (_, before, target, after) => {
    const path = posix.join(posix.dirname(file), target);
    return `${before}${target}${files.has(`${path}.d.ts`) ? '' : '/index'}.${extension}${after}`;
  });
}
