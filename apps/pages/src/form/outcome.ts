import type { View } from '@sheaf/form-view';

/** How a request ends: with a page, or somewhere else. An untouched page is HTML already, because it is remembered as such. */
export type Outcome =
  | { status: number; view: View; retryAfterSeconds?: number | undefined }
  | { untouched: string | Buffer; language: string }
  | { redirect: string };

export const page = (status: number, view: View, retryAfterSeconds?: number): Outcome => ({ status, view, retryAfterSeconds });
