import { readWebhookOptions, type WebhookOptions } from '@sheaf/contracts';

export interface ToldOptions {
  /** Null for none; undefined if an earlier version of `hooks` does not tell, or a later one tells what this version does not know. */
  options: WebhookOptions | null | undefined;
  /** Whether it has options that are known, so that the state that goes with them counts. */
  isKnown: boolean;
}

/** The options of a subscription in JSON, as `hooks` tells them. One whose options this version does not know stays switched off to it. */
export function toldOptions(json: string | undefined): ToldOptions {
  if (json === undefined) return { options: undefined, isKnown: false };
  try {
    const options = readWebhookOptions(json);
    return { options, isKnown: options !== null };
  } catch {
    return { options: undefined, isKnown: false };
  }
}
