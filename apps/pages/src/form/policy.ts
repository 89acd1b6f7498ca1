import type { OpenForm } from './known-forms';

/**
 * The Content-Security-Policy of a form's pages. Browsers apply `form-action` to redirects as well, so it names the sites to which sending the
 * form may lead.
 */
export function formPolicy({ settings, payment }: Pick<OpenForm, 'settings' | 'payment'>, paymentOrigins: readonly string[]): string {
  const onward = settings.thank_you?.redirect_url;
  const destinations = [...(payment ? paymentOrigins : []), ...(onward === undefined ? [] : [new URL(onward).origin])];
  const framing = framingOf(settings);
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "script-src 'self'",
    "worker-src 'self'",
    `form-action ${["'self'", ...destinations].join(' ')}`,
    "base-uri 'none'",
    `frame-ancestors ${framing}`,
  ].join('; ');
}

function framingOf({ embed_origins: origins }: OpenForm['settings']): string {
  if (origins === undefined) return '*';
  return origins.length === 0 ? "'none'" : ["'self'", ...origins].join(' ');
}
