import type { WebhookOptions } from '@sheaf/contracts';
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

/** The options with these headers; null if that leaves none. */
export function withHeaders(options: WebhookOptions | null, headers: readonly Sealed[]): WebhookOptions | null {
  const { headers: _, ...others } = options ?? {};
  const all = headers.length === 0 ? others : { ...others, headers: [...headers] };
  return Object.keys(all).length === 0 ? null : all;
}
