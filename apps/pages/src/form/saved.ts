import type { KeptFile, Read } from '@sheaf/form-view';
import { Problem } from '@sheaf/kernel';
import type { Request } from 'express';
import { z } from 'zod';
import { inLanguage, type Entered } from './entered';
import { changedForm } from './changed-form';
import { page, type Outcome } from './outcome';
import { isFromUs } from './provenance';
import { sentBefore } from './send';
import { savedName, seal, unseal } from './tokens';
import { closed, message } from './views';
import { authorLanguageOf, frameOf, hrefOf, type Deps, type FormVisit } from './visit';

/** No submission may have longer answers, and showing them takes long. */
const maxLength = 1_200_000;

const Saved = z.object({
  token: z.string(),
  started: z.string(),
  version: z.number(),
  step: z.number(),
  furthest: z.number().optional(),
  /** In which numbers were typed. Answers that were saved without it are read in the form's own language. */
  language: z.string().optional(),
  values: z.array(z.tuple([z.string(), z.array(z.string())])),
  files: z.array(z.tuple([z.string(), z.array(z.object({ id: z.string(), name: z.string(), size: z.number(), token: z.string() }))])),
});

/**
 * Saves what was entered, encrypted so that only the owner of the link can read it. The same page always gets the same link, unless
 * that was opened from elsewhere: then it gets a new one, as others may know the first. The answers keep their page's token, so sending them
 * from two devices still makes one submission.
 * @throws Problem `forbidden` if the form does not offer it, `payload_too_large`, `unavailable`, `too_many_requests`.
 */
export async function saveForLater(
  deps: Deps,
  visit: FormVisit,
  { entered, read, step, begins }: { entered: Entered; read: Read; step: number; begins: boolean },
): Promise<Outcome> {
  // Nothing would erase the answers again.
  const before = await sentBefore(deps, visit, entered, read.answers);
  if (before) return before;
  const token = entered.savesAs ?? entered.token;
  const link = deps.tokens.savedLink(visit.form.id, token);
  const content: z.input<typeof Saved> = {
    token,
    started: entered.started,
    version: visit.form.version,
    step,
    furthest: entered.furthest,
    language: visit.language,
    values: [...entered.values].map(([key, values]) => [key, [...values]]),
    files: [...entered.files].map(([key, files]) => [key, [...files]]),
  };
  if (JSON.stringify(content).length > maxLength) throw new Problem('payload_too_large', 'the answers are too long to be saved');
  const answers = {
    form: visit.form.id,
    name: savedName(link),
    sealed: seal(link, content),
    begins,
    file_ids: [...entered.files.values()].flat().map(({ id }: KeptFile) => id),
  };
  await deps.submissions.saveAnswers(visit.asked.call, answers).catch((thrown: unknown) => {
    const problem = Problem.from(thrown);
    // There is no room for the answers of all respondents together, so shorter ones would not help.
    throw problem.code === 'payload_too_large' ? Problem.unavailable(problem) : problem;
  });
  return { redirect: hrefOf(visit, `/resume/${link}`, [['saved', '1']]) };
}

/** Shows the link under which the answers were saved. */
export async function showSaved(deps: Deps, visit: FormVisit, link: string): Promise<Outcome> {
  const found = await load(deps, visit, link);
  if (!found) return gone(deps, visit);
  return page(200, {
    ...frameOf(deps, visit),
    kind: 'saved',
    link: `${visit.asked.origin}${hrefOf({ ...visit, isEmbedded: false }, `/resume/${link}`)}`,
    expiresAt: found.expiresAt,
  });
}

/**
 * Goes on where the respondent saved their answers, or where somebody else did who gave them the link, which a browser cannot tell from a
 * respondent's own mail.
 */
export async function resume(deps: Deps, visit: FormVisit, request: Request, link: string): Promise<Outcome> {
  const { form } = visit;
  if (form.closedBecause !== undefined) return page(200, closed(deps, visit));
  const found = await load(deps, visit, link);
  if (!found) return gone(deps, visit);
  const { token, started, values, files, version, step, furthest, language = authorLanguageOf(form) || visit.language } = found.saved;
  const entered: Entered = {
    token: deps.tokens.isPage(form.id, token) ? token : deps.tokens.newPage(form.id),
    started,
    values: inLanguage(form, new Map(values), language, visit.language),
    files: new Map(files),
    faults: [],
    isSaved: true,
    savesAs: isFromUs(request) ? undefined : deps.tokens.newPage(form.id),
    hasBegun: true,
    furthest,
    // A respondent who comes back took the time to.
    isConfirmed: true,
  };
  const earlier = { version, values: entered.values, files: entered.files };
  if (version !== form.version) return changedForm(deps, visit, entered, earlier, { status: 200, from: step, isSent: false });
  return { place: { status: 200, entered, step, findings: {} } };
}

async function load(deps: Deps, visit: FormVisit, link: string): Promise<{ saved: z.output<typeof Saved>; expiresAt: Date } | undefined> {
  try {
    const { sealed, expires_at } = await deps.submissions.getSavedAnswers(visit.asked.call, { form: visit.form.id, name: savedName(link) });
    return { saved: Saved.parse(unseal(link, sealed)), expiresAt: new Date(expires_at) };
  } catch (thrown) {
    const problem = Problem.from(thrown);
    if (problem.code === 'not_found') return undefined;
    throw problem;
  }
}

const gone = (deps: Deps, visit: FormVisit): Outcome => page(404, message(deps, visit, 'saved_expired'));
