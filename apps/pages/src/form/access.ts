import { accessFaultIn, accessPassMs, accessText } from '@sheaf/contracts';
import type { AccessPage, View } from '@sheaf/form-view';
import { Problem, urlIn } from '@sheaf/kernel';
import { formPassCookie } from '@sheaf/rpc';
import type { CookieOptions, Request, Response } from 'express';
import { gone } from './gone';
import { page, type Ending } from './outcome';
import { readPosted, type Posted } from './posted';
import { isFromUs, isOurs, provenControls } from './provenance';
import { frameOf, hrefOf, type Deps, type Visit } from './visit';

/** The controls of the page that asks for the code. Those of a page that waits for the code travel along, whose names they must not be. */
const own = { code: 'access_code', to: 'access_to', waits: 'access_waits' } as const;
const isOwn = (name: string): boolean => Object.values<string>(own).includes(name);

const longestCode = 100;

type Hidden = AccessPage['hidden'];

interface Wanted {
  /** The address to which the code leads. */
  to: string;
  /** The controls of a page that was sent without a code, which is sent again after it. */
  kept?: Hidden | undefined;
  fault?: AccessPage['fault'];
  status?: number;
  retryAfterSeconds?: number | undefined;
}

/** The page that asks for the code of a form. It tells nothing of the form. */
export function askForCode(deps: Deps, visit: Visit, { to, kept, fault, status = 403, retryAfterSeconds }: Wanted): Ending {
  const view: View = {
    ...frameOf(deps, visit),
    kind: 'access',
    action: `${visit.path}/access${visit.hasLanguage ? `?lang=${encodeURIComponent(visit.language)}` : ''}`,
    hidden: [[own.to, to], ...(kept ? [[own.waits, '1'] as const, ...unsent(kept)] : [])],
    fault,
    hasAnswers: kept !== undefined,
    // Answers that wait would be lost in another window; a frame that has shown the form before may well keep cookies.
    inWindow: visit.isEmbedded && kept === undefined ? withoutFrame(to) : undefined,
  };
  return page(status, view, retryAfterSeconds);
}

/**
 * The address to which the code leads from one that was asked for without it. The browser says of all that follows the code that our page led there, so an
 * address that somebody passed on leads to the first page; with the pass, it opens as such.
 */
export const targetAfterCode = (visit: Visit, request: Request, address: string): string =>
  isFromUs(request) || pathOf(address) === visit.path ? address : hrefOf(visit);

/**
 * Takes the code that a respondent entered, and leads on to where they wanted to go. Answers that were sent without it are shown once more, and sent
 * by the respondent.
 * @throws Problem `not_found` if no answers wait
 */
export async function enterCode(
  deps: Deps,
  visit: Visit,
  { request, response, form }: { request: Request; response: Response; form: string },
): Promise<Ending> {
  const posted = await readPosted(request, () => Promise.resolve());
  const to = targetAfterCode(visit, request, targetOf(visit, posted));
  const kept = posted.get(own.waits) === '1' ? provenControls(deps, visit, { request, form, posted }) : undefined;
  const code = (posted.get(own.code) ?? '').trim();
  if (code === '' || code.length > longestCode) return askForCode(deps, visit, { to, kept, fault: 'wrong' });
  try {
    const { id, pass } = await deps.submissions.getIntakeForm({ ...visit.asked.call, access: accessText({ code }) }, { form });
    if (pass !== undefined) keepPass(response, visit, { id, pass });
  } catch (thrown) {
    const { code: why, details, retryAfterSeconds } = Problem.from(thrown);
    if (accessFaultIn(details)) return askForCode(deps, visit, { to, kept, fault: 'wrong' });
    if (why === 'too_many_requests') return askForCode(deps, visit, { to, kept, fault: 'too_many', status: 429, retryAfterSeconds });
    if (why === 'unavailable')
      return askForCode(deps, visit, { to, kept, fault: 'unavailable', status: 503, retryAfterSeconds: retryAfterSeconds ?? 5 });
    if (why === 'internal_error') return askForCode(deps, visit, { to, kept, fault: 'unavailable', status: 500 });
    if (why === 'not_found' && kept && isOurs(deps, visit, form, posted, request)) return page(404, gone(deps, visit, posted));
    throw thrown;
  }
  return kept ? { resend: to } : { redirect: to };
}

/** A page that waits, without the button that sends: the respondent sees their answers again, and decides. */
const unsent = (kept: Hidden): Hidden => [...kept.filter(([name]) => !isOwn(name) && name !== 'do'), ['do', 'stay'] as const];

/** Always a page of this form, so that the code leads nobody to another site. */
function targetOf({ path, asked }: Visit, posted: Posted): string {
  const to = posted.get(own.to) ?? path;
  const address = urlIn(to, asked.origin);
  const isHere = address?.origin === asked.origin && `${address.pathname}/`.startsWith(`${path}/`);
  return isHere ? `${address.pathname}${address.search}` : path;
}

const pathOf = (address: string): string => new URL(address, 'http://host').pathname;

/** The same address as a page of its own. */
function withoutFrame(to: string): string {
  const address = new URL(to, 'http://host');
  address.searchParams.delete('embed');
  return `${address.pathname}${address.search}`;
}

/**
 * The browser keeps the pass for the pages of this form alone, under both of their names, where no script can read it. It is not sent when another
 * site posts to them or frames them.
 */
function keepPass(response: Response, { path, asked }: Visit, { id, pass }: { id: string; pass: string }): void {
  const isSecure = asked.origin.startsWith('https:');
  const attributes: CookieOptions = { httpOnly: true, sameSite: 'lax', secure: isSecure, maxAge: accessPassMs };
  for (const each of new Set([path, `/f/${id}`])) response.cookie(formPassCookie(isSecure), pass, { ...attributes, path: each });
}
