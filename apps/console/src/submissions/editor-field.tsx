import { uploadFile } from '@sheaf/client';
import {
  answerKindOf,
  answerTraitsOf,
  boundsOf,
  cellIn,
  cellText,
  choiceBounds,
  countryOptions,
  isComputed,
  isRanked,
  keyInItem,
  labelTextOf,
  partLabel,
  partsOf,
  traitsOf,
  type AnswerTraits,
  type PartKind,
  type Offered,
} from '@sheaf/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { Plus, Upload, X } from 'lucide-react';
import { useId, useRef, useState, type ReactNode } from 'react';
import { client } from '../api/client';
import { problemSentence } from '../api/problem-sentence';
import { Button, IconButton } from '../parts/button';
import { Checkbox, RadioGroup, Select, TextField } from '../parts/fields';
import { capitalized } from '../words/capitalized';
import { useFormats } from '../words/use-formats';
import { useLanguage, useWords } from '../words/use-words';
import { draftOfItem, draftsOfItem, itemsOf, type Draft, type Filled } from './drafts';
import style from './editor.module.css';
import { answerText, fieldsInItem, itemName, matrixIn, optionsOf, type AnswerField } from './fields';
import { FileAnswer } from './file-answer';
import { fileKey } from './file-facts';

interface EditorFieldProps {
  form: string;
  field: AnswerField;
  draft: Draft | undefined;
  fault: string | undefined;
  /** Of all answers, by their places, also those in the items of a repeat. */
  faults?: ReadonlyMap<string, string> | undefined;
  /** The options to choose from, if they depend on other answers. */
  offered?: Offered | undefined;
  /** Of each item of a repeat. */
  inItems?: readonly Filled[] | undefined;
  onChange: (draft: Draft) => void;
}

/** An answer that is computed from the others: here for reading, and because a check may refuse it. */
export function CalculatedField({ field, answer, fault }: { field: AnswerField; answer: unknown; fault: string | undefined }) {
  const say = useWords('submissions');
  const text = answerText(field, answer, useFormats(), say);
  return (
    <TextField label={labelTextOf(field)} help={say.calculatedHelp} fault={fault} value={text} placeholder={say.noAnswer} isReadOnly />
  );
}

/** The control for an answer. */
export function EditorField(props: EditorFieldProps) {
  const say = useWords('submissions');
  const { field } = props;
  const Control = isRanked(field) ? Ranking : controls[answerTraitsOf(field).control];
  const label = labelTextOf(field);
  return <Control {...props} label={isRequired(field) ? say.required(label) : label} />;
}

type ControlProps = EditorFieldProps & { label: string };

// The server decides about the others.
const isRequired = (field: AnswerField): boolean => field.required && !('required_if' in field && field.required_if);

const textIn = ({ draft = '' }: ControlProps): string => (typeof draft === 'string' ? draft : '');

function YesOrNo(props: ControlProps) {
  const { label, fault, field, onChange } = props;
  const say = useWords('submissions');
  return (
    <RadioGroup
      label={label}
      fault={fault}
      options={[
        { value: 'true', label: say.yes },
        { value: 'false', label: say.no },
        ...(isRequired(field) ? [] : [{ value: '', label: say.noAnswer }]),
      ]}
      value={textIn(props)}
      onChange={onChange}
    />
  );
}

// A React key must not be empty.
const noOption = '\u0000';

/** The options that are offered or chosen: a chosen one that is not offered can be seen, and taken back. */
const choicesOf = ({ field, offered, draft = '' }: ControlProps) =>
  optionsOf(field).filter(({ value }) => offered?.has(value) !== false || [draft].flat().includes(value));

const Option = (props: ControlProps) => <OneOf {...props} options={choicesOf(props)} />;

function Country(props: ControlProps) {
  const { field } = props;
  return <OneOf {...props} options={countryOptions(field.type === 'country' ? field : {}, useLanguage())} />;
}

function OneOf({ options, ...props }: ControlProps & { options: readonly { value: string; label: string }[] }) {
  const { label, fault, field, onChange } = props;
  const say = useWords('submissions');
  const text = textIn(props);
  return (
    <Select
      label={label}
      fault={fault}
      options={[...(isRequired(field) ? [] : [{ value: noOption, label: say.noAnswer }]), ...options]}
      value={text === '' ? null : text}
      onChange={(value) => onChange(value === noOption ? '' : value)}
      placeholder={say.choose}
    />
  );
}

const typed = (attributes: { type?: string; inputMode?: 'decimal' | 'numeric'; placeholder?: string } = {}) =>
  function Typed(props: ControlProps) {
    const { label, fault, field, onChange } = props;
    return (
      <TextField
        label={label}
        fault={fault}
        value={textIn(props)}
        onChange={onChange}
        isLong={traitsOf(field).isLong === true}
        autoComplete="off"
        {...attributes}
      />
    );
  };

const text = typed();

const day = typed({ type: 'date' });
const time = typed({ type: 'time' });
const moment = typed({ placeholder: '2026-05-31T14:30:00Z' });

function Moment(props: ControlProps) {
  const { input } = answerTraitsOf(props.field);
  const Typed = input === 'date' ? day : input === 'time' ? time : moment;
  return <Typed {...props} />;
}

const decimal = typed({ inputMode: 'decimal' });
const whole = typed({ inputMode: 'numeric' });
const NumberIn = (props: ControlProps) => (answerKindOf(props.field) === 'whole' ? whole(props) : decimal(props));

const controls: Readonly<Record<AnswerTraits['control'], (props: ControlProps) => ReactNode>> = {
  text,
  number: NumberIn,
  truth: YesOrNo,
  moment: Moment,
  country: Country,
  option: Option,
  options: Options,
  parts: InParts,
  matrix: Matrix,
  signature: Signature,
  items: Items,
  file: Files,
};

/** Several controls for one answer, with its fault below them. */
function Group({ label, fault, children }: Pick<ControlProps, 'label' | 'fault'> & { children: ReactNode }) {
  // A key is not enough: each item of a repeat has the same fields.
  const id = useId();
  return (
    <fieldset className={style.options} aria-describedby={fault === undefined ? undefined : id}>
      <legend dir="auto">{label}</legend>
      {children}
      {fault !== undefined && (
        <p id={id} className="fault">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

function Options(props: ControlProps) {
  const { draft = [], fault, label, onChange } = props;
  const chosen = typeof draft === 'string' ? [] : draft;
  return (
    <Group label={label} fault={fault}>
      {choicesOf(props).map((option) => (
        <Checkbox
          key={option.value}
          isSelected={chosen.includes(option.value)}
          onChange={(isSelected) => onChange(isSelected ? [...chosen, option.value] : chosen.filter((each) => each !== option.value))}
        >
          <span dir="auto">{option.label}</span>
        </Checkbox>
      ))}
    </Group>
  );
}

/** A list for each rank, as on the page of the form. A rank without an option keeps its place until the answer is read. */
function Ranking(props: ControlProps) {
  const { field, draft = [], fault, label, onChange } = props;
  const say = useWords('submissions');
  const formats = useFormats();
  const chosen = typeof draft === 'string' ? [] : draft;
  const options = optionsOf(field);
  // A corrected answer may have more ranks than are asked for now.
  const asked = Math.max(choiceBounds({ ...field, options: [...options] }).max ?? 0, chosen.length);
  const ranks = Array.from({ length: asked }, (_, index) => chosen[index] ?? '');
  return (
    <Group label={label} fault={fault}>
      {ranks.map((value, index) => (
        <Select
          key={index}
          label={say.rank(formats.number(index + 1))}
          options={[{ value: noOption, label: say.noAnswer }, ...choicesOf(props)]}
          value={value === '' ? null : value}
          onChange={(next) => onChange(ranks.map((each, at) => (at === index ? (next === noOption ? '' : next) : each)))}
          placeholder={say.choose}
        />
      ))}
    </Group>
  );
}

/** A list of the columns for each row, or boxes to tick. */
function Matrix(props: ControlProps) {
  const { field, draft = [], fault, label, onChange } = props;
  const say = useWords('submissions');
  const chosen = typeof draft === 'string' ? [] : draft;
  const { rows, columns, multiple } = matrixIn(field);
  const set = (row: string, next: readonly string[]) => onChange([...chosen.filter((cell) => cellIn(cell)?.[0] !== row), ...next]);
  return (
    <Group label={label} fault={fault}>
      {rows.map((row) => {
        const cells = columns.map((column) => ({ value: cellText(row.value, column.value), label: column.label }));
        const given = chosen.filter((cell) => cellIn(cell)?.[0] === row.value);
        if (multiple !== true)
          return (
            <Select
              key={row.value}
              label={row.label}
              options={[{ value: noOption, label: say.noAnswer }, ...cells]}
              value={given[0] ?? null}
              onChange={(cell) => set(row.value, cell === noOption ? [] : [cell])}
              placeholder={say.choose}
            />
          );
        return (
          <fieldset key={row.value} className={style.options}>
            <legend dir="auto">{row.label}</legend>
            {cells.map((cell) => (
              <Checkbox
                key={cell.value}
                isSelected={given.includes(cell.value)}
                onChange={(isSelected) => set(row.value, isSelected ? [...given, cell.value] : given.filter((each) => each !== cell.value))}
              >
                <span dir="auto">{cell.label}</span>
              </Checkbox>
            ))}
          </fieldset>
        );
      })}
    </Group>
  );
}

/** The fields of each item of a repeat, with a button to take it away, and one to add another. */
function Items({ form, field, draft, fault, faults, inItems = [], label, onChange }: ControlProps) {
  const say = useWords('submissions');
  const formats = useFormats();
  const items = itemsOf(draft);
  const { ids, box, add, remove } = useItems(items, onChange);
  const { max = Infinity } = boundsOf({ ...field, ...('max' in field ? { max: field.max } : {}) });
  return (
    <Group label={label} fault={fault}>
      <div ref={box} className={style.items}>
        {items.map((item, at) => {
          const drafts = draftsOfItem(item);
          const name = itemName(field, at, formats, say.item);
          return (
            <fieldset key={ids[at] ?? at} className={style.item}>
              <legend dir="auto" tabIndex={-1} data-item>
                {name}
              </legend>
              {fieldsInItem(field)
                .filter((inner) => !isComputed(inner) && inItems[at]?.hidden.has(inner) !== true)
                .map((inner) => (
                  <EditorField
                    key={inner.key}
                    form={form}
                    field={inner}
                    draft={drafts[inner.key]}
                    fault={faults?.get(keyInItem(field.key, at, inner.key))}
                    offered={inItems[at]?.offered.get(inner)}
                    onChange={(next) => onChange(items.with(at, draftOfItem({ ...drafts, [inner.key]: next })))}
                  />
                ))}
              <Button isSmall icon={X} onPress={() => remove(at)}>
                {say.removeItem(name)}
              </Button>
            </fieldset>
          );
        })}
        {items.length < max && (
          <Button isSmall icon={Plus} onPress={add} data-item>
            {say.addItem(label)}
          </Button>
        )}
      </div>
    </Group>
  );
}

/** Each item keeps an id of its own, so that its controls stay with it when one before it is removed. */
function useItems(items: readonly string[], onChange: (items: readonly string[]) => void) {
  const [ids, setIds] = useState<readonly number[]>(items.map((_, at) => at));
  const box = useRef<HTMLDivElement>(null);
  const focus = (at: number) => requestAnimationFrame(() => box.current?.querySelectorAll<HTMLElement>('[data-item]')[at]?.focus());
  return {
    ids,
    box,
    add: () => {
      setIds([...ids, (ids.at(-1) ?? -1) + 1]);
      onChange([...items, draftOfItem({})]);
      focus(items.length);
    },
    remove: (at: number) => {
      setIds(ids.toSpliced(at, 1));
      onChange(items.toSpliced(at, 1));
      // The item that follows, or the button to add one, takes the focus of the button that is gone.
      focus(at);
    },
  };
}

const inputs: Readonly<Partial<Record<PartKind, 'date' | 'time'>>> = { date: 'date', time: 'time' };

/** A control for each part of the answer. */
function InParts(props: ControlProps) {
  const { field, draft = [], fault, label, onChange } = props;
  const { answerParts: names, noAnswer, choose } = useWords('submissions');
  const language = useLanguage();
  const parts = partsOf(field);
  const given = parts.map((_, index) => [draft].flat()[index] ?? '');
  return (
    <Group label={label} fault={fault}>
      {parts.map((part, index) =>
        part.kind === 'country' ? (
          <Select
            key={part.name}
            label={capitalized(partLabel(part, names), language)}
            options={[{ value: noOption, label: noAnswer }, ...countryOptions({}, language)]}
            value={given[index] === '' ? null : (given[index] ?? null)}
            onChange={(code) => onChange(given.with(index, code === noOption ? '' : code))}
            placeholder={choose}
          />
        ) : (
          <TextField
            key={part.name}
            label={capitalized(partLabel(part, names), language)}
            type={inputs[part.kind] ?? 'text'}
            value={given[index] ?? ''}
            onChange={(text) => onChange(given.with(index, text))}
            autoComplete="off"
          />
        ),
      )}
    </Group>
  );
}

/** Members type a name. A picture that a respondent has drawn stays until somebody takes it away. */
function Signature({ form, draft = [], fault, label, onChange }: ControlProps) {
  const say = useWords('submissions');
  const [name = '', picture] = [draft].flat();
  if (picture === undefined)
    return (
      <TextField label={label} help={say.typeName} value={name} onChange={(text) => onChange([text])} autoComplete="off" fault={fault} />
    );
  return (
    <Group label={label} fault={fault}>
      <div className={style.file}>
        <FileAnswer form={form} id={picture} name={say.drawnSignature} />
        <IconButton isSmall icon={X} label={say.removeFile} onPress={() => onChange([name])} />
      </div>
    </Group>
  );
}

/** Files are uploaded at once, as respondents do it; those that no submission takes are removed by themselves. */
function Files({ form, field, draft = [], fault, label, onChange }: ControlProps) {
  const say = useWords('submissions');
  const language = useLanguage();
  const queryClient = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<string>();
  const ids = typeof draft === 'string' ? [] : draft;
  const { accept, multiple } = field.type === 'file' ? field : {};
  const isFull = multiple !== true && ids.length > 0;
  const upload = async (file: File) => {
    setIsPending(true);
    setError(undefined);
    try {
      const uploaded = await uploadFile({ client, path: { form }, query: { field: field.key }, body: { file } });
      queryClient.setQueryData(fileKey(form, uploaded.file_id), { name: uploaded.name, type: uploaded.content_type, size: uploaded.size });
      onChange([...ids, uploaded.file_id]);
    } catch (thrown) {
      setError(problemSentence(thrown, language).title);
    } finally {
      setIsPending(false);
    }
  };
  return (
    <fieldset className={style.options}>
      <legend dir="auto">{label}</legend>
      {ids.map((id) => (
        <div key={id} className={style.file}>
          <FileAnswer form={form} id={id} />
          <IconButton isSmall icon={X} label={say.removeFile} onPress={() => onChange(ids.filter((each) => each !== id))} />
        </div>
      ))}
      {!isFull && (
        <>
          <input
            ref={input}
            type="file"
            hidden
            accept={accept?.join(',')}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) void upload(file);
              target.value = '';
            }}
          />
          <Button
            isSmall
            icon={Upload}
            isPending={isPending}
            onPress={() => input.current?.click()}
            aria-label={say.chooseFileFor(labelTextOf(field))}
          >
            {say.chooseFile}
          </Button>
        </>
      )}
      {(fault ?? error) !== undefined && (
        <p role="alert" className="fault">
          {fault ?? error}
        </p>
      )}
    </fieldset>
  );
}
