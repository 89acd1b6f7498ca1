// Runs in the image of `workspaces`: creates the first instance and its owner, and a link with which the owner signs in, in the secret `sheaf-owner`.
// It may stop anywhere and run again: the secret is the last step, and once it exists there is nothing left to do.
const { spawnSync } = require('node:child_process');
const { existsSync, mkdtempSync, readFileSync } = require('node:fs');
const { request } = require('node:https');

const {
  BASE_URL,
  KUBERNETES_SERVICE_HOST: host,
  KUBERNETES_SERVICE_PORT: port,
  ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount',
} = process.env;
const app = process.env.APP ?? '/app/main.cjs';
const namespace = readFileSync(`${ACCOUNT}/namespace`, 'utf8');
const name = 'sheaf-owner';

/** Asks the cluster's API. */
const api = (method, path, body) =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${readFileSync(`${ACCOUNT}/token`, 'utf8')}`, 'content-type': 'application/json' };
    const options = {
      method,
      host,
      port,
      path: `/api/v1/namespaces/${namespace}/secrets${path}`,
      headers,
      ca: readFileSync(`${ACCOUNT}/ca.crt`),
      timeout: 10_000,
    };
    request(options, (response) => resolve(response.resume().statusCode))
      .on('timeout', function () {
        this.destroy(new Error('the API does not answer'));
      })
      .on('error', reject)
      .end(body);
  });

function run(...args) {
  const { status } = spawnSync(process.execPath, [app, ...args], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${args[0]} has failed, see above`);
}

async function main() {
  const found = await api('GET', `/${name}`);
  if (found === 200) return console.log(`The secret ${name} exists: nothing to do.`);
  if (found !== 404) throw new Error(`the API answered ${found} when asked for the secret ${name}`);

  const folder = mkdtempSync('/tmp/seed-');
  const [owner, link] = [`${folder}/owner.json`, `${folder}/link.json`];
  run('seed', '--credentials', owner, '--base-url', BASE_URL);
  // An earlier run may have created the instance and stopped: the link does not need what that run wrote.
  run('create-sign-in-link', '--email', 'owner@sheaf.example', '--base-url', BASE_URL, '--output', link);
  const data = { 'sign-in-url': JSON.parse(readFileSync(link, 'utf8')).sign_in_url };
  if (existsSync(owner)) data['owner.json'] = readFileSync(owner, 'utf8');
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels: { 'app.kubernetes.io/part-of': 'sheaf' } },
    stringData: data,
  };
  const created = await api('POST', '', JSON.stringify(secret));
  if (created !== 201) throw new Error(`the API answered ${created} when given the secret ${name}`);
  console.log(`The link to sign in is in the secret ${name}.`);
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
