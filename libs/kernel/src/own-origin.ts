const webPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** The ports and hosts at which a deployment is known to be reachable. */
export interface Reachable {
  /** Its ports in addition to 80 and 443. */
  ports: readonly string[];
  isOwnHost: (name: string) => boolean | Promise<boolean>;
}

/** Whether a URL leads to the deployment itself. Other ports of the same host may belong to other programs. */
export function isOwnOrigin(url: URL, { ports, isOwnHost }: Reachable): boolean | Promise<boolean> {
  const port = portOf(url);
  return (Object.values(webPorts).includes(port) || ports.includes(port)) && isOwnHost(hostNameOf(url));
}

export const portOf = ({ port, protocol }: URL): string => (port === '' ? (webPorts[protocol] ?? '') : port);

/** The host name without the trailing dot of an absolute name. */
export const hostNameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '');
