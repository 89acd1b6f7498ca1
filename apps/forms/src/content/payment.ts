import type { Payment } from '@sheaf/contracts';

/** Parses the stored payment of a draft or version. */
export const readPayment = (json: string | null): Payment | undefined => (json === null ? undefined : (JSON.parse(json) as Payment));
