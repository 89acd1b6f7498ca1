import type { WebhookOptions, WebhookSignature } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { SubscriptionRow } from '../subscription/subscriptions.queries';

type Sealed = NonNullable<WebhookOptions['headers']>[number];

/** A header as somebody wants it; without a value it keeps the present one. */
export interface WantedHeader {
  name: string;
  sealed?: string | undefined;
}

/**
 * The headers of a webhook after a change. A value goes only to the origin that it was given for: otherwise whoever may change the address could
 * have secrets sent to themselves that nobody is shown.
 * @throws Problem `bad_request` that names the header whose value is missing.
 */
export function mergeHeaders(
  before: Pick<SubscriptionRow, 'url' | 'options'>,
  url: string,
  wanted: readonly WantedHeader[] | undefined,
): Sealed[] {
  const present = before.options?.headers ?? [];
  const valueOf = new Map(present.map(({ name, sealed }) => [name.toLowerCase(), sealed]));
  const isElsewhere = new URL(url).origin !== new URL(before.url).origin;
  return (wanted ?? present.map(({ name }): WantedHeader => ({ name }))).map(
    ({ name, sealed = valueOf.get(name.toLowerCase()), ...given }) => {
      if (sealed === undefined) throw Problem.badRequest(`headers: ${name}: the value is required, because the webhook has no such header`);
      if (isElsewhere && sealed === valueOf.get(name.toLowerCase()))
        throw Problem.badRequest(`headers: ${name}: the value is required again, because target_url has another origin`);
      return { ...given, name, sealed };
    },
  );
}

type Secret = NonNullable<WebhookOptions['secrets']>[number];

/** A day: as long as the previous key of an instance signs too, by default. */
const overlapMs = 86_400_000;

export interface WantedSecret {
  signature?: WebhookSignature | undefined;
  new_secret?: boolean | undefined;
  /** As `delivery` made and sealed it. */
  sealed_secret?: string | undefined;
}

/**
 * The secrets of a webhook after a change, the latest first: none for `v1a`.
 * @throws Problem `bad_request`; `conflict` while the previous secret is valid: a third one would sign each request too.
 */
export function mergeSecrets(
  before: Pick<SubscriptionRow, 'options'>,
  { signature = signatureOf(before), new_secret: isNewWanted = false, sealed_secret: sealed }: WantedSecret,
  now: Date,
): Secret[] {
  const present = before.options?.secrets ?? [];
  if (signature === 'v1a') {
    if (isNewWanted) throw Problem.badRequest('new_secret: needs the signature v1');
    return [];
  }
  const [latest] = present;
  if (latest && !isNewWanted) return present;
  const until = previousSecretUntil(before, now);
  if (latest && until !== undefined) throw Problem.conflict(`new_secret: the previous secret is valid until ${until}`);
  if (sealed === undefined) throw Problem.badRequest('sealed_secret: is required');
  return [{ sealed }, ...(latest ? [{ sealed: latest.sealed, retires_at: new Date(now.getTime() + overlapMs).toISOString() }] : [])];
}

export const signatureOf = ({ options }: Pick<SubscriptionRow, 'options'>): WebhookSignature =>
  (options?.secrets ?? []).length === 0 ? 'v1a' : 'v1';

/** Until when the previous secret signs too; undefined if there is none. */
export const previousSecretUntil = ({ options }: Pick<SubscriptionRow, 'options'>, now: Date): string | undefined =>
  options?.secrets?.find(({ retires_at: until }) => until !== undefined && new Date(until) > now)?.retires_at;

/** The options with these parts; null if that leaves none. */
export function optionsWith(
  options: WebhookOptions | null,
  {
    headers,
    secrets,
    ...choice
  }: { headers: readonly Sealed[]; secrets: readonly Secret[] } & Pick<WebhookOptions, 'filter' | 'fields' | 'batch'>,
): WebhookOptions | null {
  const { headers: _, secrets: __, filter: ___, fields: ____, batch: _____, ...others } = options ?? {};
  const all = {
    ...others,
    ...(headers.length === 0 ? {} : { headers: [...headers] }),
    ...(secrets.length === 0 ? {} : { secrets: [...secrets] }),
    ...choice,
  };
  return Object.keys(all).length === 0 ? null : all;
}
