// npx nx run n8n-nodes-sheaf:in-n8n installs a real n8n and the packed nodes, and runs the workflow of the guide against a running system. The
// last line is `N passed, N failed`. Installing n8n takes about eight minutes, 2 GB, and a compiler of C++; it is kept in our cache.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../build/bootstrap.mjs';
import { N8nApi } from './n8n-api.mjs';
import { withSystem } from './system.mjs';

/** The last n8n for Node 20. Two of its packages have versions that the registry does not give, or that need a newer Node. */
const version = '1.123.81';
const overrides = { xlsx: '0.18.5', 'isolated-vm': '5.0.4' };

const nodes = join(root, 'apps/n8n-nodes-sheaf');
const { SHEAF_CACHE_DIR: sheafCache, XDG_CACHE_HOME: xdg } = process.env;
const cache = join(sheafCache || join(xdg || join(homedir(), '.cache'), 'sheaf'), `n8n-${version}-node${process.versions.modules}`);
/** n8n's folder: its settings, its database and the nodes that people installed. */
const folder = mkdtempSync(join(tmpdir(), 'sheaf-in-n8n-'));
const total = { passed: 0, failed: 0 };

try {
  installN8n();
  installNodes();
  await withSystem((sheaf) => withN8n((n8n) => runWorkflow(sheaf, n8n)));
} catch (error) {
  console.error(error);
  total.failed += 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

function npm(args, cwd, env = {}) {
  execFileSync('npm', [...args, '--no-audit', '--no-fund'], { cwd, stdio: ['ignore', 2, 2], env: { ...process.env, ...env } });
}

function installN8n() {
  if (existsSync(join(cache, 'installed'))) return;
  console.log(`Installing n8n ${version} …`);
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), JSON.stringify({ private: true, dependencies: { n8n: version }, overrides }));
  // Without scripts: some report who installs them, and some load from elsewhere than the registry. Two packages have to be built, with the headers
  // of this Node.
  npm(['install', '--omit=dev', '--ignore-scripts', '--loglevel=error'], cache);
  const major = process.versions.node.split('.')[0];
  const bin = execFileSync(process.execPath, [join(root, 'tools/build/fetch-node.mjs'), major], { encoding: 'utf8' }).trim();
  npm(['rebuild', 'sqlite3', 'isolated-vm'], cache, { npm_config_nodedir: dirname(bin) });
  writeFileSync(join(cache, 'installed'), '');
}

/** As `npm install` in n8n's folder does it: from the archive that would be published. */
function installNodes() {
  npm(['ci', '--ignore-scripts'], nodes);
  execFileSync(process.execPath, ['build.mjs'], { cwd: nodes, stdio: 'inherit' });
  const target = join(folder, '.n8n/nodes');
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'package.json'), JSON.stringify({ private: true }));
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: nodes, encoding: 'utf8' }),
  );
  npm(['install', '--offline', '--legacy-peer-deps', '--ignore-scripts', join(folder, packed[0].filename)], target);
}

async function withN8n(use) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const output = [];
  const child = spawn(process.execPath, [join(cache, 'node_modules/n8n/bin/n8n'), 'start'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...settings(port, url) },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk.toString()));
  try {
    const api = new N8nApi(url);
    await eventually('n8n is ready', () => {
      if (child.exitCode !== null) throw new Error(`n8n ended:\n${output.join('')}`);
      return api.isReady();
    });
    return await use(api);
  } catch (error) {
    console.error(output.join('').split('\n').slice(-30).join('\n'));
    throw error;
  } finally {
    const exited = once(child, 'exit', { signal: AbortSignal.timeout(30_000) });
    child.kill('SIGTERM');
    await exited.catch(() => child.kill('SIGKILL'));
  }
}

/** On this machine only, in its own folder, and without any request to elsewhere. */
function settings(port, url) {
  return {
    N8N_USER_FOLDER: folder,
    N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PORT: String(port),
    WEBHOOK_URL: url,
    N8N_SECURE_COOKIE: 'false',
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_PERSONALIZATION_ENABLED: 'false',
    N8N_HIRING_BANNER_ENABLED: 'false',
    N8N_VERIFIED_PACKAGES_ENABLED: 'false',
    N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
    N8N_RUNNERS_ENABLED: 'false',
    EXTERNAL_FRONTEND_HOOKS_URLS: '',
  };
}

/** Publishes a form. @returns its id, and what the steps below do with it and ask about it */
async function publishForm(sheaf) {
  const call = async (method, path, body) => {
    const headers = { authorization: `Bearer ${sheaf.apiKey}`, 'content-type': 'application/json' };
    const response = await fetch(sheaf.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const content = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${content}`);
    return content === '' ? undefined : JSON.parse(content);
  };
  const { id } = await call('POST', '/api/v1/forms', { title: 'Site visit' });
  const fields = [{ key: 'name', label: 'Your name', type: 'short_text', required: true }];
  await call('PUT', `/app/v1/forms/${id}/draft`, { revision: 0, fields });
  await call('POST', `/api/v1/forms/${id}/publish`);
  return {
    id,
    submit: async (name) => (await call('POST', `/public/v1/forms/${id}/submissions`, { data: { name } })).id,
    statusOf: async (submission) => (await call('GET', `/api/v1/forms/${id}/submissions/${submission}`)).status,
    webhooks: async () => (await call('GET', `/app/v1/forms/${id}/webhooks`)).data,
  };
}

async function runWorkflow(sheaf, n8n) {
  const form = await publishForm(sheaf);
  await n8n.setUp();
  let credential;
  let workflow;

  await step('n8n has loaded the nodes from the package', async () => {
    const names = ['sheaf', 'sheafTool', 'sheafTrigger'];
    assert.deepEqual((await n8n.nodeTypes(names.map((name) => `n8n-nodes-sheaf.${name}`))).sort(), names);
  });
  await step('n8n tests the credential', async () => {
    const data = { url: sheaf.url, apiKey: sheaf.apiKey };
    credential = await n8n.createCredential('Sheaf', 'sheafApi', data);
    assert.equal((await n8n.testCredential({ ...credential, data })).status, 'OK');
    assert.equal((await n8n.testCredential({ ...credential, data: { ...data, apiKey: 'shf_u_wrong' } })).status, 'Error');
  });
  await step('the form picker shows the form', async () => {
    const { results } = await n8n.pick('n8n-nodes-sheaf.sheaf', 'searchForms', { filter: 'site', credential: { sheafApi: credential } });
    assert.deepEqual(results, [{ name: 'Site visit', value: form.id }]);
  });
  await step('the workflow of the guide can be imported and activated, and has a webhook then', async () => {
    workflow = await n8n.importWorkflow(workflowOfGuide(form.id, { sheafApi: { id: credential.id, name: credential.name } }));
    workflow = await n8n.setActive(workflow, true);
    const [webhook, ...others] = await form.webhooks();
    assert.deepEqual(others, []);
    assert.equal(webhook.active, true);
    assert.ok(webhook.url.startsWith(n8n.url), webhook.url);
  });
  await step('a real submission starts it, and it changes the status', async () => {
    const id = await form.submit('Ada');
    await eventually('the submission is in review', async () => (await form.statusOf(id)) === 'in_review');
    await eventually('the execution has succeeded', async () =>
      (await n8n.executions(workflow.id)).some(({ status }) => status === 'success'),
    );
  });
  await step('a forged event is refused, and starts nothing', async () => {
    const before = (await n8n.executions(workflow.id)).length;
    const [{ url }] = await form.webhooks();
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"event":"submission.created"}',
    });
    assert.equal(response.status, 401);
    assert.equal((await n8n.executions(workflow.id)).length, before);
  });
  await step('deactivating it removes the webhook', async () => {
    workflow = await n8n.setActive(workflow, false);
    assert.deepEqual(await form.webhooks(), []);
  });
}

function workflowOfGuide(formId, credentials) {
  const guide = readFileSync(join(root, 'docs/guides/automate-with-n8n.md'), 'utf8');
  const [, block = ''] = /^```json workflow\.json\n([\s\S]*?)^```$/m.exec(guide) ?? [];
  const workflow = JSON.parse(block);
  // The choices that the guide leaves to people.
  for (const node of workflow.nodes) node.credentials = credentials;
  workflow.nodes[0].parameters.formId.value = formId;
  return workflow;
}

async function step(title, run) {
  try {
    await run();
    total.passed += 1;
    console.log(`✔ ${title}`);
  } catch (error) {
    console.log(`✖ ${title}`);
    throw error;
  }
}

async function eventually(title, isSo) {
  const until = Date.now() + 180_000;
  while (!(await isSo())) {
    if (Date.now() > until) throw new Error(`It never came true that ${title}.`);
    await sleep(200);
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
