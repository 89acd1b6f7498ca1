import {
  answerFault,
  fieldsOf,
  fieldsOfItem,
  fileIdsIn,
  hasFiles,
  isComputed,
  isField,
  isHidden,
  type Field,
  type FormItem,
} from '@sheaf/contracts';
import {
  inWordsOfAuthor,
  isVisible,
  removedOptions,
  shownItems,
  withRepeated,
  type Fault,
  type LocalText,
  type MessagePage,
  type Notice,
  type QuestionsPage,
  type Read,
  type ShownAnswer,
  type ShownItem,
  type Step,
  type StepView,
  type View,
} from '@sheaf/form-view';
import { labelsFor, priceFault, priceOf, type Price } from '@sheaf/formulas';
import { Problem } from '@sheaf/kernel';
import { carried, readEntered, today, type Entered } from './entered';
import type { OpenForm } from './known-forms';
import { pipedAmong, pipedIn } from './piped';
import { actionOf, authorLanguageOf, frameOf, type Deps, type FormVisit, type Visit } from './visit';

/** The languages that a respondent can switch to without losing what they entered. */
export const offeredLanguages = ({ form }: FormVisit): readonly string[] => form.settings.languages ?? [];

export interface Findings {
  faults?: readonly Fault[] | undefined;
  notice?: Notice | undefined;
  dropped?: QuestionsPage['dropped'] | undefined;
  /** For other answers than those that were sent before: the receipt of these. */
  receipt?: string | undefined;
  /** For a question that was chosen on the check page: the items that respondent has seen by then, after which Continue leads back there. */
  checked?: string | undefined;
  /** Whether the page can be left for another language, because nothing was entered yet. */
  isUntouched?: boolean;
  /** The item of a repeat, or the repeat, with which the respondent goes on. */
  begin?: string | undefined;
}

/** Also the form with a single page has its answers checked, if the author wants it. */
export const isReviewed = ({ form }: FormVisit): boolean =>
  form.steps.length > 1 || form.settings.review_before_sending === true || isPriceComputed(form);

/** Then it is told on the check page, which needs no script to know all answers. */
const isPriceComputed = ({ payment }: Pick<OpenForm, 'payment'>): boolean => payment?.amount_from !== undefined;

/**
 * The price of the answers; undefined also if nobody can pay it, which sending refuses, and if an earlier release of `forms` has left out which field
 * computes it: then nobody can send, but the page can be drawn, with what was typed.
 */
export function priceFor({ payment }: Pick<OpenForm, 'payment'>, { answers }: Pick<Read, 'answers'>): Price | undefined {
  if (!payment || (payment.amount === undefined && payment.amount_from === undefined)) return undefined;
  return priceFault(payment, answers) ? undefined : priceOf(payment, answers);
}

/** The amount that a check page shows and sends along, where the answers decide it. */
export const dueOf = (form: OpenForm, read: Read): string | undefined =>
  isPriceComputed(form) ? String(priceFor(form, read)?.amount ?? 0) : undefined;

export const visibleSteps = ({ form }: FormVisit, { shown }: Read): Step[] => {
  const visible = form.steps.filter((step) => isVisible(step, shown));
  return visible.length > 0 ? visible : form.steps.slice(0, 1);
};

export function firstOf(steps: readonly Step[]): Step {
  const [first] = steps;
  if (!first) throw Problem.internal('a form without steps');
  return first;
}

export function firstStep(deps: Deps, visit: FormVisit, entered: Entered, findings: Findings = {}): StepView {
  const read = readEntered(visit.form, entered, visit.language);
  return questions(deps, visit, entered, read, firstOf(visibleSteps(visit, read)), findings);
}

/** The page with the questions of one step. */
export function questions(deps: Deps, visit: FormVisit, entered: Entered, read: Read, step: Step, findings: Findings = {}): StepView {
  const { form } = visit;
  const visible = visibleSteps(visit, read);
  const number = visible.indexOf(step) + 1;
  // The script computes what is not shown, too, as others depend on it.
  const items = step.items.filter(({ item }) => !isHidden(item) || isComputed(item));
  const onPage = new Set(items.flatMap(({ item }) => (isField(item) ? [item.key] : [])));
  const isLast = number === visible.length;
  const authorLanguage = authorLanguageOf(form);
  const shown = shownItems(items, {
    ...{ items: form.items, values: entered.values, files: entered.files, read, seed: entered.token },
    fullOptions: ({ key }) => form.fullOptions.get(key),
    language: visit.language,
    authorLanguage,
  });
  const all = withRepeated(shown);
  const faults = [
    ...(findings.faults ?? []).map((fault) => inWordsOfAuthor(form.items, fault, visit.language, authorLanguage)),
    ...withoutPlace(all, findings.faults ?? []),
  ];
  const faulty = new Set(faults.map(({ key }) => key));
  const removed = (item: FormItem, here: ShownItem | undefined): LocalText[] => {
    if (here?.isShown !== true || !isField(item) || !isField(here.item)) return [];
    const own = faulty.has(here.item.key) ? [] : removedOptions(item, here.item, here.values, visit.language, authorLanguage);
    const questions = (here.repeated?.items ?? []).map((each) => each.questions);
    return [...own, ...questions.flatMap((each) => fieldsOfItem(item).flatMap((field, at) => removed(field, each[at])))];
  };
  return {
    ...frameOf(deps, visit, findings.isUntouched === true ? offeredLanguages(visit) : []),
    piped: pipedIn(visit, [...(step.page ? [step.page] : []), ...all.map(({ item }) => item)], entered, read),
    kind: 'questions',
    action: actionOf(visit),
    hidden: [
      ...ownControls(deps, visit, entered, String(form.steps.indexOf(step))),
      ...(findings.checked === undefined ? [] : [['checked', findings.checked] as const]),
      ...carried(form, entered, onPage),
    ],
    step: form.steps.length > 1 ? { number, of: visible.length, page: step.page } : undefined,
    items: shown,
    earlier: without(read.answers, onPage),
    today: today(form),
    labels: labelsFor(
      form.items,
      all.flatMap(({ result }) => result?.formula ?? []),
    ),
    faults,
    notice: findings.notice,
    begin: findings.begin,
    dropped: findings.dropped ?? [],
    removed: items.flatMap(({ item }, at) => removed(item, shown[at])),
    hasBack: number > 1,
    next: isLast && !isReviewed(visit) ? 'send' : 'continue',
    hasSave: form.settings.resume !== undefined,
    price: isPriceComputed(form) ? undefined : priceFor(form, read),
    proof: isLast && !isReviewed(visit) ? proofOf(form, entered) : undefined,
  };
}

/** The options that a respondent chose before, and that are full by now. The page cannot send them again, so it says so. */
function withoutPlace(items: readonly ShownItem[], known: readonly Fault[]): Fault[] {
  return items.flatMap(({ item, isShown, values, full = [] }) => {
    const late = values.filter((value) => full.includes(value));
    if (!isField(item) || !isShown || late.length === 0 || known.some(({ key }) => key === item.key)) return [];
    return [{ key: item.key, ...answerFault('option_full', { options: late.join(', ') }) }];
  });
}

/** The page on which respondents check their answers before they send them. */
export function check(deps: Deps, visit: FormVisit, entered: Entered, read: Read, findings: Findings = {}): StepView {
  const { form } = visit;
  const price = priceFor(form, read);
  const due = dueOf(form, read);
  return {
    ...frameOf(deps, visit),
    piped: pipedIn(visit, form.items, entered, read),
    kind: 'check',
    action: actionOf(visit),
    hidden: [
      ...ownControls(deps, visit, entered, 'check'),
      // So that nobody pays another amount than they have seen.
      ...(due === undefined ? [] : [['due', due] as const]),
      ...carried(form, entered, new Set()),
    ],
    answers: shownAnswers(visit, entered, read).map((shown) =>
      isComputed(shown.field) ? shown : { ...shown, change: { name: 'do', value: `change:${shown.field.key}` } },
    ),
    notice: findings.notice,
    receipt: findings.receipt,
    hasSave: form.settings.resume !== undefined,
    price,
    proof: proofOf(form, entered),
  };
}

const without = (answers: Readonly<Record<string, unknown>>, keys: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(answers).filter(([key]) => !keys.has(key)));

const proofOf = ({ proofBits }: OpenForm, { started, token }: Entered) =>
  proofBits === undefined ? undefined : { challenge: `${started}:${token}`, bits: proofBits };

function ownControls({ tokens }: Deps, { form, asked }: FormVisit, entered: Entered, step: string): [string, string][] {
  const { token, started, here, isSaved, savesAs, hasBegun, furthest, isConfirmed } = entered;
  return [
    ['token', token],
    ['here', here ?? tokens.signHere(token, asked.call.address ?? '')],
    ['started', started],
    ['version', String(form.version)],
    ['step', step],
    // The script writes here, too.
    ['confirmed', isConfirmed ? '1' : ''],
    ...(isSaved ? ([['saved', '1']] as [string, string][]) : []),
    ...(savesAs === undefined ? [] : ([['saves_as', savesAs]] as [string, string][])),
    ...(hasBegun ? ([['begun', '1']] as [string, string][]) : []),
    ...(furthest === undefined ? [] : ([['furthest', String(furthest)]] as [string, string][])),
  ];
}

/** The questions that are shown, with their answers. */
export function shownAnswers({ form }: FormVisit, { files }: Entered, { answers, shown }: Read): ShownAnswer[] {
  return form.items.flatMap((item, index) => {
    if (!isField(item) || isHidden(item) || shown[index] !== true) return [];
    return [
      answerTo(
        item,
        answers[item.key],
        (files.get(item.key) ?? []).map(({ name }) => name),
      ),
    ];
  });
}

/** Submitted answers, under the version of the form that they were made against. */
export const sentAnswers = (
  items: Parameters<typeof fieldsOf>[0],
  answers: Readonly<Record<string, unknown>>,
  fileNames: Readonly<Record<string, string>>,
): ShownAnswer[] =>
  fieldsOf(items).flatMap((field) => {
    if (isHidden(field) || !Object.hasOwn(answers, field.key)) return [];
    const answer = answers[field.key];
    const ids = hasFiles(field) ? fileIdsIn(answer) : [];
    return [
      answerTo(
        field,
        answer,
        ids.map((id) => fileNames[id] ?? id),
      ),
    ];
  });

const answerTo = (field: Field, answer: unknown, fileNames: readonly string[]): ShownAnswer => ({
  field,
  answer,
  fileNames,
  change: undefined,
});

/** An answer that a changed form no longer asks for, as text. */
export const answerToDropped = ({ label, value }: QuestionsPage['dropped'][number]): ShownAnswer =>
  answerTo({ key: label, label, type: 'short_text', required: false }, value, []);

type Named = Exclude<MessagePage['message'], { name: 'closed' }>['name'];

/** A page that only says something. */
export const message = (deps: Deps, visit: Visit & { form?: FormVisit['form'] }, name: Named, retry?: MessagePage['retry']): View => ({
  ...frameOf(deps, visit),
  kind: 'message',
  message: { name },
  retry,
});

/** Why the form takes no submissions, with what the respondent has entered meanwhile. */
export function closed(deps: Deps, visit: FormVisit, unsent?: readonly ShownAnswer[]): View {
  const { form } = visit;
  return {
    ...frameOf(deps, visit, unsent === undefined ? offeredLanguages(visit) : []),
    piped: pipedAmong(visit, unsent ?? []),
    kind: 'message',
    message: {
      name: 'closed',
      because: form.closedBecause ?? 'closed',
      opensAt: form.opensAt,
      closesAt: form.closesAt,
      text: form.closedMessage,
      unsent,
    },
    retry: undefined,
  };
}
