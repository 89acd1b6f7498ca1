import type { Delivery, FinishedDeliveryState, Redelivered, RedeliverRequest } from '@sheaf/client';

/** Everything of a webhook from one delivery on that is sent again in steps, as the address keeps it. */
export interface Resend {
  webhook: string;
  from: string;
  /** Fixed when it is asked for, so that it comes to an end. */
  to: string;
  /** Undefined for all that are not waiting. */
  state: FinishedDeliveryState | undefined;
  /** The place of the next step; undefined before the first one. */
  cursor: string | undefined;
}

const separator = '~';

export const addressOf = ({ webhook, from, to, state, cursor }: Resend): string =>
  [webhook, from, to, state ?? '', cursor ?? ''].join(separator);

/** @returns undefined for a text that is no such address */
export function resendOf(address: string): Resend | undefined {
  const [webhook, from, to, state, cursor, ...more] = address.split(separator);
  if (!webhook || !from || !to || state === undefined || cursor === undefined || more.length > 0) return undefined;
  return { webhook, from, to, state: state === 'failed' ? state : undefined, cursor: cursor === '' ? undefined : cursor };
}

/** From this delivery on. Its id begins with the milliseconds at which it was planned, by which the server selects. */
export const resendFrom = ({ id, subscription_id: webhook }: Pick<Delivery, 'id' | 'subscription_id'>, now: Date): Resend => ({
  webhook,
  from: new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString(),
  to: now.toISOString(),
  state: 'failed',
  cursor: undefined,
});

/** The most that the server takes at once. */
const limit = 1_000;

/** The question for the server, for one step. */
export const stepOf = ({ webhook, from, to, state, cursor }: Resend): RedeliverRequest => ({
  from,
  to,
  limit,
  subscription_id: webhook,
  ...(state === undefined ? {} : { state }),
  ...(cursor === undefined ? {} : { cursor }),
});

interface Steps {
  send: (resend: Resend) => Promise<Redelivered>;
  onStep: (resend: Resend, redelivered: number) => void;
  /** While more deliveries wait than the server takes. */
  pause: () => Promise<void>;
  isStopped: () => boolean;
}

/** Sends step by step until nothing is left or somebody stops it. @returns whether nothing is left. An error leaves the last cursor to `onStep`. */
export async function sendSteps(first: Resend, { send, onStep, pause, isStopped }: Steps): Promise<boolean> {
  let resend = first;
  while (!isStopped()) {
    const { redelivered, next_cursor: next } = await send(resend);
    if (next == null) {
      onStep(resend, redelivered);
      return true;
    }
    resend = { ...resend, cursor: next };
    onStep(resend, redelivered);
    if (redelivered === 0) await pause();
  }
  return false;
}
