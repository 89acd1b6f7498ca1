import { fieldsOf, isComputed, isHidden, type FormItem } from '@sheaf/contracts';
import {
  faultsInMissingItems,
  itemsEntered,
  keysOfFault,
  outerKey,
  repeatOf,
  render,
  stepOfFault,
  stepOfField,
  withAnotherItem,
  withoutEmptyItems,
  withoutItem,
  type Fault,
  type Notice,
  type Read,
  type Step,
} from '@sheaf/form-view';
import { Problem } from '@sheaf/kernel';
import type { Request } from 'express';
import {
  arrived,
  droppedFiles,
  enteredFiles,
  enteredValues,
  lacksFiles,
  readEntered,
  today,
  untouched,
  withoutFile,
  withoutValues,
  type Entered,
} from './entered';
import { answersIn, changedForm } from './changed-form';
import { page, type Outcome } from './outcome';
import { show } from './places';
import { readPosted, type Posted } from './posted';
import { begun, further } from './progress';
import { isOurs as isOurPage } from './provenance';
import { saveForLater } from './saved';
import { send, sentBefore } from './send';
import { placesShown, withoutEmptyPlaces } from './shown-places';
import type { Drawn, PageTokens } from './untouched-pages';
import { Uploads } from './uploads';
import { check, closed, dueOf, firstOf, isReviewed, questions, shownAnswers, visibleSteps, type Findings } from './views';
import type { Deps, FormVisit } from './visit';

/** The first step of the form, untouched. */
export function open(deps: Deps, visit: FormVisit, query: URLSearchParams): Outcome {
  const { form, language } = visit;
  // A closed form is an answer to the question, not a fault of the request.
  if (form.closedBecause !== undefined) return page(200, closed(deps, visit));
  const draw = (tokens: PageTokens): Drawn => {
    const entered = untouched(form, tokens, query, language);
    const read = readEntered(form, entered, language);
    const first = firstOf(visibleSteps(visit, read));
    return { html: render(questions(deps, visit, entered, read, first, { isUntouched: true })), step: form.steps.indexOf(first) };
  };
  const token = deps.tokens.newPage(form.id);
  const tokens = { token, started: form.started, here: deps.tokens.signHere(token, visit.asked.call.address ?? '') };
  const isOwn = visit.filling.length > 0 || form.isShuffled;
  const { html, step } = isOwn ? draw(tokens) : deps.untouchedPages.page(nameOf(visit), tokens, draw);
  if (visit.isView) begun(deps, visit, step);
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
    form.versionId,
    form.title,
    form.settingsHash,
    form.payment,
    form.timeZone,
    today(form),
    form.proofBits,
    [...form.fullOptions],
  ]);

/** The values that arrived with a page, and the button that the respondent pressed. */
interface Arrived {
  posted: Posted;
  entered: Entered;
  read: Read;
  /** The step that the page showed. */
  step: Step;
  isCheckPage: boolean;
  /** Whether the respondent sends answers for the first time. */
  begins: boolean;
  /** The places that the page showed, and, on the way back to the check page, those that the respondent has seen there. */
  seen: string;
  checked: string | undefined;
  form: FormVisit['form'];
}

/**
 * Takes a page that a respondent sends: goes to another step, or sends the answers. Everything that was entered comes back with the next
 * page, whatever happens here.
 * @throws Problem for a request that is not a page of this form, and whatever ends the upload of its body.
 */
export async function take(deps: Deps, visit: FormVisit, request: Request): Promise<Outcome> {
  const uploads = new Uploads(deps, visit);
  const posted = await readPosted(request, (file) => uploads.take(file));
  const place = posted.get('place');
  // Sends nothing: it stands for an address that would be too long, and opens where that would.
  if (place !== undefined) return show(deps, visit, request, place);
  const { form, language } = visit;
  const token = posted.get('token') ?? '';
  const isOurs = isOurPage(deps, visit, form.id, posted, request);
  const arriving = arrived(form, posted, {
    token: isOurs ? token : deps.tokens.newPage(form.id),
    tokens: deps.tokens,
    uploaded: uploads.kept,
    faults: [...uploads.faults, ...droppedFiles(form, posted)],
  });
  const typed = readEntered(form, arriving, language);
  const isSameVersion = posted.get('version') === String(form.version);
  // The items that the page had name the answers that another version does not take.
  const entered =
    staysOnPage(posted) || !isSameVersion ? arriving : { ...arriving, values: withoutEmptyItems(form.items, arriving.values, typed) };
  const read = entered === arriving ? typed : readEntered(form, entered, language);
  const step = form.steps[Number(posted.get('step'))] ?? firstOf(visibleSteps(visit, read));
  const placesOf = (name: string) => {
    const places = posted.get(name);
    return places === undefined || entered === arriving ? places : withoutEmptyPlaces(form.items, places, typed);
  };
  const here: Arrived = {
    ...{ posted, entered, read, step, form },
    isCheckPage: posted.get('step') === 'check',
    begins: posted.get('begun') !== '1',
    ...{ seen: placesOf('shown') ?? '', checked: placesOf('checked') },
  };

  if (!isOurs && !uploads.problem) return at(422, here, step, { notice: 'send_again', faults: entered.faults });
  const taken = uploads.problem
    ? notUploaded(deps, visit, here, uploads.problem)
    : !isSameVersion
      ? changed(deps, visit, here)
      : lacksFiles(entered)
        ? chooseAgain(deps, visit, here)
        : act(deps, visit, here);
  return taken
    .then((outcome) => (isSameVersion && 'place' in outcome ? { place: further(deps, visit, shownIn(here), outcome.place) } : outcome))
    .catch((thrown: unknown) => kept(deps, visit, here, Problem.from(thrown)));
}

/** Whether somebody goes on with the same page, on which a new item has no answer yet. */
const staysOnPage = (posted: Posted): boolean => /^(?:add|drop|remove|stay)\b/.test(posted.get('do') ?? '');

/** The step that the page showed. */
const shownIn = ({ form, step, isCheckPage }: Arrived) => (isCheckPage ? 'check' : form.steps.indexOf(step));

/** A file could not be stored. A page that was sent before still leads to its receipt, although its form takes nothing more. */
async function notUploaded(deps: Deps, visit: FormVisit, here: Arrived, problem: Problem): Promise<Outcome> {
  // Without that file, its answers cannot be compared with those that were sent.
  const before = await sentBefore(deps, visit, here.entered, undefined);
  if (before) return before;
  if (problem.code === 'forbidden') return page(403, closed(deps, visit, shownAnswers(visit, here.entered, here.read)));
  throw problem;
}

/** Files did not arrive while the form could not be read: the respondent sees which ones before the answers go on without them. */
async function chooseAgain(deps: Deps, visit: FormVisit, here: Arrived): Promise<Outcome> {
  const { entered, read, step, checked } = here;
  const before = await sentBefore(deps, visit, entered, undefined);
  if (before) return before;
  if (visit.form.closedBecause !== undefined) return page(403, closed(deps, visit, shownAnswers(visit, entered, read)));
  return at(422, here, step, { faults: entered.faults, checked });
}

async function act(deps: Deps, visit: FormVisit, here: Arrived): Promise<Outcome> {
  const { form } = visit;
  const { posted, entered, read, step, checked } = here;
  const [action = '', key = '', id = ''] = (posted.get('do') ?? '').split(':');
  // Sending goes on, because a repeated request still leads to its receipt.
  if (form.closedBecause !== undefined && action !== 'send' && action !== '')
    return (await sentBefore(deps, visit, entered, undefined)) ?? page(403, closed(deps, visit, shownAnswers(visit, entered, read)));
  switch (action) {
    case 'remove': {
      const without = { ...here, entered: withoutFile(entered, key, id) };
      return at(200, without, step, { checked });
    }
    case 'add':
    case 'drop': {
      const repeat = repeatOf(form.items, key);
      if (!repeat) return at(200, here, step, { checked, faults: entered.faults });
      const isAdded = action === 'add';
      const values = isAdded ? withAnotherItem(repeat, entered.values, visit.language) : withoutItem(repeat, entered.values, Number(id));
      const begin = isAdded ? `${key}[${itemsEntered(repeat, values) - 1}]` : key;
      return at(200, { ...here, entered: { ...entered, values } }, step, { checked, faults: entered.faults, begin });
    }
    case 'save':
      return saveForLater(deps, visit, { entered, read, step: form.steps.indexOf(step), begins: here.begins });
    // After the code was entered, which the respondent had not or whose time was over when they sent the page.
    case 'stay':
      return at(200, here, here.isCheckPage ? 'check' : step, { checked, faults: entered.faults });
    case 'back':
      return at(200, here, before(visit, here));
    case 'change': {
      const all = form.steps.flatMap(({ items }) => items);
      const seen = placesShown(all, read).map((each) => each.place);
      const { place } = at(200, here, stepOfField(form.steps, key) ?? step, { checked: seen.join(' ') });
      return { place: { ...place, focus: key } };
    }
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
  const due = found.filter(
    (fault) => isDue(visit, here, fault) && ![...keysOfFault(visit.form.items, fault)].some((key) => appeared.has(key)),
  );
  const [first] = due;
  if (first) {
    // A check may show its message at a question of an earlier step.
    const where = due.some(({ key }) => isOn(step, key)) ? step : (stepOfField(visit.form.steps, first.key) ?? step);
    return at(422, here, where, { faults: due.filter(({ key }) => isOn(where, key)), checked: here.checked });
  }
  if (appeared.size > 0) return at(200, here, step, { notice: 'new_questions', checked: here.checked });
  if (here.checked !== undefined) return backToCheck(here, visible, here.checked);
  return at(200, here, next ?? 'check');
}

/** The faults that a change of another answer brings up, perhaps of one that was right on its own step. */
const comeLater: ReadonlySet<string> = new Set(['refused', 'option_not_offered', 'option_full']);

/** Whether the respondent is told of a fault on this step: of a check once its last question is answered, and again before everything is sent. */
function isDue({ form }: FormVisit, { step, checked }: Arrived, fault: Fault): boolean {
  const isBeforeSending = comeLater.has(fault.code) && checked !== undefined;
  return isBeforeSending || stepOfFault(form.items, form.steps, fault) === step;
}

/** From a question that was changed, back to the check page, unless the change brought up questions that the respondent has not seen. */
function backToCheck(here: Arrived, visible: readonly Step[], checked: string): Outcome {
  const placesOn = (step: Step) => placesShown(step.items, here.read);
  const seen = new Set([...checked.split(' '), ...placesOn(here.step).map(({ place }) => place)]);
  const step = visible.find((each) => placesOn(each).some(({ place, item }) => isAsked(item) && !seen.has(place)));
  if (!step) return at(200, here, 'check');
  for (const { place } of placesOn(step)) seen.add(place);
  return at(200, here, step, { notice: 'new_questions', checked: [...seen].join(' ') });
}

async function sendAll(deps: Deps, visit: FormVisit, here: Arrived): Promise<Outcome> {
  const { posted, entered, read, begins } = here;
  const sent = await send(deps, visit, entered, read, {
    honeypot: posted.get('hp'),
    proof: posted.get('proof'),
    due: posted.get('due'),
    begins,
  });
  if (!('faults' in sent)) return sent;
  const corrected = withoutWrongHidden(visit, here, sent.faults);
  // The price may follow from what was taken out: then nobody has seen the one that is due.
  const due = corrected && dueOf(visit.form, corrected.read);
  if (corrected && due !== undefined && due !== posted.get('due')) return at(200, corrected, 'check');
  if (corrected) return sendAll(deps, visit, corrected);
  const faults = faultsInMissingItems(visit.form.items, sent.faults, read.answers);
  const [first] = faults;
  const step = (first && stepOfField(visit.form.steps, first.key)) ?? here.step;
  return at(422, here, step, { faults });
}

/** The faults that sending would find, with those of files that arrived just now instead of their absence. */
async function faultsIn(deps: Deps, visit: FormVisit, { entered, read, begins }: Arrived): Promise<Fault[]> {
  const { faults } = await deps.submissions.checkAnswers(visit.asked.call, {
    form: visit.form.id,
    data: Buffer.from(JSON.stringify(read.answers)),
    begins,
  });
  const found = faultsInMissingItems(visit.form.items, JSON.parse(faults.toString()) as Fault[], read.answers);
  const refused = new Set(entered.faults.map(({ key }) => key));
  const all = [...entered.faults, ...found.filter(({ key }) => !refused.has(key))];
  const places = new Map(fieldsOf(visit.form.items).map(({ key }, place) => [key, place]));
  const placeOf = ({ key }: Fault) => places.get(outerKey(key)) ?? 0;
  return all.sort((a, b) => placeOf(a) - placeOf(b));
}

/**
 * Respondents cannot correct a hidden field, whose value came with a link. An invalid one is left out; if the form cannot do without it, its
 * fault is shown after all.
 */
function withoutWrongHidden({ form, language }: FormVisit, here: Arrived, faults: readonly Fault[]): Arrived | undefined {
  const faulty = new Set(faults.flatMap(({ key, code }) => (code === 'required' ? [] : [key])));
  const wrong = fieldsOf(form.items).filter((field) => isHidden(field) && faulty.has(field.key) && here.entered.values.has(field.key));
  if (wrong.length === 0) return undefined;
  const entered = withoutValues(here.entered, new Set(wrong.map(({ key }) => key)));
  return { ...here, entered, read: readEntered(form, entered, language), begins: false };
}

/** The fields that this step shows only now, because of an answer on it. A script shows them at once; without one they come here. */
function newlyShown({ seen: places, read, step }: Arrived): ReadonlySet<string> {
  const seen = new Set(places.split(' '));
  const appeared = placesShown(step.items, read).filter(({ place, item }) => isAsked(item) && !seen.has(place));
  return new Set(appeared.map(({ place, item }) => ('key' in item ? item.key : place)));
}

/** The step before the one that the page showed; from the check page, the last one. */
function before(visit: FormVisit, { read, step, isCheckPage }: Arrived): Step {
  const visible = visibleSteps(visit, read);
  return (isCheckPage ? visible.at(-1) : visible[visible.indexOf(step) - 1]) ?? firstOf(visible);
}

/** The form was published again meanwhile: the respondent sees the new version before it counts as answered. */
async function changed(deps: Deps, visit: FormVisit, here: Arrived): Promise<Outcome> {
  const { posted, entered } = here;
  const earlier = {
    version: Number(posted.get('version')),
    values: enteredValues(posted),
    files: enteredFiles(visit.form, posted, deps.tokens),
  };
  // A page that was sent already leads to its receipt also now.
  const before = await sentBefore(deps, visit, entered, await answersIn(deps, visit, earlier));
  return before ?? changedForm(deps, visit, entered, earlier, { status: 409, from: shownIn(here), isSent: true });
}

const reasons: Partial<Record<Problem['code'], { status: number; notice: Notice }>> = {
  unavailable: { status: 503, notice: 'unavailable' },
  // The person reads the same, but a bug is no outage for whoever watches the statuses.
  internal_error: { status: 500, notice: 'unavailable' },
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
  // The notices say that everything is still on the page.
  const findings = { notice: lacksFiles(entered) ? undefined : notice, faults: entered.faults };
  const view = isCheckPage ? check(deps, visit, entered, read, { notice }) : questions(deps, visit, entered, read, step, findings);
  return page(status, view, problem.retryAfterSeconds ?? (status === 503 || status === 429 ? 5 : undefined));
}

const at = (status: number, { entered, form }: Arrived, step: Step | 'check', findings: Findings = {}) => ({
  place: { status, entered, step: step === 'check' ? step : form.steps.indexOf(step), findings },
});

/** Whether there is something for the respondent to answer or to read. */
const isAsked = (item: FormItem): boolean => !isHidden(item) && !isComputed(item);

const isOn = (step: Step, key: string): boolean => step.items.some(({ item }) => 'key' in item && item.key === outerKey(key));
