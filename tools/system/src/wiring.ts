import { freePorts } from '@sheaf/embedded';
import { apps, type ServiceName, services } from '@sheaf/kernel';
import { type Wiring } from './apps';
import { type DataPaths } from '@sheaf/data-dir';
import { demoPort } from './demo-port';
import { type Options } from './options';
import { type Provisioned } from './provision';
import { type Secrets } from './secrets';

type Parts = {
  port: number;
  natsUrl: string;
  databases: Record<ServiceName, Provisioned>;
  secrets: Secrets;
  paths: DataPaths;
  options: Pick<Options, 'bindHost' | 'env' | 'logLevel'>;
};

/** Chooses free ports for the processes, and collects what they share. */
export async function wire({ port, natsUrl, databases, secrets, paths, options }: Parts): Promise<Wiring> {
  const ports = await freePorts(services.length + apps.length + 1);
  const mapKeys = <K extends string, V>(keys: readonly K[], value: (key: K) => V) =>
    Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, V>;
  return {
    port,
    bindHost: options.bindHost,
    natsUrl,
    grpcPorts: mapKeys(services, () => ports.pop() ?? 0),
    pagesPort: ports.pop() ?? 0,
    healthPorts: mapKeys(apps, () => ports.pop() ?? 0),
    databaseUrls: mapKeys(services, (service) => databases[service].runUrl),
    callerKeys: secrets.caller_keys,
    sessionSecret: secrets.session_secret,
    webhookSigningSecret: secrets.webhook_signing_secret,
    pagesSecret: secrets.pages_secret,
    logLevel: options.logLevel,
    demoSubscriber: `http://127.0.0.1:${await demoPort(paths.state)}`,
    filesDir: paths.files,
    env: options.env,
  };
}
