import {
  answerKindOf,
  answerTraits,
  chosenRows,
  isComputed,
  isFile,
  isHidden,
  isRanked,
  isRepeat,
  partIn,
  pipedKeys,
  type AnswerKind,
  type Answers as AnswersByKey,
  type Field,
} from '@sheaf/contracts';
import { Fragment, type ReactNode } from 'react';
import { writtenAnswer } from '../answers/answer-text';
import { writtenResult } from '../answers/calculated';
import { writingOf } from '../fields/calculated';
import { itemName } from '../fields/repeat';
import { pipedAnswers } from '../filling/piped';
import { ReadingProvider, useReading, type Reading } from '../reading';
import type { ShownAnswer } from '../view';
import { localeOf } from '../words/formats';
import { isolated } from '../words/isolated';
import { localItem, type LocalItem, type LocalText } from '../words/localized';
import { plainWithAnswers, WithAnswers } from './piped';
import { RespondentText, Written } from './text';

/** Questions with their answers, each with a button that leads back to it if it can still be changed. */
export function Answers({ answers }: { answers: readonly ShownAnswer[] }) {
  const reading = useReading();
  const { words, language, authorLanguage } = reading;
  return (
    <dl className="answers">
      {answers.map((shown) => {
        const texts = localItem(shown.field, language, authorLanguage);
        return (
          <div key={shown.field.key}>
            <dt>
              <WithAnswers text={texts.label} />
            </dt>
            <dd>
              <Answer shown={shown} texts={texts} reading={reading} />
            </dd>
            {shown.change && (
              <dd className="change">
                <button
                  className="quiet"
                  name={shown.change.name}
                  value={shown.change.value}
                  aria-label={words.changeAnswer(isolated(language, plainWithAnswers(texts.label, reading)))}
                >
                  {words.change}
                </button>
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}

function Answer({ shown: { field, answer, fileNames }, texts, reading }: { shown: ShownAnswer; texts: LocalItem; reading: Reading }) {
  if (isFile(field) && fileNames.length > 0) return <List texts={fileNames} />;
  if (answer === undefined || answer === null || answer === '') return <span className="muted">{reading.words.notAnswered}</span>;
  if (isComputed(field)) return <RespondentText text={writtenResult(answer, writingOf(field, reading))} />;
  if (isRepeat(field)) return <Items field={field} answer={answer} texts={texts} />;
  if (isRanked(field)) return <Options answer={answer} texts={texts} List="ol" />;
  const kind = answerKindOf(field);
  return drawn[kind]?.(answer, texts, reading) ?? <Line kind={kind} answer={answer} reading={reading} />;
}

/** The items of a repeat, each with its answers. */
function Items({ field, answer, texts }: { field: Field; answer: unknown; texts: LocalItem }) {
  const reading = useReading();
  const items = (Array.isArray(answer) ? answer : []) as AnswersByKey[];
  return (
    <ol className="items">
      {items.map((item, at) => (
        <li key={at}>
          <p>
            <b>{itemName(texts, at, reading)}</b>
          </p>
          <ItemAnswers fields={field.fields ?? []} answers={item} />
        </li>
      ))}
    </ol>
  );
}

/** The answers of an item, without unanswered questions: it may not ask them. */
function ItemAnswers({ fields, answers }: { fields: readonly Field[]; answers: AnswersByKey }) {
  const reading = useReading();
  const keys = new Set(fields.flatMap((field) => [...pipedKeys(field)]));
  const piped = pipedAnswers(keys, fields, { answers, fileNames: new Map() }, reading);
  const shown = fields.filter((field) => !isHidden(field) && Object.hasOwn(answers, field.key));
  return (
    <ReadingProvider reading={{ ...reading, piped: { ...reading.piped, ...piped } }}>
      <Answers answers={shown.map((field) => ({ field, answer: answers[field.key], fileNames: [], change: undefined }))} />
    </ReadingProvider>
  );
}

type Write = (answer: unknown, texts: LocalItem, reading: Reading) => ReactNode;

/** An answer that somebody has typed, or that is more than a line; of other kinds, there is none. */
const drawn: Readonly<Partial<Record<AnswerKind, Write>>> = {
  country: (answer, texts) => <Option value={answer} texts={texts} />,
  option: (answer, texts) => <Option value={answer} texts={texts} />,
  options: (answer, texts) => <Options answer={answer} texts={texts} List="ul" />,
  matrix: (answer, texts) => <Rows answer={answer} texts={texts} />,
  signature: (answer, _, { words }) => signed(answer, words),
  file: (answer) => <List texts={listOf(answer)} />,
};

function Line({ kind, answer, reading }: { kind: AnswerKind; answer: unknown; reading: Reading }) {
  if (answerTraits(kind).isText) return <RespondentText text={textOf(answer)} />;
  const { language, words } = reading;
  const text = writtenAnswer(kind, answer, { locale: localeOf(language), yes: words.yes, no: words.no, labelOf: String });
  // One that is not as its kind has it is as somebody has typed it.
  return text === answer ? <bdi>{text}</bdi> : text;
}

/** The name that was typed, or the word for a picture: a page shows none of those that arrived. */
function signed(answer: unknown, words: Reading['words']): ReactNode {
  const name = partIn(answer, 'name');
  if (typeof name === 'string') return <bdi>{name}</bdi>;
  return partIn(answer, 'kind') === 'drawn' ? words.signature.drawn : <bdi>{textOf(answer)}</bdi>;
}

const textOf = (answer: unknown): string => (typeof answer === 'string' ? answer : JSON.stringify(answer));
const listOf = (answer: unknown): string[] => (Array.isArray(answer) ? answer : [answer]).map(textOf);

const List = ({ texts }: { texts: readonly string[] }) => (
  <ul>
    {texts.map((text, index) => (
      <li key={index}>
        <bdi>{text}</bdi>
      </li>
    ))}
  </ul>
);

const Options = ({ answer, texts, List }: { answer: unknown; texts: LocalItem; List: 'ol' | 'ul' }) => (
  <List>
    {listOf(answer).map((value) => (
      <li key={value}>
        <Option value={value} texts={texts} />
      </li>
    ))}
  </List>
);

/** The rows of a matrix that are answered, each with its columns. */
function Rows({ answer, texts }: { answer: unknown; texts: LocalItem }) {
  const rows = chosenRows(texts.rows, texts.columns, answer);
  if (rows.length === 0) return <bdi>{textOf(answer)}</bdi>;
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.value}>
          <Labelled {...row} />
          {': '}
          {row.columns.map((column, index) => (
            <Fragment key={column.value}>
              {index > 0 && ', '}
              <Labelled {...column} />
            </Fragment>
          ))}
        </li>
      ))}
    </ul>
  );
}

const Option = ({ value, texts }: { value: unknown; texts: LocalItem }) => (
  <Labelled value={value} label={texts.options.find((each) => each.value === value)?.label} />
);

/** The label of an option; its value, should the form no longer have it. */
const Labelled = ({ value, label }: { value: unknown; label: LocalText | undefined }) =>
  label ? <Written text={label} /> : <bdi>{textOf(value)}</bdi>;
