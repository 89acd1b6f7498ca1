import type { PublishCheck, PublishWarning } from '@sheaf/client';
import { isField, labelTextOf, type FormItem } from '@sheaf/contracts';
import { TriangleAlert } from 'lucide-react';
import { useFormats } from '../../words/use-formats';
import { languageName } from '../../words/language-name';
import { useLanguage, useWords } from '../../words/use-words';
import { ChangesList } from '../differences/changes-list';
import { priceText } from '../differences/price-text';
import style from './publish.module.css';
import { warningSentence } from './warning-sentence';
import { warningsOf, type AnswerWarning } from './warnings-of';

/** The consequences of publishing: for those who fill in the form, and for the answers that are there. */
export function Consequences({ check, version }: { check: PublishCheck; version: number }) {
  const say = useWords('builder').publish;
  const { changes, payment } = check;
  const { ofAnswers, others, texts } = warningsOf(check);
  const sentence = useSentence(check);
  return (
    <div className={style.consequences}>
      <Warnings texts={[...others.map((warning) => sentence(warning)), ...texts]} />
      {version === 0 && <p>{say.first}</p>}
      {ofAnswers.length > 0 && (
        <section>
          <h3>{say.affected}</h3>
          <Affected texts={ofAnswers.filter(({ count }) => count !== 0).map((about) => sentence(about.warning, about))} />
        </section>
      )}
      {(changes.length > 0 || payment) && (
        <section>
          <h3>{say.whatChanges}</h3>
          <ChangesList changes={changes} payment={payment} />
        </section>
      )}
    </div>
  );
}

/** More would hide what the sentence says. */
const mostOptions = 3;

/** Writes a warning with the labels that the form has had so far. */
function useSentence({ changes }: PublishCheck): (warning: PublishWarning, about?: AnswerWarning) => string {
  const say = useWords('builder').publish;
  const warningSay = useWords('builder').warnings;
  const kindSay = useWords('builder').kinds;
  const page = useWords('builder').page;
  const language = useLanguage();
  const formats = useFormats();
  const items = (changes as readonly { from?: FormItem }[]).flatMap(({ from }) => (from && isField(from) ? [from] : []));
  const before = new Map(items.map((field) => [field.key, field]));

  const submissions = ({ count, isLeast }: AnswerWarning) => {
    if (count === undefined) return say.uncounted;
    const number = formats.number(count);
    return say.submissions(count, isLeast ? say.atLeast(number) : number);
  };
  const options = ({ warning, options: values }: AnswerWarning) => {
    const field = before.get(String(warning.params.key));
    const labels = new Map(field?.options?.map(({ value, label }) => [value, label]));
    const nameOf = field?.type === 'country' ? formats.country : (value: string) => labels.get(value) ?? value;
    const named = values.slice(0, mostOptions).map((value) => say.quoted(nameOf(value)));
    const others = values.length - named.length;
    return formats.either(others > 0 ? [...named, say.otherOptions(others, formats.number(others))] : named);
  };
  return (warning, about) =>
    warningSentence(warning, warningSay, {
      label(key) {
        const field = before.get(key);
        return field ? labelTextOf(field) : key;
      },
      kind: (type) => kindSay[type],
      language: languageName,
      price: (payment) => priceText(payment, language, page),
      number: formats.number,
      submissions: about ? submissions(about) : '',
      options: about ? options(about) : '',
    });
}

function Affected({ texts }: { texts: readonly string[] }) {
  const say = useWords('builder').publish;
  if (texts.length === 0) return <p>{say.noneAffected}</p>;
  return (
    <ul>
      {texts.map((text) => (
        <li key={text} dir="auto">
          {text}
        </li>
      ))}
    </ul>
  );
}

function Warnings({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <ul className={style.warnings}>
      {texts.map((text) => (
        <li key={text} dir="auto">
          <TriangleAlert size={16} aria-hidden />
          {text}
        </li>
      ))}
    </ul>
  );
}
