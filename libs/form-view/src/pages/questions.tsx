import { conditionsOf, isField, keysIn, optionConditions, type Field } from '@sheaf/contracts';
import { isSearched } from '../fields/choice-controls';
import { partsWithPlaces } from '../fields/control';
import { Item } from '../fields/question';
import { inItem, itemName } from '../fields/repeat';
import { isCounted } from '../fields/text-controls';
import { Form, Notices } from '../parts/form';
import { Formatted } from '../parts/formatted';
import { Heading } from '../parts/heading';
import { plainWithAnswers, WithAnswers, withoutAnswers } from '../parts/piped';
import { Written } from '../parts/text';
import { useReading, type Reading } from '../reading';
import { withRepeated, type Fault, type Frame, type QuestionsPage, type ShownItem } from '../view';
import { faultSentence } from '../words/fault-sentence';
import { formatNumber, localeOf } from '../words/formats';
import { localForm, localItem, plainly, type LocalItem, type LocalText } from '../words/localized';

/** A step has its own title, here without answers; the first one may have none, and then has the form's. */
export const questionsTitle = ({ step }: QuestionsPage, form: LocalText, language: string, authorLanguage: string): string =>
  step?.page ? withoutAnswers(localItem(step.page, language, authorLanguage).label) : form.text;

export function Questions({ page, frame, form }: { page: QuestionsPage; frame: Frame; form: NonNullable<Frame['form']> }) {
  const reading = useReading();
  const { language, authorLanguage } = reading;
  const { step, items, faults, notice, dropped, removed } = page;
  const texts = localForm(form, language, authorLanguage);
  const isFirst = step === undefined || step.number === 1;
  const own = step?.page && localItem(step.page, language, authorLanguage);
  return (
    <>
      <Summary page={page} />
      <Notices notice={notice} dropped={dropped} removed={removed} isFocused={faults.length === 0} />
      <Heading form={step?.page ? form : undefined} title={own ? <WithAnswers text={own.label} /> : <Written text={texts.title} />}>
        {step && <Progress step={step} />}
      </Heading>
      {isFirst && frame.ownPage !== undefined && <IfSendingFails ownPage={frame.ownPage} />}
      {isFirst && texts.description && <Formatted className="description" text={texts.description} hasAnswers={false} />}
      {own?.help && <Formatted className="description" text={own.help} hasAnswers />}
      <Form
        page={page}
        fields={{
          shown: withRepeated(items)
            .filter(({ isShown }) => isShown)
            .map(({ index }) => index)
            .join(' '),
        }}
        data={scriptData(page, reading)}
        next={page.next}
        hasBack={page.hasBack}
        hasOtherButtons={items.some(({ files, repeated }) => files.length > 0 || repeated !== undefined)}
        isLeaving={form.settings.thank_you?.redirect_url !== undefined}
        proofAddress={frame.assets.proof}
      >
        {items.map((shown) => (
          <Item key={shown.index} shown={shown} faultsOf={(key) => faultsOf(faults, key)} begin={page.begin} />
        ))}
      </Form>
    </>
  );
}

/** The site around a frame may forbid to send forms and to run scripts; then nothing tells that sending failed. */
function IfSendingFails({ ownPage }: { ownPage: string }) {
  const { words } = useReading();
  return (
    <noscript>
      <p className="hint">
        {words.ifSendingFails}{' '}
        <a href={ownPage} target="_blank" rel="noopener">
          {words.openInNewWindow}
        </a>
      </p>
    </noscript>
  );
}

/** The data that the scripts need to read numbers, to follow conditions and formulas, show answers, count characters and search options, as far as this step does. */
function scriptData(
  { items: onPage, earlier, today, labels }: QuestionsPage,
  { words, language, live }: Reading,
): Record<`data-${string}`, string | undefined> {
  const items = withRepeated(onPage);
  const formulas = items.flatMap(({ result }) => result?.formula ?? []);
  const keys = new Set([
    ...items.flatMap(({ item }) => conditionsOf(item).flatMap(([, condition]) => [...keysIn(condition)])),
    ...formulas.flatMap(({ names }) => Object.keys(names)),
  ]);
  const hidesOptions = items.some(({ item }) => isField(item) && optionConditions(item) !== undefined);
  const searchesAny = items.some(({ item }) => isSearched(item));
  const countsAny = items.some(({ item }) => isField(item) && isCounted(item));
  return {
    'data-language': language,
    ...(keys.size > 0 && {
      'data-earlier': JSON.stringify(Object.fromEntries(Object.entries(earlier).filter(([key]) => keys.has(key)))),
    }),
    ...(formulas.length > 0 && { 'data-today': today }),
    ...(Object.keys(labels).length > 0 && { 'data-labels': JSON.stringify(labels) }),
    ...(hidesOptions && { 'data-removed': words.answersRemoved }),
    ...((hidesOptions || live.size > 0) && { 'data-listed': localeOf(language) }),
    ...(live.size > 0 && { 'data-yes': words.yes, 'data-no': words.no }),
    ...(countsAny && {
      'data-left': JSON.stringify(words.charactersLeft.forms),
      'data-over': JSON.stringify(words.charactersTooMany.forms),
    }),
    ...(searchesAny && { 'data-found': JSON.stringify(words.optionsFound.forms), 'data-none-found': words.noOptionFound }),
    ...((countsAny || searchesAny) && { 'data-counted': words.language }),
  };
}

/** The first fault of a field is the one to correct first. Each refused file is named, because none of them is on the page any more. */
function faultsOf(faults: readonly Fault[], key: string): readonly Fault[] {
  const [first, ...others] = faults.filter((fault) => fault.key === key);
  return first ? [first, ...others.filter(({ file }) => file !== undefined)] : [];
}

function Progress({ step }: { step: NonNullable<QuestionsPage['step']> }) {
  const { words, language } = useReading();
  return (
    <div className="step">
      <p>{words.stepOf(formatNumber(language, step.number), formatNumber(language, step.of))}</p>
      <progress value={step.number} max={step.of} aria-hidden="true" />
    </div>
  );
}

/** The questions of a page by their keys. Those of an item are named with it, as several items have the same. */
function questionsByKey(items: readonly ShownItem[], reading: Reading): ReadonlyMap<string, Faulty> {
  const { language, authorLanguage } = reading;
  const own = (field: Field, within: string[], at = reading): [string, Faulty] => {
    const texts = localItem(field, language, authorLanguage);
    return [field.key, { field, texts, label: [...within, plainWithAnswers(texts.label, at)].join(': ') }];
  };
  return new Map(
    items.flatMap(({ item, repeated }) => {
      if (!isField(item)) return [];
      const [key, faulty] = own(item, []);
      const inItems = (repeated?.items ?? []).flatMap((each, at) =>
        each.questions.flatMap(({ item: question }) =>
          isField(question) ? [own(question, [itemName(faulty.texts, at, reading)], inItem(reading, each))] : [],
        ),
      );
      return [[key, faulty], ...inItems];
    }),
  );
}

interface Faulty {
  field: Field;
  texts: LocalItem;
  /** With its item. */
  label: string;
}

/** The control that has the fault. */
function placeOf(field: Field, { params: { part } }: Fault): string {
  const index = partsWithPlaces(field).findIndex(({ name }) => name === part);
  return index > 0 ? `f-${field.key}-${index + 1}` : `f-${field.key}`;
}

/** All questions with a fault, each with a link to it, as the GOV.UK Design System does it. */
function Summary({ page: { faults, items } }: { page: QuestionsPage }) {
  const reading = useReading();
  const { words, language } = reading;
  if (faults.length === 0) return null;
  const questions = questionsByKey(items, reading);
  const keys = [...new Set(faults.map(({ key }) => key))];
  return (
    <div className="summary" role="alert" aria-labelledby="summary" tabIndex={-1} autoFocus>
      <h2 id="summary">{words.thereIsAProblem}</h2>
      <ul>
        {keys
          .flatMap((key) => faultsOf(faults, key))
          .map((fault, index) => {
            const { key } = fault;
            const question = questions.get(key);
            // A fault of a question on another step, or of one that the form does not have.
            if (!question) return <li key={index}>{faultSentence(language, fault, { label: key, type: 'short_text' })}</li>;
            const { field, texts, label } = question;
            const messages = Object.fromEntries(Object.entries(texts.messages).map(([kind, message]) => [kind, message.text]));
            return (
              <li key={index}>
                <a href={`#${placeOf(field, fault)}`}>
                  {faultSentence(language, fault, {
                    ...field,
                    label,
                    rows: plainly(texts.rows),
                    messages,
                  })}
                </a>
              </li>
            );
          })}
      </ul>
    </div>
  );
}
