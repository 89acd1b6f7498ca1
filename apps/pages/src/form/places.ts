import type { KeptFile, Notice, StepView } from '@sheaf/form-view';
import type { Request } from 'express';
import { z } from 'zod';
import { answersIn, changedForm } from './changed-form';
import { inLanguage, readEntered } from './entered';
import { page, type Ending, type Outcome, type Place } from './outcome';
import { clientOf, isOpenedElsewhere, opensFor } from './provenance';
import { sentBefore } from './send';
import { check, closed, firstStep, questions, shownAnswers, visibleSteps } from './views';
import { hrefOf, type Deps, type FormVisit } from './visit';

/** Proxies commonly take the headers of a response up to 4,096 bytes, and there are others beside the address. */
const maxLength = 3_000;
/** Answers that a page keeps come back with a request, which may not have much more. */
const maxKeptLength = 1_500_000;

const Fault = z.object({
  key: z.string(),
  code: z.string(),
  params: z.record(z.string(), z.union([z.number(), z.string()])),
  file: z.string().optional(),
  message: z.string(),
});

const Sealed = z.object({
  /** For whom the address was made. Addresses from before this was known open only where the browser says that it comes from the form. */
  client: z.string().optional(),
  version: z.number(),
  language: z.string(),
  status: z.number(),
  step: z.union([z.number(), z.literal('check')]),
  token: z.string(),
  started: z.string(),
  values: z.array(z.tuple([z.string(), z.array(z.string())])),
  files: z.array(z.tuple([z.string(), z.array(z.object({ id: z.string(), name: z.string(), size: z.number() }))])),
  refused: z.array(Fault),
  isSaved: z.boolean(),
  savesAs: z.string().optional(),
  hasBegun: z.boolean(),
  furthest: z.number().optional(),
  isConfirmed: z.boolean(),
  faults: z.array(Fault).optional(),
  notice: z.custom<Notice>((notice) => typeof notice === 'string').optional(),
  dropped: z.array(z.object({ label: z.string(), value: z.string() })).optional(),
  receipt: z.string().optional(),
  checked: z.string().optional(),
  begin: z.string().optional(),
});

/**
 * Leads to the address of a place, which holds all that was entered, encrypted: Back, Forward and Reload show it again, and nothing is kept
 * here. If the address would be too long, the page itself is the answer, and keeps the same for its script; if the browser would not be
 * recognized there, it is just the answer.
 */
export function goTo(deps: Deps, visit: FormVisit, request: Request, place: Place): Ending {
  const { form, language } = visit;
  const { status, entered, step, findings, focus } = place;
  const { token, started, isSaved, savesAs, hasBegun, furthest, isConfirmed } = entered;
  const content = {
    client: clientOf(visit, request),
    version: form.version,
    language,
    ...{ status, step, token, started, isSaved, savesAs, hasBegun, furthest, isConfirmed },
    values: [...entered.values],
    // Without their tokens, which are long: whatever we sealed, we can sign again.
    files: [...entered.files].map(([key, files]) => [key, files.map(({ id, name, size }) => ({ id, name, size }))]),
    refused: entered.faults,
    ...findings,
  };
  const sealed = isOpenedElsewhere(request) ? undefined : deps.tokens.sealPlace(form.id, content);
  if (sealed === undefined || sealed.length > maxKeptLength) return page(status, draw(deps, visit, place));
  if (sealed.length > maxLength) return page(status, { ...draw(deps, visit, place), place: sealed });
  // Under the form's id, as everything that follows the first page: the author may change the slug meanwhile.
  const href = hrefOf({ ...visit, path: `/f/${form.id}` }, `/at/${sealed}`);
  return { redirect: focus === undefined ? href : `${href}#f-${focus}` };
}

/** The page of a place. */
export function draw(deps: Deps, visit: FormVisit, { entered, step, findings }: Place): StepView {
  const read = readEntered(visit.form, entered, visit.language);
  if (step === 'check') return check(deps, visit, entered, read, findings);
  const there = visit.form.steps[step];
  return there && visibleSteps(visit, read).includes(there)
    ? questions(deps, visit, entered, read, there, findings)
    : firstStep(deps, visit, entered, findings);
}

/** The notices that say that answers were not sent, which may have changed since. */
const unsent: ReadonlySet<Notice> = new Set<Notice>(['confirm', 'price_changed', 'sent_before', 'send_again']);

/**
 * Shows a place again, by its address or by what its page kept. A person who was only given that gets the form, and none of the answers. If
 * the page would say that the answers were not sent, it asks first whether they were, and leads to their receipt.
 */
export async function show(deps: Deps, visit: FormVisit, request: Request, address: string): Promise<Outcome> {
  const { form, language } = visit;
  const found = Sealed.safeParse(deps.tokens.openPlace(form.id, address)).data;
  if (!found || !opensFor(visit, request, found.client)) return { redirect: hrefOf(visit) };
  const {
    version,
    status,
    step,
    token,
    started,
    refused,
    isSaved,
    savesAs,
    hasBegun,
    furthest,
    isConfirmed,
    faults,
    notice,
    dropped,
    receipt,
    checked,
    begin,
  } = found;
  const values = inLanguage(form, new Map(found.values), found.language, language);
  const files = new Map(
    found.files.map(([field, kept]): [string, KeptFile[]] => [
      field,
      kept.map((file) => ({ ...file, token: deps.tokens.signUpload({ form: form.id, field, ...file }) })),
    ]),
  );
  const entered = { token, started, values, files, faults: refused, isSaved, savesAs, hasBegun, furthest, isConfirmed };
  const earlier = version === form.version ? undefined : { version, values, files };
  if (earlier || form.closedBecause !== undefined || (notice !== undefined && unsent.has(notice))) {
    // Only the check page has all answers, to be compared with those that were sent.
    const answers =
      step !== 'check' ? undefined : earlier ? await answersIn(deps, visit, earlier) : readEntered(form, entered, language).answers;
    const before = await sentBefore(deps, visit, entered, answers);
    // A form that is closed takes no other answers as a new submission.
    if (before && (form.closedBecause === undefined || 'redirect' in before)) return before;
  }
  if (earlier) return changedForm(deps, visit, entered, earlier, { status: 200, from: step, isSent: false });
  if (form.closedBecause !== undefined)
    return page(403, closed(deps, visit, shownAnswers(visit, entered, readEntered(form, entered, language))));
  return { place: { status, step, entered, findings: { faults, notice, dropped, receipt, checked, begin } } };
}
