import type { Payment } from '@sheaf/contracts';

/** The payment of a draft or a version, from the JSON text that it is kept as. */
export const readPayment = (json: string | null): Payment | undefined => (json === null ? undefined : (JSON.parse(json) as Payment));
