export const usage = `Usage: SHEAF_KEY=… npx @sheaf/mcp --url https://forms.example.org

Connects an agent to Sheaf over standard input and output, by the Model Context Protocol.

  --url <origin>   the address of Sheaf; SHEAF_URL if absent
  --allow-http     send the key without TLS to another machine of a network that you trust
  --version, --help

SHEAF_KEY is an API key. It is no option, because other users of a machine can see those.
`;

export class UsageError extends Error {}

/** @throws UsageError that says what to give */
export function settingsFrom(
  options: { url?: string | undefined; 'allow-http'?: boolean | undefined },
  environment: Readonly<Record<string, string | undefined>>,
): { url: URL; key: string } {
  const { SHEAF_URL, SHEAF_KEY: key = '' } = environment;
  const address = options.url ?? SHEAF_URL;
  if (address === undefined) throw new UsageError('--url: give the address of Sheaf, such as https://forms.example.org');
  if (!URL.canParse(address)) throw new UsageError('--url: must be an address, such as https://forms.example.org');
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new UsageError('--url: must begin with https:// or http://');
  if (url.protocol === 'http:' && options['allow-http'] !== true && !isThisMachine(url.hostname))
    throw new UsageError('--url: must begin with https://, or everybody on the way could read the key');
  if (!/^[\x21-\x7e]+$/.test(key.trim())) throw new UsageError('SHEAF_KEY: must be set to an API key');
  return { url, key: key.trim() };
}

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
