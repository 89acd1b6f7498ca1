// npm run docs: the documentation as a site, at http://localhost:5173, drawn again as a page changes. `--build` writes it to
// dist/docs-site/html instead, and `--check` does that and says whether every link within the site leads somewhere.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { bootstrap, installIfChanged, root } from '../build/bootstrap.mjs';

const site = join(root, 'tools/docs-site/vitepress');
const out = join(root, 'dist/docs-site');
const content = join(out, 'content');
const isServing = !process.argv.includes('--build') && !process.argv.includes('--check');

await bootstrap();
await installIfChanged(site, install);
await write();

if (isServing) {
  const { watch } = await import('chokidar');
  let writing = Promise.resolve();
  const again = () => (writing = writing.then(write).catch((error) => console.error(error instanceof Error ? error.message : error)));
  watch(['docs', 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'deploy/README.md'], { cwd: root, ignoreInitial: true }).on('all', again);
  process.exitCode = await vitepress('dev');
} else {
  process.exitCode = await vitepress('build');
  if (process.exitCode === 0) console.log(`The site is in ${relative(root, join(out, 'html'))}.`);
  if (process.argv.includes('--check')) console.log(process.exitCode === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed');
}

/** Installs what draws the site. */
async function install() {
  console.error('Installing what draws the site (npm ci) …');
  const code = await run('npm', ['ci', '--ignore-scripts', '--loglevel=error'], site);
  if (code !== 0) process.exit(1);
}

/** Writes the pages and the sidebar to dist/docs-site. */
async function write() {
  const { loadSource } = await import('../build/load-source.mjs');
  const { siteOf, isPublished, pictures } = await loadSource(`export { siteOf, isPublished, pictures } from './tools/docs-site/src/site';`);
  const { version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const sources = ['', 'docs', 'deploy', 'libs/client', 'libs/webhooks', 'apps/n8n-nodes-sheaf', 'apps/zapier', 'tools/bench'].flatMap(
    (folder) =>
      readdirSync(join(root, folder), { recursive: folder === 'docs' })
        .map((name) => join(folder, name))
        .filter(isPublished)
        .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  );
  const openapi = readFileSync(join(root, 'docs/openapi.json'), 'utf8');
  const { groups, index } = siteOf(sources, JSON.parse(openapi), repository.url.replace(/^git\+|\.git$/g, ''));

  if (!isServing) rmSync(content, { recursive: true, force: true });
  for (const { path, text } of groups.flatMap(({ pages }) => pages)) {
    put(join(content, path), text);
    // Beside its page, for readers that are programs.
    put(join(content, 'public', path), text);
  }
  put(join(content, 'index.md'), readFileSync(join(root, 'tools/docs-site/home.md'), 'utf8'));
  put(join(content, 'public/llms.txt'), index);
  put(join(content, 'public/openapi.json'), openapi);
  for (const folder of pictures) cpSync(join(root, 'docs', folder), join(content, 'public', folder), { recursive: true });
  const sidebar = groups.map(({ title, pages }) => ({
    text: title,
    items: pages.map((page) => ({ text: page.title, link: `/${page.path.replace(/(?:index)?\.md$/, '')}` })),
  }));
  put(join(out, 'site.json'), JSON.stringify({ version: `v${version}`, sidebar }));
}

/** Unchanged files stay as they are, so that only the pages that changed are drawn again. */
function put(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function vitepress(command) {
  return run(process.execPath, [join(site, 'node_modules/vitepress/bin/vitepress.js'), command, site], root);
}

function run(file, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
