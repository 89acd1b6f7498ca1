import { Problem } from '@sheaf/kernel';
import type { Deps } from './deps';
import * as people from './people.queries';

/**
 * The instance behind a `Host` header: its custom domain, else `{workspace slug}.{SERVICE_DOMAIN}`; without SERVICE_DOMAIN the only one.
 * @throws Problem `not_found` for a host that is nobody's.
 */
export async function resolveHost({ db, settings }: Deps, { host }: { host: string }): Promise<string> {
  const id = settings.SERVICE_DOMAIN === undefined ? await people.onlyInstance(db) : await people.instanceByHost(db, split(host, settings.SERVICE_DOMAIN));
  if (id === undefined) throw Problem.notFound('host');
  return id;
}

function split(host: string, serviceDomain: string): { customDomain: string; slug: string | undefined } {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  const suffix = `.${serviceDomain}`;
  return { customDomain: name, slug: name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined };
}
