import { Problem } from '@sheaf/kernel';
import type { Deps } from '../deps';
import * as people from '../people/people.queries';
import { provenOrigin } from './link-origin';

export interface Resolved {
  id: string;
  isNamed: boolean;
  linkOrigin: string | undefined;
}

/**
 * Finds the instance for a `Host` header: by its custom domain, else by `{workspace slug}.{SERVICE_DOMAIN}`. Without SERVICE_DOMAIN it is
 * the only instance, and `linkOrigin` is where its links lead, if that is known.
 * @throws Problem `not_found` for an unknown host.
 */
export async function resolveHost(
  { db, settings }: { db: Deps['db']; settings: Pick<Deps['settings'], 'SERVICE_DOMAIN' | 'PUBLIC_URL'> },
  { host }: { host: string },
): Promise<Resolved> {
  const name = nameIn(host);
  if (settings.SERVICE_DOMAIN === undefined) {
    const only = await people.onlyInstance(db);
    if (!only) throw Problem.notFound('host');
    const linkOrigin = settings.PUBLIC_URL ?? (await provenOrigin(db, only.id));
    return { id: only.id, isNamed: only.custom_domain === name, linkOrigin };
  }
  const suffix = `.${settings.SERVICE_DOMAIN}`;
  const id = await people.instanceByHost(db, {
    customDomain: name,
    slug: name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined,
  });
  if (id === undefined) throw Problem.notFound('host');
  return { id, isNamed: true, linkOrigin: undefined };
}

const nameIn = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
