import { fieldsOf } from '@sheaf/contracts';
import { render, stepOfField, type Fault, type Notice, type Read, type Step } from '@sheaf/form-view';
import { Problem } from '@sheaf/kernel';
import type { Request } from 'express';
import { arrived, enteredValues, readEntered, untouched, withoutFile, withoutValues, type Entered } from './entered';
import { noLongerAsked } from './no-longer-asked';
import { page, type Outcome } from './outcome';
import { readPosted, type Posted } from './posted';
import { saveForLater } from './saved';
import { send, sentBefore } from './send';
import type { PageTokens } from './untouched-pages';
import { Uploads } from './uploads';
import { answerToDropped, check, closed, firstOf, firstStep, isReviewed, questions, shownAnswers, visibleSteps } from './views';
import { type Deps, type FormVisit } from './visit';

/** The first step of the form, untouched. */
export function open(deps: Deps, visit: FormVisit, query: URLSearchParams): Outcome {
  const { form, language } = visit;
  // A closed form is an answer to the question, not a fault of the request.
  if (form.closedBecause !== undefined) return page(200, closed(deps, visit));
  const draw = (tokens: PageTokens) => render(firstStep(deps, visit, untouched(form, tokens, query, language), { isUntouched: true }));
  const tokens = { token: deps.tokens.newPage(form.id), started: form.started };
  const html = visit.filling.length > 0 ? draw(tokens) : deps.untouchedPages.html(nameOf(visit), tokens, draw);
  return { untouched: html, language };
}

/** Everything that the untouched page of a form depends on, besides its tokens. */
const nameOf = ({ form, path, language, hasLanguage, isEmbedded }: FormVisit): string =>
  JSON.stringify([
    path,
    language,
    hasLanguage,
    isEmbedded,
    form.id,
    form.version,
    form.title,
    form.settingsHash,
    form.payment,
    form.timeZone,
    form.proofBits,
  ]);

/** What arrived with a page, and what the respondent wants to do with it. */
interface Arrived {
  posted: Posted;
  entered: Entered;
  read: Read;
  /** The step that the page showed. */
  step: Step;
  isCheckPage: boolean;
  /** Whether the respondent sends answers for the first time. */
  begins: boolean;
}

/**
 * Takes a page that a respondent sends: goes to another step, or sends the answers. Everything that was entered comes back with the next
 * page, whatever happens here.
 * @throws Problem for a request that is not a page of this form, and whatever ends the upload of its body.
 */
export async function take(deps: Deps, visit: FormVisit, request: Request): Promise<Outcome> {
  const uploads = new Uploads(deps, visit);
  const posted = await readPosted(request, (file) => uploads.take(file));
  const { form, language } = visit;
  const token = posted.get('token') ?? '';
  const isOurs = deps.tokens.isPage(form.id, token) && isFromHere(request);
  const entered = arrived(form, posted, {
    token: isOurs ? token : deps.tokens.newPage(form.id),
    tokens: deps.tokens,
    uploaded: uploads.kept,
    faults: uploads.faults,
  });
  const read = readEntered(form, entered, language);
  const step = form.steps[Number(posted.get('step'))] ?? firstOf(visibleSteps(visit, read));
  const here: Arrived = { posted, entered, read, step, isCheckPage: posted.get('step') === 'check', begins: posted.get('begun') !== '1' };

  if (!isOurs && !uploads.problem) return page(422, questions(deps, visit, entered, read, step, { notice: 'send_again' }));
  const isSameVersion = posted.get('version') === String(form.version);
  const taken = uploads.problem
    ? notUploaded(deps, visit, here, uploads.problem)
    : isSameVersion
      ? act(deps, visit, here)
      : changed(deps, visit, here);
  return taken.catch((thrown: unknown) => kept(deps, visit, here, Problem.from(thrown)));
}

/** A file could not be stored. A page that was sent before still leads to its receipt, although its form takes nothing more. */
async function notUploaded(deps: Deps, visit: FormVisit, here: Arrived, problem: Problem): Promise<Outcome> {
  const before = await sentBefore(deps, visit, here.entered.token);
  if (before) return before;
  if (problem.code === 'forbidden') return page(403, closed(deps, visit, shownAnswers(visit, here.entered, here.read)));
  throw problem;
}

/**
 * Whether our own page sent the request. Another site could make a browser send its own token, and show the respondent a page whose answers
 * it can ask for later. Browsers that do not say where a request comes from say at least who sends it.
 */
export function isFromHere({ headers }: Request): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin === undefined || (URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host);
}

async function act(deps: Deps, visit: FormVisit, here: Arrived): Promise<Outcome> {
  const { form } = visit;
  const { posted, entered, read, step } = here;
  const [action = '', key = '', id = ''] = (posted.get('do') ?? '').split(':');
  // Sending goes on, because a repeated request still leads to its receipt.
  if (form.closedBecause !== undefined && action !== 'send' && action !== '')
    return page(403, closed(deps, visit, shownAnswers(visit, entered, read)));
  switch (action) {
    case 'remove': {
      const without = withoutFile(entered, key, id);
      return page(200, questions(deps, visit, without, readEntered(form, without, visit.language), step));
    }
    case 'save':
      return saveForLater(deps, visit, { entered, step: form.steps.indexOf(step), begins: here.begins });
    case 'back':
      return page(200, questions(deps, visit, entered, read, before(visit, here)));
    case 'change':
      return page(200, questions(deps, visit, entered, read, stepOfField(form.steps, key) ?? step));
    default:
      return here.isCheckPage ? sendAll(deps, visit, here) : advance(deps, visit, here);
  }
}

/** Goes on to the next step, to the check page, or sends the answers. */
async function advance(deps: Deps, visit: FormVisit, here: Arrived): Promise<Outcome> {
  const { entered, read, step } = here;
  const visible = visibleSteps(visit, read);
  const next = visible[visible.indexOf(step) + 1];
  const appeared = newlyShown(here);
  if (!next && !isReviewed(visit) && appeared.size === 0 && entered.faults.length === 0) return sendAll(deps, visit, here);

  const found = await faultsIn(deps, visit, here);
  const corrected = withoutWrongHidden(visit, here, found);
  if (corrected) return advance(deps, visit, corrected);
  const faults = found.filter(({ key }) => isOn(step, key) && !appeared.has(key));
  if (faults.length > 0) return page(422, questions(deps, visit, entered, read, step, { faults }));
  if (appeared.size > 0) return page(200, questions(deps, visit, entered, read, step, { notice: 'new_questions' }));
  return page(200, next ? questions(deps, visit, entered, read, next) : check(deps, visit, entered, read));
}

async function sendAll(deps: Deps, visit: FormVisit, here: Arrived): Promise<Outcome> {
  const { posted, entered, read, begins } = here;
  const sent = await send(deps, visit, entered, read, { trap: posted.get('hp'), proof: posted.get('proof'), begins });
  if (!('faults' in sent)) return sent;
  const corrected = withoutWrongHidden(visit, here, sent.faults);
  if (corrected) return sendAll(deps, visit, corrected);
  const [first] = sent.faults;
  const step = (first && stepOfField(visit.form.steps, first.key)) ?? here.step;
  return page(422, questions(deps, visit, entered, read, step, { faults: sent.faults }));
}

/** The faults that sending would find, with those of files that arrived just now instead of their absence. */
async function faultsIn(deps: Deps, visit: FormVisit, { entered, read, begins }: Arrived): Promise<Fault[]> {
  const { faults } = await deps.submissions.checkAnswers(visit.asked.call, {
    form: visit.form.id,
    data: Buffer.from(JSON.stringify(read.answers)),
    begins,
  });
  const found = JSON.parse(faults.toString()) as Fault[];
  const refused = new Set(entered.faults.map(({ key }) => key));
  const all = [...entered.faults, ...found.filter(({ key }) => !refused.has(key))];
  const places = new Map(fieldsOf(visit.form.items).map(({ key }, place) => [key, place]));
  return all.sort((a, b) => (places.get(a.key) ?? 0) - (places.get(b.key) ?? 0));
}

/**
 * Respondents cannot correct a hidden field, whose value came with a link. An invalid one is left out; if the form cannot do without it, its
 * fault is shown after all.
 */
function withoutWrongHidden({ form, language }: FormVisit, here: Arrived, faults: readonly Fault[]): Arrived | undefined {
  const faulty = new Set(faults.flatMap(({ key, code }) => (code === 'required' ? [] : [key])));
  const wrong = fieldsOf(form.items).filter(({ key, type }) => type === 'hidden' && faulty.has(key) && here.entered.values.has(key));
  if (wrong.length === 0) return undefined;
  const entered = withoutValues(here.entered, new Set(wrong.map(({ key }) => key)));
  return { ...here, entered, read: readEntered(form, entered, language), begins: false };
}

/** The fields that this step shows only now, because of an answer on it. A script shows them at once; without one they come here. */
function newlyShown({ posted, read, step }: Arrived): ReadonlySet<string> {
  const seen = new Set((posted.get('shown') ?? '').split(' '));
  const appeared = step.items.filter(({ index, item }) => read.shown[index] === true && item.type !== 'hidden' && !seen.has(String(index)));
  return new Set(appeared.map(({ item, index }) => ('key' in item ? item.key : String(index))));
}

/** The step before the one that the page showed; from the check page, the last one. */
function before(visit: FormVisit, { read, step, isCheckPage }: Arrived): Step {
  const visible = visibleSteps(visit, read);
  return (isCheckPage ? visible.at(-1) : visible[visible.indexOf(step) - 1]) ?? firstOf(visible);
}

/** The form was published again meanwhile: the respondent sees the new version before it counts as answered. */
async function changed(deps: Deps, visit: FormVisit, { posted, entered, read }: Arrived): Promise<Outcome> {
  // Reloading the page that sent the answers leads to their receipt also now.
  const before = await sentBefore(deps, visit, entered.token);
  if (before) return before;
  const dropped = await noLongerAsked(deps, visit, Number(posted.get('version')), enteredValues(posted));
  if (visit.form.closedBecause !== undefined)
    return page(403, closed(deps, visit, [...shownAnswers(visit, entered, read), ...dropped.map(answerToDropped)]));
  return page(409, firstStep(deps, visit, entered, { notice: 'form_changed', dropped }));
}

const reasons: Partial<Record<Problem['code'], { status: number; notice: Notice }>> = {
  unavailable: { status: 503, notice: 'unavailable' },
  internal_error: { status: 503, notice: 'unavailable' },
  too_many_requests: { status: 429, notice: 'too_many_requests' },
  payload_too_large: { status: 413, notice: 'too_large' },
  // Its author stopped offering to save answers.
  forbidden: { status: 409, notice: 'form_changed' },
};

/** The same page once more, with everything that was entered, because it could not be taken now. */
function kept(deps: Deps, visit: FormVisit, { entered, read, step, isCheckPage }: Arrived, problem: Problem): Outcome {
  const reason = reasons[problem.code];
  if (!reason) throw problem;
  const { status, notice } = reason;
  const view = isCheckPage ? check(deps, visit, entered, read, { notice }) : questions(deps, visit, entered, read, step, { notice });
  return page(status, view, problem.retryAfterSeconds ?? (status === 503 || status === 429 ? 5 : undefined));
}

const isOn = (step: Step, key: string): boolean => step.items.some(({ item }) => 'key' in item && item.key === key);
