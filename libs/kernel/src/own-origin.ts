const webPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Where a deployment is reached, as far as somebody knows. */
export interface Reachable {
  /** Its ports beside those of the web. */
  ports: readonly string[];
  isOwnHost: (name: string) => boolean | Promise<boolean>;
}

/** Whether a URL leads to the deployment itself. Another program may listen at another port of the same host. */
export function isOwnOrigin(url: URL, { ports, isOwnHost }: Reachable): boolean | Promise<boolean> {
  const port = portOf(url);
  return (Object.values(webPorts).includes(port) || ports.includes(port)) && isOwnHost(hostNameOf(url));
}

export const portOf = ({ port, protocol }: URL): string => (port === '' ? (webPorts[protocol] ?? '') : port);

/** Without the dot that ends an absolute name. */
export const hostNameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '');
