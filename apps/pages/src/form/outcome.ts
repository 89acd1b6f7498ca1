import type { View } from '@sheaf/form-view';

/** How a request ends: with a page, or somewhere else. */
export type Outcome = { status: number; view: View; retryAfterSeconds?: number | undefined } | { redirect: string };

export const page = (status: number, view: View, retryAfterSeconds?: number): Outcome => ({ status, view, retryAfterSeconds });
