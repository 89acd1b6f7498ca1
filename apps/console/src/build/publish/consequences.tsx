import type { AffectedField, PublishCheck } from '@sheaf/client';
import { TriangleAlert } from 'lucide-react';
import { useFormats } from '../../words/formats';
import { useWords } from '../../words/use-words';
import { ChangesList } from '../differences/changes-list';
import { useEditing } from '../editor/editing';
import { isField } from '../model/contents';
import style from './publish.module.css';
import { words } from './words';

/** What publishing changes: for those who fill in the form, and for the answers that are there. */
export function Consequences({ check, version }: { check: PublishCheck; version: number }) {
  const say = useWords(words);
  const { changes, payment, affected } = check;
  const losing = changes.filter(({ kind, key }) => key !== undefined && (kind === 'removed' || kind === 'retyped'));
  return (
    <div className={style.consequences}>
      <Warnings check={check} version={version} />
      {version === 0 && <p>{say.first}</p>}
      {losing.length > 0 && (
        <section>
          <h3>{say.affected}</h3>
          <Affected affected={affected} check={check} />
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

function Affected({ affected, check: { changes } }: { affected: readonly AffectedField[]; check: PublishCheck }) {
  const say = useWords(words);
  const formats = useFormats();
  const counted = affected.flatMap(({ key, submissions, submissions_at_least: atLeast }) => {
    const count = submissions ?? atLeast ?? 0;
    if (count === 0) return [];
    const number = formats.number(count);
    const label = changes.find((change) => change.key === key && change.from)?.from?.label ?? key;
    return [say.answersTo(say.submissions(count, submissions === undefined ? say.atLeast(number) : number), label)];
  });
  if (counted.length === 0) return <p>{say.noneAffected}</p>;
  return (
    <>
      <ul>
        {counted.map((text) => (
          <li key={text} dir="auto">
            {text}
          </li>
        ))}
      </ul>
      <p className="muted">{say.stayReadable}</p>
    </>
  );
}

/** What the server warns of in English and this page says itself, in the person's language or by its numbers. */
const saidHere = /^(?:The field "|The form has no fields|Nothing has changed|Respondents )/;

function Warnings({ check, version }: { check: PublishCheck; version: number }) {
  const say = useWords(words);
  const { entries } = useEditing().state.history.present;
  const { changes, payment, warnings } = check;
  const texts = [
    ...(entries.some(({ item }) => isField(item)) ? [] : [say.noFields]),
    ...(version > 0 && changes.length === 0 && !payment ? [say.nothingChanged(version)] : []),
    ...(payment?.to && !payment.from ? [say.paymentNeeded] : []),
    ...warnings.filter((warning) => !saidHere.test(warning)),
  ];
  if (texts.length === 0) return null;
  return (
    <ul className={style.warnings}>
      {texts.map((text) => (
        <li key={text}>
          <TriangleAlert size={16} aria-hidden />
          {text}
        </li>
      ))}
    </ul>
  );
}
