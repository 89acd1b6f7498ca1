import { Problem } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as people from '../people/people.queries';

/**
 * Finds the instance for a `Host` header: by its custom domain, else by `{workspace slug}.{SERVICE_DOMAIN}`. Without SERVICE_DOMAIN it is
 * the only instance.
 * @throws Problem `not_found` for an unknown host.
 */
export async function resolveHost({ db, settings }: Deps, { host }: { host: string }): Promise<{ id: string; isNamed: boolean }> {
  const name = nameIn(host);
  if (settings.SERVICE_DOMAIN === undefined) {
    const only = await people.onlyInstance(db);
    if (!only) throw Problem.notFound('host');
    return { id: only.id, isNamed: only.custom_domain === name };
  }
  const suffix = `.${settings.SERVICE_DOMAIN}`;
  const id = await people.instanceByHost(db, {
    customDomain: name,
    slug: name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined,
  });
  if (id === undefined) throw Problem.notFound('host');
  return { id, isNamed: true };
}

const nameIn = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
