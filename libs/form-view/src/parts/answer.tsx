import { useReading, type Reading } from '../reading';
import type { ShownAnswer } from '../view';
import { formatDateTime, formatDay, formatNumber, formatTime } from '../words/formats';
import { isolated } from '../words/isolated';
import { localItem, type LocalItem } from '../words/localized';
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
              <Written text={texts.label} />
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
                  aria-label={words.changeAnswer(isolated(language, texts.label.text))}
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
  const { words, language } = reading;
  if (field.type === 'file' && fileNames.length > 0) return <List texts={fileNames} />;
  if (answer === undefined || answer === null || answer === '') return <span className="muted">{words.notAnswered}</span>;
  switch (field.type) {
    case 'boolean':
      return answer === true ? words.yes : words.no;
    case 'select':
      return <Option value={answer} texts={texts} />;
    case 'multi_select':
      return (
        <ul>
          {listOf(answer).map((value) => (
            <li key={value}>
              <Option value={value} texts={texts} />
            </li>
          ))}
        </ul>
      );
    case 'number':
    case 'integer':
    case 'rating':
      return typeof answer === 'number' ? formatNumber(language, answer) : <bdi>{textOf(answer)}</bdi>;
    case 'date':
      return formatDay(language, textOf(answer));
    case 'time':
      return formatTime(language, textOf(answer));
    case 'datetime':
      return formatDateTime(language, textOf(answer));
    case 'file':
      return <List texts={listOf(answer)} />;
    case 'short_text':
    case 'long_text':
    case 'email':
    case 'url':
    case 'phone':
    case 'hidden':
      return <RespondentText text={textOf(answer)} />;
  }
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

/** The label of an option; its value, should the form no longer have it. */
function Option({ value, texts }: { value: unknown; texts: LocalItem }) {
  const option = texts.options.find((each) => each.value === value);
  return option ? <Written text={option.label} /> : <bdi>{textOf(value)}</bdi>;
}
