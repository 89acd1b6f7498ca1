import { budget } from './connection-budget';
import { network } from './connections';
import type { Manifest } from './manifests';
import { replication } from './replication';
import { schemaFaults } from './schemas';
import { secrets, settings } from './settings-checks';
import { images, migrations } from './version-checks';
import { ports, probes, scale, stopping } from './workload-checks';

/**
 * Rules for the manifests of a whole system: platform, migrations, services, and generated secrets. Each rule returns one line per
 * fault.
 */
export const checks = {
  schemas: schemaFaults,
  ports,
  probes,
  network,
  settings,
  secrets,
  scale,
  budget,
  replication,
  stopping,
  images,
  migrations,
} satisfies Record<string, (manifests: readonly Manifest[]) => string[] | Promise<string[]>>;

export type CheckName = keyof typeof checks;
