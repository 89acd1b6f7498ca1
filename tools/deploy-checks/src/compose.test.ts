import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { apps, isService, services, servingPort, type App } from '@sheaf/kernel';
import { root } from './manifests';
import { settingFaults, valuesOf } from './settings';

interface Service {
  image?: string;
  command?: string[];
  entrypoint?: string[];
  network_mode?: string;
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string; restart?: boolean }>;
  networks?: string[];
  volumes?: string[];
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  stop_grace_period?: string;
  logging?: { driver: string; options: Record<string, string> };
  profiles?: string[];
  restart?: string;
}

const file = join(root, 'deploy/compose.yaml');
const composition = parse(readFileSync(file, 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, unknown>;
};

/** The variables of a fresh deploy/.env. */
const variables = Object.fromEntries(
  freshEnvFile()
    .trim()
    .split('\n')
    .map((line) => /^([A-Z_]+)='([^']*)'$/.exec(line)?.slice(1) ?? [line, '']) as [string, string][],
);

function freshEnvFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-compose-'));
  try {
    execFileSync(process.execPath, [join(root, 'deploy/generate-secrets.mjs'), 'compose', '--file', join(folder, '.env')], {
      timeout: 240_000,
    });
    return readFileSync(join(folder, '.env'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Substitutes variables as compose does. Throws for a variable that is neither generated nor has a default. */
const substitute = (text: string): string =>
  text.replace(/\$\{([A-Z_]+)(?::([-?])([^}]*))?\}/g, (_all, name: string, operator: string | undefined, fallback: string) => {
    const value = variables[name];
    if (value !== undefined) return value;
    if (operator !== '-') throw new Error(`${name} is not generated and has no default.`);
    return fallback;
  });

const service = (name: string): Service => {
  const found = composition.services[name];
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
};
const environment = (name: string) =>
  Object.fromEntries(Object.entries(service(name).environment ?? {}).map(([key, value]) => [key, substitute(value)]));

describe.each(apps)('%s in compose.yaml', (app: App) => {
  it('starts with its settings, and knows all of them', async () => {
    expect(await settingFaults(app, environment(app), app)).toEqual([]);
  });

  it('has enough time to stop', async () => {
    const values = await valuesOf(app, environment(app));
    expect(Number.parseInt(service(app).stop_grace_period ?? '0')).toBeGreaterThanOrEqual(Number(values.SHUTDOWN_GRACE_MS) / 1000 + 3);
  });

  it('runs the image of its version, with a read-only file system and no privileges', () => {
    const version = /newTag: (\S+)/.exec(readFileSync(join(root, `deploy/services/${app}/version/kustomization.yaml`), 'utf8'))?.[1] ?? '';
    expect(substitute(service(app).image ?? '')).toBe(`registry.example.org/sheaf/${app}:${version}`);
    expect(service(app)).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.any(String) as unknown,
    });
  });

  it('reaches its neighbours by name', () => {
    const addresses = Object.entries(environment(app)).filter(([name]) => name.endsWith('_ADDR'));
    for (const [name, address] of addresses) {
      const neighbour = apps.find((other) => `${other.toUpperCase()}_ADDR` === name) ?? 'gateway';
      const place = `${neighbour}:${servingPort(neighbour)}`;
      expect(address).toBe(isService(neighbour) ? `dns:///${place}` : place);
    }
  });
});

it.each(services)('the database of %s is migrated by its owner role before the service starts', (name) => {
  const migration = service(`${name}-migrate`);
  expect(migration).toMatchObject({ image: service(name).image, command: ['migrate'] });
  const [owner, user] = [environment(`${name}-migrate`), environment(name)].map((env) => new URL(env.DATABASE_URL ?? ''));
  expect(owner?.username).toBe(`${user?.username ?? ''}_owner`);
  expect(owner?.pathname).toBe(user?.pathname);
  expect(service(name).depends_on).toMatchObject({ [`${name}-migrate`]: { condition: 'service_completed_successfully' } });
});

it('gives each role the password that its service uses', () => {
  const roles = environment('postgres-roles');
  for (const name of services) {
    expect(new URL(environment(name).DATABASE_URL ?? '').password).toBe(roles[`${name.toUpperCase()}_PASSWORD`]);
    expect(new URL(environment(`${name}-migrate`).DATABASE_URL ?? '').password).toBe(roles[`${name.toUpperCase()}_OWNER_PASSWORD`]);
  }
});

it('publishes only the gateway, and connects only the gateway and delivery to the outside', () => {
  expect(composition.networks.inside?.internal).toBe(true);
  const names = Object.keys(composition.services);
  expect(names.filter((name) => service(name).networks?.includes('outside'))).toEqual(['gateway', 'delivery', 'caddy']);
  expect(names.filter((name) => service(name).ports !== undefined)).toEqual(['gateway', 'caddy']);
  expect(service('caddy').profiles).toEqual(['tls']);
});

it('listens on loopback by default, because it speaks plain HTTP', () => {
  expect(service('gateway').ports?.map(substitute)).toEqual(['127.0.0.1:8080:8080']);
});

it('refers only to services, networks and files that exist', () => {
  for (const [name, { depends_on: needs = {}, networks = [], volumes = [] }] of Object.entries(composition.services)) {
    expect({ name, missing: Object.keys(needs).filter((other) => !composition.services[other]) }).toEqual({ name, missing: [] });
    expect({ name, missing: networks.filter((other) => composition.networks[other] === undefined) }).toEqual({ name, missing: [] });
    const sources = volumes.map((volume) => volume.split(':')[0] ?? '');
    expect({
      name,
      missing: sources.filter((source) =>
        source.startsWith('.') ? !existsSync(join(root, 'deploy', source)) : !(source in composition.volumes),
      ),
    }).toEqual({ name, missing: [] });
  }
});

describe.each(['compose.yaml', 'compose.one.yaml'])('%s', (name) => {
  const { services: all } = parse(readFileSync(join(root, 'deploy', name), 'utf8'), { merge: true }) as typeof composition;
  const running = Object.entries(all).filter(([, { restart }]) => restart === 'unless-stopped');

  it('limits the logs of everything that keeps running', () => {
    expect(running.length).toBeGreaterThan(1);
    for (const [title, { logging }] of running)
      expect({ title, logging }).toEqual({ title, logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } } });
  });

  it('passes requests on to Sheaf from the proxy, which its profile starts', () => {
    const { environment: env = {}, profiles } = all.caddy ?? {};
    expect(profiles).toEqual(['tls']);
    const [upstream = '', port] = env.SHEAF_UPSTREAM?.split(':') ?? [];
    expect(all[upstream]?.ports?.map((published) => substitute(published).split(':').pop())).toEqual([port]);
    const caddyfile = readFileSync(join(root, 'deploy/platform/caddy/Caddyfile'), 'utf8');
    expect([...caddyfile.matchAll(/\{\$([A-Z_]+)\}/g)].map(([, variable]) => variable)).toEqual(['SHEAF_HOST', 'SHEAF_UPSTREAM']);
    for (const variable of ['SHEAF_HOST', 'SHEAF_UPSTREAM']) expect(env).toHaveProperty(variable);
  });
});

it('the one container runs read-only, without privileges, on loopback, with one volume and time to stop', () => {
  const { services: all } = parse(readFileSync(join(root, 'deploy/compose.one.yaml'), 'utf8'), { merge: true }) as typeof composition;
  expect(all.sheaf).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    volumes: ['sheaf:/data'],
    stop_grace_period: '45s',
  });
  expect(all.sheaf?.ports?.map(substitute)).toEqual(['127.0.0.1:8080:8080']);
});

it('the profile backup of the one container reads its data, writes only backups, and reaches its PostgreSQL', () => {
  const { services: all, volumes } = parse(readFileSync(join(root, 'deploy/compose.one.yaml'), 'utf8'), {
    merge: true,
  }) as typeof composition;
  expect(all.backup).toMatchObject({
    profiles: ['backup'],
    image: all.sheaf?.image,
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    network_mode: 'service:sheaf',
    depends_on: { sheaf: { condition: 'service_healthy', restart: true } },
  });
  expect(all.backup?.volumes?.map(substitute)).toEqual(['sheaf:/data:ro', 'backups:/backups']);
  expect(Object.keys(volumes)).toContain('backups');
  expect(all.backup?.entrypoint?.map(substitute).join(' ')).toBe('sheaf backup keep --in /backups --count 14 --every-hours 24');
  // A new volume belongs to the user of the image, if the image has the folder.
  expect(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')).toContain('chown 65532:65532 /data /backups');
});
