// Checks whether a registry has an image, through its HTTP API (the OCI distribution specification). Needs no Docker engine.

/**
 * @param {string} image `host[:port]/path:tag`
 * @param {{ user?: string, password?: string }} [login] credentials; anonymous if empty
 * @returns {Promise<boolean>}
 * @throws Error for every status except 200 and 404: a failed lookup must not count as a missing image.
 */
export async function hasImage(image, login = {}) {
  const [, host, path, tag] = /^([^/]+)\/(.+):([^:/]+)$/.exec(image) ?? [];
  if (tag === undefined) throw new Error(`${image} is not of the form host/path:tag.`);
  // Same rule as Docker: plain HTTP for this machine only.
  const scheme = /^(?:localhost|127\.0\.0\.1)(?::|$)/.test(host) ? 'http' : 'https';
  const url = `${scheme}://${host}/v2/${path}/manifests/${tag}`;
  const requestManifest = (authorization) =>
    fetch(url, {
      method: 'HEAD',
      headers: { accept: manifestTypes, ...(authorization ? { authorization } : {}) },
      signal: AbortSignal.timeout(30_000),
    });

  let response = await requestManifest();
  if (response.status === 401)
    response = await requestManifest(await authorizationFor(response.headers.get('www-authenticate') ?? '', path, login));
  if (response.status === 200) return true;
  if (response.status === 404) return false;
  throw new Error(`${host} answered ${response.status} to a request for ${path}:${tag}.`);
}

const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** Answers the registry's challenge: with a token, fetched with the login, or with the login itself. */
async function authorizationFor(challenge, path, { user, password }) {
  const basic = user ? `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` : undefined;
  const [scheme = '', ...rest] = challenge.split(' ');
  if (scheme.toLowerCase() !== 'bearer') return basic;

  const parameters = Object.fromEntries([...rest.join(' ').matchAll(/\b(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
  const url = new URL(parameters.realm);
  if (parameters.service) url.searchParams.set('service', parameters.service);
  url.searchParams.set('scope', parameters.scope ?? `repository:${path}:pull`);
  const response = await fetch(url, { headers: basic ? { authorization: basic } : {}, signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`${url.host} answered ${response.status} to a request for a token.`);
  const { token, access_token: accessToken } = await response.json();
  return `Bearer ${token ?? accessToken}`;
}
