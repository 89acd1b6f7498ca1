import type { WebhookOptions } from '@sheaf/contracts';
import type { Excerpt, Outcome } from '@sheaf/egress';
import type { Seals } from '../keys/seals';

/** In place of a value wherever people look. */
export const hiddenValue = '••••••';

/** The headers of a webhook's own. `values` go to the receiver and nowhere else; `shown` is for the log. */
export interface OwnHeaders {
  values: Record<string, string>;
  shown: Record<string, string>;
}

export const noHeaders: OwnHeaders = { values: {}, shown: {} };

/** The purpose for which the value of a header is sealed. */
export const purposeOf = (name: string): string => `header ${name.toLowerCase()}`;

export async function openHeaders(
  { seals }: { seals: Pick<Seals, 'open'> },
  { instance_id: instanceId, options }: { instance_id: string; options: WebhookOptions | null },
): Promise<OwnHeaders> {
  const headers = options?.headers ?? [];
  const opened = await Promise.all(
    headers.map(async ({ name, sealed }) => [name, await seals.open(instanceId, purposeOf(name), sealed)] as const),
  );
  return { values: Object.fromEntries(opened), shown: Object.fromEntries(headers.map(({ name }) => [name, hiddenValue])) };
}

/** A receiver may repeat what it was sent: `unknown token 5f2b…`. The log keeps its response without the values of headers. */
export function withoutValues(outcome: Outcome, { values }: OwnHeaders): Outcome {
  if (!('response' in outcome) || outcome.response === undefined) return outcome;
  const secrets = secretsIn(Object.values(values));
  return secrets.length === 0 ? outcome : { ...outcome, response: outcome.response.then((said) => said && hidden(said, secrets)) };
}

/** Very short values stand in every text, and give nothing away. */
const shortest = 4;

/**
 * Each value, and its words: of `Bearer 5f2b…` a receiver may repeat the second one. Also as they stand in JSON and in addresses, as receivers that echo
 * requests quote them. The longest first, as one may contain another.
 */
const secretsIn = (values: readonly string[]): string[] =>
  [...new Set(values.flatMap((value) => [value, ...value.split(' ')]).flatMap(quoted))]
    .filter((text) => text.length >= shortest)
    .sort((a, b) => b.length - a.length);

const quoted = (text: string): string[] => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)];

function hidden(said: Excerpt, secrets: readonly string[]): Excerpt {
  const hide = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, hiddenValue), text);
  // A value that the end of the excerpt cuts in two would stand there in part.
  const text = said.isCut ? withoutBeginning(said.text, secrets) : said.text;
  return {
    ...said,
    text: hide(text),
    ...(said.contentType === undefined ? {} : { contentType: hide(said.contentType) }),
    ...(said.headers === undefined
      ? {}
      : {
          headers: Object.fromEntries(Object.entries(said.headers).map(([name, value]) => [name, hide(withoutBeginning(value, secrets))])),
        }),
    ...(said.location === undefined ? {} : { location: hide(said.location) }),
  };
}

function withoutBeginning(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) {
    for (let length = Math.min(secret.length - 1, text.length); length >= shortest; length--)
      if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}${hiddenValue}`;
  }
  return text;
}
