import type { FormItem } from '@sheaf/client';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { answerText, type AnswerField } from './fields';
import { FileAnswer } from './file-answer';
import style from './panel.module.css';

type Answers = Readonly<Record<string, unknown>>;

/** Answers under the version that they were made against: its sections, its labels and the names of its options. */
export function AnswerList({ form, items, answers }: { form: string; items: readonly FormItem[]; answers: Answers }) {
  const keys = new Set(items.flatMap((item) => ('key' in item ? [item.key] : [])));
  const others = Object.keys(answers).filter((key) => !keys.has(key));
  const groups = groupsOf(items);
  return (
    <div className={style.answers}>
      {groups.map(({ title, fields }, index) => (
        <div key={index} className={style.group}>
          {title !== undefined && <h4 dir="auto">{title}</h4>}
          <dl className={style.list}>
            {fields.map((field) => (
              <div key={field.key}>
                <dt dir="auto">{field.label}</dt>
                <dd>
                  <Answer form={form} field={field} value={answers[field.key]} />
                </dd>
              </div>
            ))}
            {index === groups.length - 1 &&
              others.map((key) => (
                <div key={key}>
                  <dt>
                    <code>{key}</code>
                  </dt>
                  <dd>
                    <Answer form={form} field={undefined} value={answers[key]} />
                  </dd>
                </div>
              ))}
          </dl>
        </div>
      ))}
    </div>
  );
}

interface Group {
  title: string | undefined;
  fields: AnswerField[];
}

function groupsOf(items: readonly FormItem[]): Group[] {
  const groups: Group[] = [{ title: undefined, fields: [] }];
  for (const item of items) {
    if ('key' in item) groups.at(-1)?.fields.push(item);
    else if (item.type !== 'statement') groups.push({ title: item.label, fields: [] });
  }
  const filled = groups.filter(({ fields }) => fields.length > 0);
  return filled.length > 0 ? filled : groups.slice(0, 1);
}

function Answer({ form, field, value }: { form: string; field: AnswerField | undefined; value: unknown }) {
  const say = useWords('submissions');
  const formats = useFormats();
  const text = answerText(field, value, formats, say);
  if (text === '') return <span className="muted">{say.noAnswer}</span>;
  if (field?.type === 'file') {
    const ids = (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'string');
    return ids.map((id) => <FileAnswer key={id} form={form} id={id} />);
  }
  if (field?.type === 'email' && /^[^\s@?&]+@[^\s@?&]+$/.test(text))
    return (
      <a href={`mailto:${text}`} dir="auto">
        {text}
      </a>
    );
  if (field?.type === 'url' && /^https?:\/\//i.test(text))
    return (
      <a href={text} target="_blank" rel="noreferrer noopener" dir="auto">
        {text}
      </a>
    );
  if (field?.type === 'multi_select' && Array.isArray(value) && value.length > 1)
    return (
      <ul className={style.bullets}>
        {value.map((each) => (
          <li key={String(each)} dir="auto">
            {answerText(field, each, formats, say)}
          </li>
        ))}
      </ul>
    );
  return (
    <p dir="auto" className={style.answer}>
      {text}
    </p>
  );
}
