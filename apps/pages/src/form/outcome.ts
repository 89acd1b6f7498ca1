import type { View } from '@sheaf/form-view';
import type { Entered } from './entered';
import type { Findings } from './views';

/** A step of the form, or the check of the answers, as a respondent sees it: what was entered, and what the page says about it. */
export interface Place {
  status: number;
  entered: Entered;
  step: number | 'check';
  findings: Findings;
  /** The question to begin with. */
  focus?: string | undefined;
}

/** How a request ends: with a page, or somewhere else. An untouched page is HTML already, because it is remembered as such. */
export type Ending =
  | { status: number; view: View; retryAfterSeconds?: number | undefined }
  | { untouched: string | Buffer; language: string }
  | { redirect: string }
  /** The browser sends the same page once more, there. */
  | { resend: string };

/** A place has an address of its own, to which a request that sends something leads. */
export type Outcome = Ending | { place: Place };

export const page = (status: number, view: View, retryAfterSeconds?: number): Ending => ({ status, view, retryAfterSeconds });
