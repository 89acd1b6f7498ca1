import type { FormItem } from '@sheaf/client';
import { answerKindOf, fileIdsIn, isRanked, labelTextOf, partIn, type AnswerKind } from '@sheaf/contracts';
import type { ReactNode } from 'react';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { answerText, fileIdsOf, itemFieldsOf, itemName, optionLabel, rowTexts, type AnswerField } from './fields';
import { FileAnswer } from './file-answer';
import { Marked } from './marked';
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
                <dt dir="auto">{labelTextOf(field)}</dt>
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
    else if (item.type === 'page' || item.type === 'section') groups.push({ title: labelTextOf(item), fields: [] });
  }
  const filled = groups.filter(({ fields }) => fields.length > 0);
  return filled.length > 0 ? filled : groups.slice(0, 1);
}

interface AnswerProps {
  form: string;
  field: AnswerField | undefined;
  value: unknown;
}

function Answer(props: AnswerProps) {
  const { field, value } = props;
  const say = useWords('submissions');
  const text = answerText(field, value, useFormats(), say);
  if (text === '') return <span className="muted">{say.noAnswer}</span>;
  const Written = (field && (isPlace(field) ? PlaceOnMap : written[answerKindOf(field)])) ?? Plain;
  return <Written {...props} text={text} />;
}

type Written = (props: AnswerProps & { text: string }) => ReactNode;

const Plain: Written = ({ text }) => (
  <p dir="auto" className={style.answer}>
    <Marked text={text} />
  </p>
);

const EmailAddress: Written = (props) =>
  /^[^\s@?&]+@[^\s@?&]+$/.test(props.text) ? (
    <a href={`mailto:${props.text}`} dir="auto">
      <Marked text={props.text} />
    </a>
  ) : (
    <Plain {...props} />
  );

/** With what is between the digits of a number for the eye, which a phone does without. */
const PhoneNumber: Written = (props) => {
  const number = props.text.replace(/[\s().\-/]/g, '');
  return /^\+?\d{3,15}$/.test(number) ? (
    <a href={`tel:${number}`} dir="ltr">
      <Marked text={props.text} />
    </a>
  ) : (
    <Plain {...props} />
  );
};

/** The map learns of the address from who follows the link, and of nobody else. */
const PlaceOnMap: Written = (props) => (
  <a
    href={`https://www.openstreetmap.org/search?query=${encodeURIComponent(props.text.replace(/\s+/g, ' '))}`}
    target="_blank"
    rel="noreferrer noopener"
    dir="auto"
    className={style.answer}
  >
    <Marked text={props.text} />
  </a>
);

const isPlace = (field: AnswerField): boolean => 'autocomplete' in field && field.autocomplete === 'street-address';

const WebAddress: Written = (props) =>
  /^https?:\/\//i.test(props.text) ? (
    <a href={props.text} target="_blank" rel="noreferrer noopener" dir="auto">
      <Marked text={props.text} />
    </a>
  ) : (
    <Plain {...props} />
  );

function Options(props: AnswerProps & { text: string }) {
  const { field, value } = props;
  if (!Array.isArray(value) || value.length < 2) return <Plain {...props} />;
  const List = field && isRanked(field) ? 'ol' : 'ul';
  return (
    <List className={style[List === 'ol' ? 'numbers' : 'bullets']}>
      {value.map((each) => (
        <li key={String(each)} dir="auto">
          <Marked text={optionLabel(field, each)} />
        </li>
      ))}
    </List>
  );
}

/** A line for each row of a matrix. */
function Rows(props: AnswerProps & { text: string }) {
  const { field, value } = props;
  const rows = field ? rowTexts(field, value, useFormats()) : [];
  if (rows.length === 0) return <Plain {...props} />;
  return (
    <ul className={style.bullets}>
      {rows.map(({ row, text }, index) => (
        <li key={index} dir="auto">
          <Marked text={`${row}: ${text}`} />
        </li>
      ))}
    </ul>
  );
}

/** A table with a line for each item of a repeat, and a column for each of its fields. */
function Items(props: AnswerProps & { text: string }) {
  const { field, value } = props;
  const formats = useFormats();
  const say = useWords('submissions');
  const fields = field ? itemFieldsOf(field) : [];
  if (!field || fields.length === 0 || !Array.isArray(value)) return <Plain {...props} />;
  return (
    // A table that is wider than its place is scrolled, also by keyboard.
    <div className={style.items} role="region" aria-label={field.label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{say.item}</th>
            {fields.map(({ key, label }) => (
              <th key={key} scope="col" dir="auto">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {value.map((item, index) => (
            <tr key={index}>
              <th scope="row" dir="auto">
                {itemName(field, index, formats, say.item)}
              </th>
              {fields.map((inner) => (
                <td key={inner.key} dir="auto">
                  <Marked text={answerText(inner, partIn(item, inner.key), formats, say)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Files: Written = ({ form, value }) => fileIdsIn(value).map((id) => <FileAnswer key={id} form={form} id={id} />);

/** A name as it was typed, or the picture of what was drawn. */
const Signed: Written = (props) => {
  const { form, field, value, text } = props;
  const [id] = field ? fileIdsOf(field, value) : [];
  return id === undefined ? <Plain {...props} /> : <FileAnswer form={form} id={id} name={text} />;
};

/** Of kinds whose answers are plain texts, there is none. */
const written: Readonly<Partial<Record<AnswerKind, Written>>> = {
  email: EmailAddress,
  url: WebAddress,
  phone: PhoneNumber,
  options: Options,
  matrix: Rows,
  signature: Signed,
  items: Items,
  file: Files,
};
