// Replaces one secret of a running system, in a cluster or in deploy/.env, and prints the next steps. It prints no secret.
//   node deploy/rotate-secret.mjs <name> [--namespace sheaf]            in the cluster, with kubectl
//   node deploy/rotate-secret.mjs <name> --file deploy/.env             for Compose
//   node deploy/rotate-secret.mjs <name> --finish …                     the next step, for secrets with an overlap
// Without a name it lists the secrets.
import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { apps, natsUsers, services } from '../tools/build/apps.mjs';
import { callerKey, composeVariable, password, postgresCaInPod, publicHalf } from './generate-secrets.mjs';

/**
 * A rotation reads values by `secret/KEY` and returns the changed ones.
 * @typedef {{ about: string, onlyInCluster?: boolean, keys: string[], begin: (values: Record<string, string>) => Record<string, string>, finish?: (values: Record<string, string>) => Record<string, string>, then: { begin: string[], finish?: string[] | ((changed: Record<string, string>) => string[]) } }} Rotation
 */

/** @type {Record<string, Rotation>} */
export const rotations = {
  'webhook-signing': overlappingPasswords('delivery-secrets/WEBHOOK_SIGNING_SECRETS', 'the keys that sign webhooks', {
    restart: 'delivery',
    wait: 'Wait at least a day, so that subscribers fetch the new public keys, then run this again with --finish.',
  }),
  'pages-signing': pagesSecret(),
  'caller-gateway': callerKeyOf('gateway'),
  'caller-delivery': callerKeyOf('delivery'),
  ...Object.fromEntries(
    services.flatMap((service) => [
      [`database-${service}`, databasePassword(service, service, `${service}-secrets`)],
      [`database-${service}-owner`, databasePassword(service, `${service}_owner`, `${service}-migrate-secrets`)],
    ]),
  ),
  ...Object.fromEntries(natsUsers.map((user) => [`nats-${user}`, natsUser(user)])),
  nats: natsPassword(),
  'postgres-verify-full': verifiedDatabases(),
};

/** A setting with the value `new,old`: both are valid until the old one is dropped. */
function overlappingPasswords(key, about, { restart, wait }) {
  return {
    about: `${about}; the old one stays valid until --finish`,
    keys: [key],
    begin: ({ [key]: value }) => {
      if (value.includes(',')) throw new Error(`Two values are already valid: finish that rotation first.`);
      return { [key]: `${password()},${value}` };
    },
    finish: ({ [key]: value }) => {
      if (!value.includes(',')) throw new Error('No rotation is in progress.');
      return { [key]: value.split(',')[0] };
    },
    then: { begin: [`Restart ${restart}.`, wait], finish: [`Restart ${restart}.`] },
  };
}

/**
 * The secret with which pages signs, in three steps: all copies learn the new secret, then they sign with it, then they forget the old one.
 * Each secret begins with its number, so that the step can be told from the order of the two.
 */
function pagesSecret() {
  const key = 'pages-secrets/PAGES_SECRETS';
  const numberOf = (secret) => Number(/^g(\d+)-/.exec(secret)?.[1] ?? 1);
  return {
    about: 'the secret with which pages signs what travels with a page; the old one stays valid until the second --finish',
    keys: [key],
    begin: ({ [key]: value }) => {
      if (value.includes(',')) throw new Error('Two values are already valid: finish that rotation first.');
      return { [key]: `${value},g${numberOf(value) + 1}-${password()}` };
    },
    finish: ({ [key]: value }) => {
      const [first, second] = value.split(',');
      if (second === undefined) throw new Error('No rotation is in progress.');
      return { [key]: numberOf(first) < numberOf(second) ? `${second},${first}` : first };
    },
    then: {
      begin: ['Restart pages.', 'Once only new copies are running, run this again with --finish.'],
      finish: ({ [key]: value }) =>
        value.includes(',')
          ? [
              'Restart pages.',
              'Once nobody needs what the old secret signed (open pages, receipts, saved answers of up to 90 days), run this again with --finish.',
            ]
          : ['Restart pages. The old secret is valid until then.'],
    },
  };
}

/**
 * The key with which a process signs caller tokens, in three steps: the others learn the new key, the process signs with it, and the
 * others forget the old one. The process's own secret is written last: if that fails, --finish drops the new key again.
 */
function callerKeyOf(issuer) {
  const signing = `${issuer}-secrets/CALLER_KEY`;
  const verifiers = apps.filter((app) => app !== 'gateway');
  const known = verifiers.map((app) => `${app}-secrets/CALLER_KEYS`);
  const keysIn = (text) => ((value) => value.keys ?? [value])(JSON.parse(text));
  const ofIssuer = (text) => keysIn(text).filter(({ kid }) => kid === issuer);
  return {
    about: `the key with which ${issuer} signs its calls; the old one stays valid until the second --finish`,
    keys: [...known, signing],
    begin: (values) => {
      if (Object.values(values).some((text) => ofIssuer(text).length > 1))
        throw new Error('Two keys are already valid: finish that rotation first.');
      const fresh = callerKey(issuer);
      return {
        ...Object.fromEntries(known.map((key) => [key, JSON.stringify({ keys: [publicHalf(fresh), ...keysIn(values[key])] })])),
        [signing]: JSON.stringify({ keys: [...keysIn(values[signing]), fresh] }),
      };
    },
    finish: (values) => {
      const [current, fresh] = keysIn(values[signing]);
      const isKnown = (key) => known.every((name) => ofIssuer(values[name]).some(({ x }) => x === key.x));
      if (fresh && !isKnown(fresh)) throw new Error('Not all processes have the new key.');
      if (fresh) return { [signing]: JSON.stringify(fresh) };

      const rotating = known.filter((key) => ofIssuer(values[key]).length > 1);
      if (rotating.length === 0) throw new Error('No rotation is in progress.');
      return Object.fromEntries(
        rotating.map((key) => [
          key,
          JSON.stringify({ keys: keysIn(values[key]).filter(({ kid, x }) => kid !== issuer || x === current.x) }),
        ]),
      );
    },
    then: {
      begin: [`Restart ${verifiers.join(', ')}.`, 'Once only new copies are running, run this again with --finish.'],
      finish: (changed) =>
        signing in changed
          ? [`Restart ${issuer}.`, 'Two minutes after its last old copy has stopped, run this again with --finish.']
          : [`Restart ${verifiers.join(', ')}. The old key is valid until then.`],
    },
  };
}

/** PostgreSQL has one password per role. Open connections stay open; new ones need the new password. */
function databasePassword(service, role, secret) {
  const url = `${secret}/DATABASE_URL`;
  const rolePassword = `postgres-role-secrets/${role.toUpperCase()}_PASSWORD`;
  return {
    about: `the password of the role sheaf_${role}; no overlap`,
    keys: [url, rolePassword],
    begin: (values) => {
      const changed = password();
      const address = new URL(values[url]);
      address.password = changed;
      return { [url]: address.href, [rolePassword]: changed };
    },
    then: {
      begin: [
        'Run the roles job again (delete job/postgres-roles and apply deploy/platform/postgres; with Compose: up), or deploy/platform/postgres/roles.sh.',
        ...(role === service ? [`Restart ${service} right away: its pods cannot open new connections with the old password.`] : []),
      ],
    },
  };
}

/** No secret changes: each address gets `sslmode=verify-full`. The server has TLS already, and answers the old pods as before. */
function verifiedDatabases() {
  const urls = services.flatMap((service) => [`${service}-secrets/DATABASE_URL`, `${service}-migrate-secrets/DATABASE_URL`]);
  const verified = (url) => {
    const address = new URL(url);
    address.searchParams.set('sslmode', 'verify-full');
    address.searchParams.set('sslrootcert', postgresCaInPod);
    return address.href;
  };
  return {
    about: "no rotation: services verify PostgreSQL's certificate from now on, with the authority in the secret postgres-ca",
    onlyInCluster: true,
    keys: urls,
    begin: (values) => Object.fromEntries(urls.map((url) => [url, verified(values[url])])),
    then: { begin: [`Restart ${services.join(', ')}, one after the other.`] },
  };
}

/**
 * In older systems, where all processes shared one user, this also gives the process its own. nats-server reads the passwords when it
 * starts.
 */
function natsUser(user) {
  const url = `${user}-secrets/NATS_URL`;
  return {
    about: `the NATS password of ${user}; no overlap`,
    // The second key is listed only because its secret is written to.
    keys: [url, 'nats-secrets/NATS_PASSWORD'],
    begin: (values) => {
      const changed = password();
      // Every server in the list gets the new login.
      return {
        [`nats-secrets/${user.toUpperCase()}_PASSWORD`]: changed,
        [url]: values[url].replaceAll(/\/\/[^/@,]*@/g, () => `//${user}:${changed}@`),
      };
    },
    then: { begin: [`Restart NATS, then ${user}. Until then, events wait in the outboxes and none is lost.`] },
  };
}

/** The operator's user. Processes of an older system may use it too. */
function natsPassword() {
  const urls = natsUsers.map((service) => `${service}-secrets/NATS_URL`);
  const operatorPassword = 'nats-secrets/NATS_PASSWORD';
  return {
    about: 'the password of sheaf, the NATS user of the operator; no overlap',
    keys: [operatorPassword, ...urls],
    begin: (values) => {
      const old = values[operatorPassword];
      const changed = password();
      // Every server in the list gets the new password.
      return {
        [operatorPassword]: changed,
        ...Object.fromEntries(urls.map((url) => [url, values[url].replaceAll(`:${old}@`, `:${changed}@`)])),
      };
    },
    then: {
      begin: [
        'Restart NATS, then the processes that still have this user, if any. Until then, events wait in the outboxes and none is lost.',
      ],
    },
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) main();

function main() {
  const { name, finish, namespace, file } = commandLine();
  const { keys, then, ...steps } = rotations[name];
  const step = finish ? 'finish' : 'begin';
  if (steps[step] === undefined) exitWith(`${name} has no overlap, so there is nothing to finish.`, 2);
  if (steps.onlyInCluster && file !== undefined) exitWith(`${name} is there only in Kubernetes.`, 2);

  const place = file === undefined ? inCluster(namespace) : inFile(file);
  try {
    const changed = steps[step](place.read(keys));
    place.write(changed);
    const next = typeof then[step] === 'function' ? then[step](changed) : then[step];
    console.log([`Changed ${Object.keys(changed).join(', ')}.`, ...next].join('\n'));
  } catch (error) {
    exitWith(error.message);
  }
}

function commandLine() {
  try {
    const {
      positionals: [name, ...others],
      values,
    } = parseArgs({
      allowPositionals: true,
      options: { namespace: { type: 'string', default: 'sheaf' }, file: { type: 'string' }, finish: { type: 'boolean', default: false } },
    });
    if (Object.hasOwn(rotations, name ?? '') && others.length === 0) return { name, ...values };
  } catch (error) {
    console.error(error.message);
  }
  const names = Object.entries(rotations).map(([title, { about }]) => `  ${title.padEnd(28)}${about}`);
  return exitWith(
    `usage: node deploy/rotate-secret.mjs <name> [--finish] [--namespace sheaf | --file deploy/.env]\n${names.join('\n')}`,
    2,
  );
}

function inCluster(namespace) {
  let items = [];
  return {
    read(keys) {
      const names = [...new Set(keys.map((key) => key.split('/')[0]))];
      const answer = JSON.parse(kubectl(['-n', namespace, 'get', 'secrets', '-o', 'json', ...names]));
      items = answer.kind === 'List' ? answer.items : [answer];
      return Object.fromEntries(
        keys.map((key) => {
          const [name, field] = key.split('/');
          const value = items.find(({ metadata }) => metadata.name === name)?.data?.[field];
          if (value === undefined) throw new Error(`The secret ${name} has no ${field}.`);
          return [key, Buffer.from(value, 'base64').toString()];
        }),
      );
    },
    /** Written with the resourceVersion that was read: the API server refuses the write if someone else has changed it in the meantime. */
    write(changed) {
      for (const [key, value] of Object.entries(changed)) {
        const [name, field] = key.split('/');
        items.find(({ metadata }) => metadata.name === name).data[field] = Buffer.from(value).toString('base64');
      }
      kubectl(['-n', namespace, 'replace', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    },
  };
}

/** Changes only the affected lines: operators keep other variables in this file too. */
function inFile(file) {
  let text = '';
  const line = (key) => new RegExp(`^${composeVariable(...key.split('/'))}='([^']*)'$`, 'm');
  return {
    read(keys) {
      text = readFileSync(file, 'utf8');
      return Object.fromEntries(
        keys.map((key) => {
          const value = line(key).exec(text)?.[1];
          if (value === undefined) throw new Error(`${file} has no line ${composeVariable(...key.split('/'))}='…'.`);
          return [key, value];
        }),
      );
    },
    write(changed) {
      for (const [key, value] of Object.entries(changed)) {
        const changedLine = `${composeVariable(...key.split('/'))}='${value}'`;
        text = line(key).test(text) ? text.replace(line(key), () => changedLine) : `${text.replace(/\n?$/, '\n')}${changedLine}\n`;
      }
      const next = `${file}.next`;
      rmSync(next, { force: true });
      writeFileSync(next, text, { flag: 'wx', mode: 0o600 });
      renameSync(next, file);
    },
  };
}

function kubectl(args, input) {
  const { status, stdout, error } = spawnSync('kubectl', args, { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'inherit'] });
  if (status !== 0)
    exitWith(error ? `kubectl cannot be run (${error.code}).` : `kubectl ${args[2]} failed, see above. Nothing was changed.`);
  return stdout;
}

function exitWith(message, code = 1) {
  console.error(message);
  process.exit(code);
}
