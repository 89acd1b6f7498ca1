import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apps, services, usesNats } from '@sheaf/kernel';
import { root } from './manifests';

const natsUsers = apps.filter(usesNats);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sheaf-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Only the substitute for kubectl is on the PATH. */
function run(script: 'generate-secrets' | 'rotate-secret', ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, `deploy/${script}.mjs`), ...args], {
    encoding: 'utf8',
    timeout: 240_000,
    env: { PATH: folder },
  });
  return { status, output: stdout + stderr };
}

const variablesIn = (file: string) =>
  Object.fromEntries(
    [...readFileSync(file, 'utf8').matchAll(/^([A-Z_]+)='([^']*)'$/gm)].map(([, name, value]) => [name ?? '', value ?? '']),
  );
const valuesOf = (variables: Record<string, string>) => Object.values(variables).flatMap((value) => value.split(','));

describe('the secrets of Compose', () => {
  const file = () => join(folder, '.env');
  beforeEach(() => {
    expect(run('generate-secrets', 'compose', '--file', file()).status).toBe(0);
  });

  it('are readable by the owner of the file only', () => {
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('are not replaced by a second run', () => {
    const before = readFileSync(file(), 'utf8');
    const second = run('generate-secrets', 'compose', '--file', file());
    expect(second).toMatchObject({ status: 1, output: expect.stringContaining('exists and was not changed') as unknown });
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });

  it('are never printed', () => {
    rmSync(file());
    const outputs = [
      run('generate-secrets', 'compose', '--file', file()),
      run('rotate-secret', 'webhook-signing', '--file', file()),
      run('rotate-secret', 'nats', '--file', file()),
      run('rotate-secret', 'caller-gateway', '--file', file()),
    ].map(({ output }) => output);
    for (const value of valuesOf(variablesIn(file()))) expect(outputs.join('\n')).not.toContain(value);
  });

  it('of webhooks are rotated with an overlap: both keys sign, then only the new one', () => {
    const before = variablesIn(file());
    expect(run('rotate-secret', 'webhook-signing', '--file', file()).status).toBe(0);
    const both = variablesIn(file());
    const [fresh, old] = (both.DELIVERY_WEBHOOK_SIGNING_SECRETS ?? '').split(',');
    expect(old).toBe(before.DELIVERY_WEBHOOK_SIGNING_SECRETS);
    expect(fresh).toMatch(/^s[\w-]{43}$/);
    expect({ ...both, DELIVERY_WEBHOOK_SIGNING_SECRETS: old }).toEqual(before);

    expect(run('rotate-secret', 'webhook-signing', '--file', file())).toMatchObject({
      status: 1,
      output: expect.stringContaining('finish that rotation first') as unknown,
    });
    expect(run('rotate-secret', 'webhook-signing', '--finish', '--file', file()).status).toBe(0);
    expect(variablesIn(file())).toEqual({ ...before, DELIVERY_WEBHOOK_SIGNING_SECRETS: fresh });
    expect(run('rotate-secret', 'webhook-signing', '--finish', '--file', file())).toMatchObject({
      status: 1,
      output: expect.stringContaining('No rotation is in progress') as unknown,
    });
  });

  it('of pages are rotated with an overlap: every copy knows the secret that another one signs with, whichever have restarted', () => {
    const secrets = () => (variablesIn(file()).PAGES_PAGES_SECRETS ?? '').split(',');
    const rotate = (...args: string[]) => run('rotate-secret', 'pages-signing', ...args, '--file', file()).status;
    for (const generation of [2, 3]) {
      const [old] = secrets();
      expect([rotate(), rotate()]).toEqual([0, 1]);
      const [, fresh] = secrets();
      expect(fresh).toMatch(new RegExp(`^g${generation}-s[\\w-]{43}$`));
      expect(secrets()).toEqual([old, fresh]);
      expect([rotate('--finish'), ...secrets()]).toEqual([0, fresh, old]);
      expect([rotate('--finish'), rotate('--finish'), ...secrets()]).toEqual([0, 1, fresh]);
    }
  });

  it.each(['gateway', 'delivery'])(
    'of callers are rotated with an overlap: all processes always know the key that %s signs with, whichever copies have restarted',
    (issuer) => {
      type Key = Record<'kid' | 'x', string> & { d?: string };
      const signingKey = (variables: Record<string, string>) => {
        const setting = JSON.parse(variables[`${issuer.toUpperCase()}_CALLER_KEY`] ?? '') as Key | { keys: [Key, ...Key[]] };
        return 'keys' in setting ? setting.keys[0] : setting;
      };
      const knownKeys = (variables: Record<string, string>) =>
        Object.keys(variables)
          .filter((name) => name.endsWith('_CALLER_KEYS'))
          .map((name) => (JSON.parse(variables[name] ?? '') as { keys: Key[] }).keys);
      const rotate = (...args: string[]) => run('rotate-secret', `caller-${issuer}`, ...args, '--file', file());
      const stages = [variablesIn(file())];
      for (const args of [[], ['--finish'], ['--finish']]) {
        expect(rotate(...args).status).toBe(0);
        if (args.length === 0)
          expect(rotate()).toMatchObject({ status: 1, output: expect.stringContaining('finish that rotation first') as unknown });
        stages.push(variablesIn(file()));
      }
      expect(rotate('--finish')).toMatchObject({ status: 1, output: expect.stringContaining('No rotation is in progress') as unknown });

      for (const [index, after] of stages.entries()) {
        for (const signing of [stages[index - 1] ?? after, after]) {
          for (const verifying of [stages[index - 1] ?? after, after]) {
            const known = knownKeys(verifying);
            expect(known).toHaveLength(6);
            for (const keys of known) expect(keys).toContainEqual(expect.objectContaining({ kid: issuer, x: signingKey(signing).x }));
          }
        }
      }
      const [before, , , after] = stages as [Record<string, string>, unknown, unknown, Record<string, string>];
      expect(signingKey(after).x).not.toBe(signingKey(before).x);
      for (const keys of knownKeys(after)) {
        expect(keys.map(({ kid }) => kid).sort()).toEqual(['delivery', 'gateway']);
        for (const key of keys) expect(key).not.toHaveProperty('d');
      }
    },
  );

  it('of callers sign with a new key only once every process knows it', () => {
    const before = variablesIn(file());
    expect(run('rotate-secret', 'caller-gateway', '--file', file()).status).toBe(0);
    const text = readFileSync(file(), 'utf8');
    writeFileSync(
      file(),
      text.replace(/^FORMS_CALLER_KEYS=.*$/m, () => `FORMS_CALLER_KEYS='${before.FORMS_CALLER_KEYS ?? ''}'`),
    );
    const unfinished = readFileSync(file(), 'utf8');
    expect(run('rotate-secret', 'caller-gateway', '--finish', '--file', file())).toMatchObject({
      status: 1,
      output: expect.stringContaining('Not all processes have the new key') as unknown,
    });
    expect(readFileSync(file(), 'utf8')).toBe(unfinished);
  });

  it('of a role change in its URL and in the script that creates the role, and nowhere else', () => {
    const before = variablesIn(file());
    expect(run('rotate-secret', 'database-forms', '--file', file()).status).toBe(0);
    const after = variablesIn(file());
    expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual(['POSTGRES_FORMS_PASSWORD', 'FORMS_DATABASE_URL']);
    expect(new URL(after.FORMS_DATABASE_URL ?? '').password).toBe(after.POSTGRES_FORMS_PASSWORD);
  });

  it.each(natsUsers)('of %s at NATS are its own, and change only for it and the server', (user) => {
    const before = variablesIn(file());
    expect(run('rotate-secret', `nats-${user}`, '--file', file()).status).toBe(0);
    const after = variablesIn(file());
    const [own, url] = [`NATS_${user.toUpperCase()}_PASSWORD`, `${user.toUpperCase()}_NATS_URL`];
    expect(
      Object.keys(after)
        .filter((name) => after[name] !== before[name])
        .sort(),
    ).toEqual([url, own].sort());
    for (const variables of [before, after])
      expect(new URL(variables[url] ?? '')).toMatchObject({ username: user, password: variables[own] });
  });

  it('of a system with one shared NATS user become one for each app', () => {
    const one = 'nats://sheaf:old@nats:4222,nats://sheaf:old@other:4222';
    const lines = [`NATS_NATS_PASSWORD='old'`, ...natsUsers.map((user) => `${user.toUpperCase()}_NATS_URL='${one}'`)];
    writeFileSync(file(), lines.join('\n'));
    for (const user of natsUsers) expect(run('rotate-secret', `nats-${user}`, '--file', file()).status).toBe(0);
    const after = variablesIn(file());
    for (const user of natsUsers) {
      const credentials = `nats://${user}:${after[`NATS_${user.toUpperCase()}_PASSWORD`] ?? ''}`;
      expect(after[`${user.toUpperCase()}_NATS_URL`]).toBe(`${credentials}@nats:4222,${credentials}@other:4222`);
    }
    expect(after.NATS_NATS_PASSWORD).toBe('old');
  });

  it('leave other variables in the file unchanged, and the file readable by its owner only', () => {
    writeFileSync(file(), `# ours\nPORT=9000\n${readFileSync(file(), 'utf8')}`);
    chmodSync(file(), 0o644);
    expect(run('rotate-secret', 'nats', '--file', file()).status).toBe(0);
    expect(readFileSync(file(), 'utf8')).toMatch(/^# ours\nPORT=9000\n/);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });
});

describe('the secrets of a cluster', () => {
  interface Stored {
    metadata: { name: string; resourceVersion?: string };
    stringData?: Record<string, string>;
    data?: Record<string, string>;
  }
  const store = () => join(folder, 'cluster.json');
  const stored = () => JSON.parse(readFileSync(store(), 'utf8')) as Record<string, Stored>;
  const valueOf = (name: string, key: string) => Buffer.from(stored()[name]?.data?.[key] ?? '', 'base64').toString();

  /** The part of kubectl that the scripts use: get, create and replace secrets; refuses existing names and outdated versions. */
  const kubectl = `#!${process.execPath}
    const { existsSync, readFileSync, writeFileSync } = require('node:fs');
    const file = ${JSON.stringify('STORE')};
    const all = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    const [, namespace, verb, ...rest] = process.argv.slice(2);
    const fail = (message) => { console.error(message); process.exit(1); };
    if (namespace !== 'sheaf') fail('no such namespace');
    if (verb === 'get') {
      const output = rest[rest.indexOf('-o') + 1];
      const names = rest.slice(rest.indexOf('-o') + 2).filter((name) => name in all);
      console.log(output === 'name' ? names.map((name) => 'secret/' + name).join('\\n') : JSON.stringify({ kind: 'List', items: names.map((name) => all[name]) }));
    } else {
      const { items } = JSON.parse(readFileSync(0, 'utf8'));
      for (const item of items) {
        const before = all[item.metadata.name];
        if (verb === 'create' && before) fail('AlreadyExists');
        if (verb === 'replace' && before?.metadata.resourceVersion !== item.metadata.resourceVersion) fail('Conflict');
        const data = item.data ?? Object.fromEntries(Object.entries(item.stringData).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
        all[item.metadata.name] = { metadata: { ...item.metadata, resourceVersion: String(Number(before?.metadata.resourceVersion ?? 0) + 1) }, data };
      }
      writeFileSync(file, JSON.stringify(all));
    }`;
  beforeEach(() =>
    writeFileSync(
      join(folder, 'kubectl'),
      kubectl.replace('"STORE"', () => JSON.stringify(store())),
      { mode: 0o755 },
    ),
  );

  it('are created once, and a second run replaces none of them', () => {
    expect(run('generate-secrets', 'kubernetes').status).toBe(0);
    const before = stored();
    expect(Object.keys(before)).toHaveLength(16);
    expect(run('generate-secrets', 'kubernetes')).toMatchObject({
      status: 1,
      output: expect.stringContaining('secret/forms-secrets') as unknown,
    });
    expect(stored()).toEqual(before);
  });

  it('are not created in part, as a missing one would not match the others', () => {
    run('generate-secrets', 'kubernetes');
    const { 'forms-secrets': _gone, ...others } = stored();
    writeFileSync(store(), JSON.stringify(others));
    expect(run('generate-secrets', 'kubernetes').status).toBe(1);
    expect(stored()).toEqual(others);
  });

  it('are printed on demand, without a cluster', () => {
    rmSync(join(folder, 'kubectl'));
    const { status, output } = run(
      'generate-secrets',
      'kubernetes',
      '--print',
      '--postgres',
      'db.example.org:6432',
      '--nats',
      'nats.example.org:4222',
    );
    expect(status).toBe(0);
    expect(output).toContain('@db.example.org:6432/sheaf_forms');
    expect(output).toContain('@nats.example.org:4222');
    expect(existsSync(store())).toBe(false);
    expect(run('generate-secrets', 'kubernetes')).toMatchObject({
      status: 1,
      output: expect.stringContaining('kubectl cannot be run (ENOENT)') as unknown,
    });
  });

  it('are rotated one at a time', () => {
    run('generate-secrets', 'kubernetes');
    const before = valueOf('delivery-secrets', 'WEBHOOK_SIGNING_SECRETS');
    const others = valueOf('delivery-secrets', 'DATABASE_URL');
    expect(run('rotate-secret', 'webhook-signing').status).toBe(0);
    expect(valueOf('delivery-secrets', 'WEBHOOK_SIGNING_SECRETS')).toMatch(new RegExp(`^s[\\w-]{43},${before}$`));
    expect(valueOf('delivery-secrets', 'DATABASE_URL')).toBe(others);

    run('rotate-secret', 'database-hooks-owner');
    expect(new URL(valueOf('hooks-migrate-secrets', 'DATABASE_URL')).password).toBe(
      valueOf('postgres-role-secrets', 'HOOKS_OWNER_PASSWORD'),
    );
  });

  it("have PostgreSQL's certificate verified in a new system on demand, and in a running one afterwards, with the same passwords", () => {
    const addresses = () =>
      services.flatMap((service) => [`${service}-secrets`, `${service}-migrate-secrets`]).map((name) => valueOf(name, 'DATABASE_URL'));
    run('generate-secrets', 'kubernetes', '--postgres', 'postgres-rw:5432');
    const plain = addresses();
    expect(run('rotate-secret', 'postgres-verify-full').status).toBe(0);
    const query = '?sslmode=verify-full&sslrootcert=%2Fetc%2Fpostgres-ca%2Fca.crt';
    expect(addresses()).toEqual(plain.map((url) => `${url}${query}`));
    expect(run('rotate-secret', 'postgres-verify-full').status).toBe(0);
    expect(addresses()).toEqual(plain.map((url) => `${url}${query}`));

    const { output } = run('generate-secrets', 'kubernetes', '--print', '--postgres-verify');
    expect(output.split(query)).toHaveLength(plain.length + 1);
  });
});

it('a system of Compose has no certificate of PostgreSQL to verify', () => {
  expect(run('rotate-secret', 'postgres-verify-full', '--file', 'none')).toMatchObject({
    status: 2,
    output: expect.stringContaining('only in Kubernetes') as unknown,
  });
});

it.each([
  ['generate-secrets'],
  ['generate-secrets', 'all'],
  ['generate-secrets', 'compose', '--flie', 'x'],
  ['rotate-secret', 'everything'],
  ['rotate-secret', 'nats', '--finish'],
])('%s %s %s changes nothing and prints its usage', (script, ...args) => {
  expect(run(script as 'generate-secrets', ...args).status).toBe(2);
});
