import type { Log } from '@sheaf/runtime';
import type { PaymentRow } from './payments.queries';

/** Something that the provider tells about one checkout. */
export interface CheckoutEvent {
  /** `processing`: the respondent is done and the money is on its way, which may take days and may still fail. */
  kind: 'paid' | 'processing' | 'failed' | 'expired';
  /** The provider's, for the log. */
  id: string;
  sessionId: string;
  /** As we gave it to the provider, or whatever somebody else did who uses the same account. */
  submissionId: string | undefined;
  amount: number | null;
  currency: string | null;
  /** What the provider calls the money itself. */
  reference: string | undefined;
}

export interface PaymentProvider {
  /**
   * Makes the checkout of a payment; asked again, it gives the same one.
   * @throws Problem `unavailable` if the provider cannot be reached, `internal_error` if it will not have it.
   */
  openCheckout(payment: PaymentRow, instanceId: string): Promise<{ sessionId: string; url: string }>;

  /**
   * Reads an event, if it is of a kind that matters here.
   * @throws Problem `bad_request` if the provider has not signed these bytes, or long ago.
   */
  readEvent(body: Buffer, signature: string, receivedAt: Date): Promise<CheckoutEvent | undefined>;
}

/** What collecting payments needs; a deployment without them has none. */
export interface Payments {
  provider: PaymentProvider;
  log: Log;
}
