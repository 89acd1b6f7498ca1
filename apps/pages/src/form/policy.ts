import { isEnding } from '@sheaf/contracts';
import type { OpenForm } from './known-forms';

/**
 * The Content-Security-Policy of a form's pages. Browsers apply `form-action` to redirects as well, so it names the sites to which sending the
 * form may lead.
 */
export function formPolicy(
  { settings, payment, items }: Pick<OpenForm, 'settings' | 'payment' | 'items'>,
  paymentOrigins: readonly string[],
): string {
  const onward = [settings.thank_you, ...items.filter(isEnding)].flatMap((end) => end?.redirect_url ?? []);
  const destinations = new Set([...(payment ? paymentOrigins : []), ...onward.map((url) => new URL(url).origin)]);
  return policy(destinations, framingOf(settings));
}

/**
 * The policy of an embedded page whose form is not known, so that its frame shows what went wrong. Every site may frame it: it says nothing
 * about a form, its only button repeats what the same request posted, and without cookies a site could post that by itself.
 */
export const embeddedMessagePolicy = (): string => policy([], '*');

const policy = (destinations: Iterable<string>, framing: string): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "script-src 'self'",
    "worker-src 'self'",
    `form-action ${["'self'", ...destinations].join(' ')}`,
    "base-uri 'none'",
    `frame-ancestors ${framing}`,
  ].join('; ');

function framingOf({ embed_origins: origins }: OpenForm['settings']): string {
  if (origins === undefined) return '*';
  return origins.length === 0 ? "'none'" : ["'self'", ...origins].join(' ');
}
