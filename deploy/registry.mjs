// Whether a registry has an image already, by its HTTP API (the OCI distribution specification). Needs no Docker engine.
/* global AbortSignal */

/**
 * @param {string} image `host[:port]/path:tag`
 * @param {{ user?: string, password?: string }} [login] who may read there; nobody means anonymously
 * @returns {Promise<boolean>}
 * @throws Error for every answer but yes and no: an image that could not be looked up must not count as missing.
 */
export async function hasImage(image, login = {}) {
  const [, host, path, tag] = /^([^/]+)\/(.+):([^:/]+)$/.exec(image) ?? [];
  if (tag === undefined) throw new Error(`${image} is not of the form host/path:tag.`);
  // As Docker does: this machine may speak plain HTTP, everybody else may not.
  const scheme = /^(?:localhost|127\.0\.0\.1)(?::|$)/.test(host) ? 'http' : 'https';
  const url = `${scheme}://${host}/v2/${path}/manifests/${tag}`;
  const ask = (authorization) =>
    fetch(url, {
      method: 'HEAD',
      headers: { accept: manifestTypes, ...(authorization ? { authorization } : {}) },
      signal: AbortSignal.timeout(30_000),
    });

  let answer = await ask();
  if (answer.status === 401) answer = await ask(await authorizationFor(answer.headers.get('www-authenticate') ?? '', path, login));
  if (answer.status === 200) return true;
  if (answer.status === 404) return false;
  throw new Error(`${host} answered ${answer.status} when it was asked for ${path}:${tag}.`);
}

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** Answers the registry's challenge: a token of its own, for which it wants to see the login, or the login itself. */
async function authorizationFor(challenge, path, { user, password }) {
  const basic = user ? `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` : undefined;
  const [, scheme = '', rest = ''] = /^(\w+)\s*(.*)$/.exec(challenge) ?? [];
  if (scheme.toLowerCase() !== 'bearer') return basic;

  const parameters = Object.fromEntries([...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  const url = new URL(parameters.realm);
  if (parameters.service) url.searchParams.set('service', parameters.service);
  url.searchParams.set('scope', parameters.scope ?? `repository:${path}:pull`);
  const answer = await fetch(url, { headers: basic ? { authorization: basic } : {}, signal: AbortSignal.timeout(30_000) });
  if (!answer.ok) throw new Error(`${url.host} answered ${answer.status} when it was asked for a token.`);
  const { token, access_token: other } = await answer.json();
  return `Bearer ${token ?? other}`;
}
