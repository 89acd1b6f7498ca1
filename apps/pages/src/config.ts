import { verifyingSettings } from '@sheaf/rpc';
import { address, list, port, ProcessConfig, whole } from '@sheaf/runtime';
import { z } from 'zod';

/** 256 random bits or more, so that nobody can guess the keys that are derived from them. */
const secret = z.string().regex(/^[\w-]{43,}$/, 'must be a list of secrets, each at least 32 random bytes in base64url');

export const Config = ProcessConfig.extend({
  ...verifyingSettings,
  PORT: port().default(8_080),
  FORMS_ADDR: address(),
  SUBMISSIONS_ADDR: address(),
  /** Shared by all copies. The first signs what a page carries for its next request; all of them verify, for a rotation. */
  PAGES_SECRETS: list().pipe(z.tuple([secret], secret, 'must name at least one secret')),
  /** How long a page may wait for the services. It is shorter than the gateway waits, so that a respondent gets a page in any case. */
  REQUEST_TIMEOUT_MS: whole(100, 60_000).default(4_500),
  /** The sites at which respondents may pay: the origins of the payment provider's pages. */
  PAYMENT_PAGE_ORIGINS: list()
    .pipe(z.array(z.url({ protocol: /^https?$/, error: 'must be a list of origins' }).transform((url) => new URL(url).origin)))
    .default(['https://checkout.stripe.com']),
});

export type Config = z.output<typeof Config>;
