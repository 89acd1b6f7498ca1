import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isService, type App, type ServiceName, services } from '@sheaf/kernel';
import { z } from 'zod';
import { Failure } from './failure';

const State = z.object({
  base_url: z.string(),
  health: z.record(z.string(), z.string()),
  nats_url: z.string(),
  databases: z.record(z.enum(services), z.object({ url: z.string(), owner_url: z.string() })),
  /** The superuser's address of the embedded PostgreSQL; absent if the operator runs their own. */
  postgres_url: z.string().optional(),
  /** The folder of uploaded files; absent if they are in a bucket. */
  files_dir: z.string().optional(),
});

/** The state that the launcher records about the running system. */
export type RunningSystem = z.output<typeof State>;

/** @throws Failure with instructions if no system runs on this data folder. */
export async function findRunningSystem(dataDir: string): Promise<RunningSystem> {
  const file = join(dataDir, 'run/system.json');
  try {
    return State.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const message =
      `No system seems to be running on ${dataDir}. Start one with npm start, or set DATA_DIR. ` +
      `For your own deployment, set ${databaseVariable('workspaces')} and so on (see --help).`;
    throw new Failure('not_found', message, 1, { cause: error });
  }
}

/** The environment variable with the address of a service's database, for systems that the launcher does not run. */
export const databaseVariable = (service: ServiceName): string => `${service.toUpperCase()}_DATABASE_URL`;

/** The settings for an app's command: from the environment for an operator's own deployment, else from the running system. */
export async function settingsFor(
  app: App,
  { env, dataDir, asOwner }: { env: NodeJS.ProcessEnv; dataDir: string; asOwner: boolean },
): Promise<NodeJS.ProcessEnv> {
  if (!isService(app)) {
    // If a database is configured, the NATS of a locally running system would belong to a different system.
    if (env.NATS_URL !== undefined || services.some((service) => env[databaseVariable(service)] !== undefined))
      return { NATS_URL: env.NATS_URL };
    return { NATS_URL: (await findRunningSystem(dataDir)).nats_url };
  }
  const configured = env[databaseVariable(app)];
  if (configured !== undefined && configured !== '') return { DATABASE_URL: configured };
  const { databases, nats_url, files_dir } = await findRunningSystem(dataDir);
  const { url, owner_url } = databases[app];
  const files = app === 'submissions' && files_dir !== undefined ? { FILES_DIR: files_dir, FILES_S3_BUCKET: undefined } : {};
  return { DATABASE_URL: asOwner ? owner_url : url, NATS_URL: env.NATS_URL ?? nats_url, ...files };
}

/** A system as callers of its API see it. */
export interface Account {
  url: string;
  key: string;
}

/** @throws Failure with instructions if there is no key */
export async function accountFor({ SHEAF_URL, SHEAF_KEY }: NodeJS.ProcessEnv, dataDir: string): Promise<Account> {
  if (SHEAF_KEY !== undefined && SHEAF_KEY !== '') {
    if (SHEAF_URL === undefined || SHEAF_URL === '')
      throw new Failure('usage', 'SHEAF_URL: set the address of the system to which SHEAF_KEY belongs', 2);
    return { url: SHEAF_URL, key: SHEAF_KEY };
  }
  if (SHEAF_URL !== undefined && SHEAF_URL !== '')
    throw new Failure('usage', 'SHEAF_KEY: set a key of the system at SHEAF_URL, or unset SHEAF_URL for the system of this machine', 2);
  const { base_url: url } = await findRunningSystem(dataDir);
  const file = join(dataDir, 'credentials.json');
  try {
    return { url, key: z.object({ api_key: z.string() }).parse(JSON.parse(await readFile(file, 'utf8'))).api_key };
  } catch (error) {
    throw new Failure('not_found', `${file}: has no key. Set SHEAF_URL and SHEAF_KEY, or make a key: keys create --help`, 1, {
      cause: error,
    });
  }
}
