import type { Log } from '@sheaf/runtime';
import type { PaymentRow } from './payments.queries';

/** The provider's event about one checkout. */
export interface CheckoutEvent {
  /** `processing`: the respondent is done and the money is on its way; this may take days and may still fail. */
  kind: 'paid' | 'processing' | 'failed' | 'expired';
  /** The provider's event id, for the log. */
  id: string;
  sessionId: string;
  /** The id that we gave the provider, or any value set by another user of the same account. */
  submissionId: string | undefined;
  amount: number | null;
  currency: string | null;
  /** The provider's reference for the money itself. */
  reference: string | undefined;
}

export interface PaymentProvider {
  /**
   * Creates the checkout of a payment; repeated calls return the same one.
   * @throws Problem `unavailable` if the provider cannot be reached, `internal_error` if it rejects the request.
   */
  openCheckout(payment: PaymentRow, instanceId: string): Promise<{ sessionId: string; url: string }>;

  /**
   * Verifies and parses an event; undefined if its kind is irrelevant here.
   * @throws Problem `bad_request` if the provider did not sign these bytes, or signed them too long ago.
   */
  readEvent(body: Buffer, signature: string, receivedAt: Date): Promise<CheckoutEvent | undefined>;
}

/** The dependencies for collecting payments; a deployment without payments has none. */
export interface Payments {
  provider: PaymentProvider;
  log: Log;
}
