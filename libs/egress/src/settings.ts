import { isIP } from 'node:net';
import { ConfigError, flag, list } from '@sheaf/runtime';
import { z } from 'zod';
import { Authorities } from './authorities';
import { urlIn } from '@sheaf/kernel';
import type { Rules } from './egress';

/** The targets that webhooks may have: the same for `hooks`, which takes them, and for `delivery`, which calls them. */
export const targetSettings = {
  /** Allows private addresses and plain http. For development only. */
  HOOKS_ALLOW_PRIVATE_TARGETS: flag().default(false),
  /** Origins that may be private, such as `http://automation.internal:5678`. They are called directly, without the proxy. */
  HOOKS_PRIVATE_ORIGINS: list()
    .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must be a list of origins' })))
    .default([]),
  /**
   * For networks in which only the proxy can look up names: hosts that it may look up, such as `hooks.example.com` or `*.example.com`. Then nothing
   * else is called but private origins, because nobody vets the addresses.
   */
  WEBHOOK_PROXY_ALLOW_HOSTS: list()
    .transform((hosts) => hosts.map((host) => host.toLowerCase()))
    .pipe(z.array(z.string().refine(isHostPattern, 'must be a list of host names, each with or without *. before it')))
    .default([]),
};

/** How `delivery` reaches them. */
export const sendingSettings = {
  ...targetSettings,
  /** A proxy that takes CONNECT: `http://proxy.internal:3128`. */
  WEBHOOK_PROXY_URL: z
    .string()
    .refine(isProxyUrl, 'must be http://host:port, without a path; its name and password belong in WEBHOOK_PROXY_CREDENTIALS')
    .optional(),
  /** `name:password` for the proxy. */
  WEBHOOK_PROXY_CREDENTIALS: z
    .string()
    .regex(/^[^:\p{Cc}]+:[^\p{Cc}]*$/u, 'must be name:password')
    .optional(),
  /** A PEM file of authorities that receivers' certificates may be of, besides those that Node trusts. */
  WEBHOOK_CA_FILE: z.string().min(1).optional(),
};

type Targets = z.output<z.ZodObject<typeof targetSettings>>;
type Sending = z.output<z.ZodObject<typeof sendingSettings>>;

function isHostPattern(text: string): boolean {
  const labels = text.replace(/^\*\./, '').split('.');
  return !isIP(text) && labels.every((label) => /^[\w-]{1,63}$/.test(label));
}

function isProxyUrl(text: string): boolean {
  const url = urlIn(text);
  if (!url) return false;
  const { protocol, username, password, pathname, search, hash } = url;
  return protocol === 'http:' && username === '' && password === '' && pathname === '/' && search === '' && hash === '';
}

/** Options of the proxy mean nothing without it. */
export function requireProxy(settings: Sending, context: z.core.$RefinementCtx): void {
  if (settings.WEBHOOK_PROXY_URL !== undefined) return;
  const message = 'needs WEBHOOK_PROXY_URL';
  if (settings.WEBHOOK_PROXY_CREDENTIALS !== undefined) context.addIssue({ code: 'custom', path: ['WEBHOOK_PROXY_CREDENTIALS'], message });
  if (settings.WEBHOOK_PROXY_ALLOW_HOSTS.length > 0) context.addIssue({ code: 'custom', path: ['WEBHOOK_PROXY_ALLOW_HOSTS'], message });
}

export const targetRules = (settings: Targets): Rules => ({
  allowPrivateTargets: settings.HOOKS_ALLOW_PRIVATE_TARGETS,
  privateOrigins: settings.HOOKS_PRIVATE_ORIGINS,
  proxyHosts: settings.WEBHOOK_PROXY_ALLOW_HOSTS,
});

/** @throws ConfigError if the file of authorities cannot be used. */
export function sendingRules(settings: Sending, onFault: (error: unknown) => void): Rules {
  const { WEBHOOK_PROXY_URL: proxy, WEBHOOK_PROXY_CREDENTIALS: credentials, WEBHOOK_CA_FILE: file } = settings;
  return {
    ...targetRules(settings),
    ...(proxy === undefined ? {} : { proxy: proxyAt(proxy, credentials) }),
    ...(file === undefined ? {} : { authorities: authoritiesIn(file, onFault) }),
  };
}

function proxyAt(text: string, credentials: string | undefined) {
  const { hostname, port } = new URL(text);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 80 : Number(port), credentials };
}

function authoritiesIn(file: string, onFault: (error: unknown) => void): Authorities {
  try {
    return new Authorities(file, onFault);
  } catch (error) {
    throw new ConfigError(
      `The configuration is not valid:\n  WEBHOOK_CA_FILE: ${error instanceof Error ? error.message : 'cannot be used'}`,
    );
  }
}
