import type { FormSettingsDetail } from '@sheaf/client';
import {
  endingFor,
  isComputed,
  isEnding,
  isField,
  isHidden,
  keysInThanks,
  pipedKeys,
  type FormItem,
  type FormSettings,
  type Payment,
} from '@sheaf/contracts';
import {
  assetsAt,
  isVisible,
  outerKey,
  pipedAnswers,
  readAnswers,
  removedOptions,
  shownItems,
  stepsOf,
  withRepeated,
  type Fault,
  type Frame,
  type Read,
  type Step,
  type Values,
  type View,
} from '@sheaf/form-view';
import { dayIn, labelsFor, priceFault, priceOf, type Price } from '@sheaf/formulas';
import style from './form-style.css?url';

/** The step at which somebody is who tries the form. */
export interface Visit {
  form: FormSettingsDetail;
  items: readonly FormItem[];
  payment: Payment | undefined;
  language: string;
  values: Values;
  /** The names of chosen files by the key of the field. They are not uploaded. */
  files: Values;
  at: Place;
  /** The pictures of options, as data URLs, by their ids. */
  pictures: ReadonlyMap<string, string>;
  /** Decides the order of options that are shuffled; another one for each try. */
  seed: string;
  faults: readonly Fault[];
  /** The item of a repeat, or the repeat, with which somebody goes on. */
  begin?: string | undefined;
}

export const againHash = '#again';

/** A step by its number among all steps, or one of the pages after them. */
export type Place = number | 'check' | 'receipt';

export const settingsOf = ({ form }: Pick<Visit, 'form'>): FormSettings => form;

export const authorLanguageOf = ({ default_language: own, languages }: FormSettingsDetail): string => own ?? languages?.[0] ?? '';

export const readOf = (visit: Visit): Read =>
  readAnswers(visit.items, visit.values, new Map([...visit.files].map(([key, names]) => [key, names])), visit.language, () =>
    todayOf(visit),
  );

export const todayOf = ({ form }: Pick<Visit, 'form'>): string => dayIn(form.timezone, new Date());

export const isReviewed = (visit: Visit): boolean =>
  stepsOf(visit.items).length > 1 || settingsOf(visit).review_before_sending === true || visit.payment?.amount_from !== undefined;

/** Undefined if there is nothing to pay, or an amount that nobody can pay. */
function priceIn(visit: Visit): Price | undefined {
  const { answers } = readOf(visit);
  return visit.payment && !priceFault(visit.payment, answers) ? priceOf(visit.payment, answers) : undefined;
}

/** The steps that there is something to see on, by their numbers. */
export function visibleSteps(visit: Visit): number[] {
  const { shown } = readOf(visit);
  const numbers = stepsOf(visit.items).flatMap((step, number) => (isVisible(step, shown) ? [number] : []));
  return numbers.length > 0 ? numbers : [0];
}

/** The number of the step with a field. */
export const stepWith = (visit: Visit, key: string): number =>
  stepsOf(visit.items).findIndex(({ items }) => items.some(({ item }) => isField(item) && item.key === outerKey(key)));

/** The page as the server would render it. */
export function viewOf(visit: Visit): View {
  const frame = { ...frameOf(visit), piped: pipedIn(visit) };
  const { at } = visit;
  const price = priceIn(visit);
  if (at === 'receipt') {
    const ending = endingFor(visit.items.filter(isEnding), readOf(visit).answers);
    return {
      ...frame,
      kind: 'receipt',
      reference: '0000-0000',
      sentAt: new Date(),
      // An ending is seen once everything is paid; whoever tries the form wants to see it.
      payment: price && { url: undefined, state: ending ? 'done' : 'due', price },
      ending,
      wasSentBefore: false,
      answers: settingsOf(visit).show_answers === true ? answersOf(visit) : undefined,
      onward: (ending ?? settingsOf(visit).thank_you)?.redirect_url,
      again: againHash,
    };
  }
  const common = {
    action: '#',
    hidden: [],
    notice: undefined,
    hasSave: settingsOf(visit).resume !== undefined,
    price,
    proof: undefined,
  };
  if (at === 'check') return { ...frame, ...common, kind: 'check', answers: answersOf(visit), receipt: undefined };

  const read = readOf(visit);
  const visible = visibleSteps(visit);
  const steps = stepsOf(visit.items);
  const step: Step = steps[at] ?? { page: undefined, items: [] };
  const place = visible.indexOf(at);
  const isLast = place === visible.length - 1;
  const asked = step.items.filter(({ item }) => !isHidden(item) || isComputed(item));
  const items = shownItems(asked, {
    ...{ items: visit.items, values: visit.values, files: new Map(), read, seed: visit.seed },
    fullOptions: ({ options }) => options?.flatMap(({ value, limit }) => (limit === 0 ? [value] : [])),
    language: visit.language,
    authorLanguage: authorLanguageOf(visit.form),
  });
  const all = withRepeated(items);
  return {
    ...frame,
    ...common,
    kind: 'questions',
    step: steps.length > 1 ? { number: place + 1, of: visible.length, page: step.page } : undefined,
    items,
    earlier: read.answers,
    today: todayOf(visit),
    labels: labelsFor(
      visit.items,
      all.flatMap(({ result }) => result?.formula ?? []),
    ),
    faults: visit.faults,
    begin: visit.begin,
    dropped: [],
    removed: asked.flatMap(({ item }, index) => {
      const here = items[index];
      if (here?.isShown !== true || visit.faults.some(({ key }) => isField(item) && key === item.key)) return [];
      return removedOptions(item, here.item, here.values, visit.language, authorLanguageOf(visit.form));
    }),
    hasBack: place > 0,
    next: isLast && !isReviewed(visit) ? 'send' : 'continue',
  };
}

const answersOf = (visit: Visit) => {
  const { answers, shown } = readOf(visit);
  return visit.items.flatMap((field, index) =>
    isField(field) && !isHidden(field) && shown[index] === true
      ? [
          {
            field,
            answer: answers[field.key],
            fileNames: visit.files.get(field.key) ?? [],
            change: visit.at === 'check' && !isComputed(field) ? { name: 'do', value: `change:${field.key}` } : undefined,
          },
        ]
      : [],
  );
};

/** The answers that the texts of all pages show. */
function pipedIn(visit: Visit) {
  const keys = new Set([...keysInThanks(settingsOf(visit)), ...visit.items.flatMap((item) => [...pipedKeys(item)])]);
  const { language } = visit;
  return pipedAnswers(
    keys,
    visit.items,
    { answers: readOf(visit).answers, fileNames: visit.files },
    { language, authorLanguage: authorLanguageOf(visit.form) },
  );
}

function frameOf(visit: Visit): Frame {
  const { form, language, pictures } = visit;
  const settings = settingsOf(visit);
  return {
    language,
    authorLanguage: authorLanguageOf(form),
    languages: (form.languages ?? []).map((each) => ({ language: each, href: `#${each}` })),
    form: { title: form.title, settings },
    logo: settings.theme?.logo,
    pictureAt: (picture) => pictures.get(picture),
    assets: { ...assetsAt(() => ''), style, script: undefined, icon: 'data:,', theme: undefined },
    timeZone: form.timezone,
    isEmbedded: false,
    ownPage: undefined,
  };
}
