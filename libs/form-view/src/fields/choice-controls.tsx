import {
  answerKindOf,
  countriesOf,
  hasSetting,
  isField,
  isRanked,
  otherValue,
  type Condition,
  type Field,
  type FormElement,
  type OptionImage,
} from '@sheaf/contracts';
import type { ReactNode } from 'react';
import { Written } from '../parts/text';
import { useReading } from '../reading';
import { describedBy, idOf, invalid, nameOf, type Control } from './control';
import { Group, Hints, Label } from './surroundings';
import { SelectBox } from './text-controls';

/** Longer lists are shorter as a list box, unless their author says how they look. */
const maxRadios = 7;

/** Longer lists can be searched, with a script. */
const maxUnsearched = 15;

/** Whether the script lets people search the options. */
export const isSearched = (item: Field | FormElement): boolean => isField(item) && choicesIn(item) > maxUnsearched;

function choicesIn(field: Field): number {
  if (answerKindOf(field) === 'country') return countriesOf(field).length;
  return hasSetting(field, 'options') && !isRanked(field) ? (field.options ?? []).length : 0;
}

type Look = 'list' | 'dropdown' | 'buttons';

const lookOf = ({ field: { appearance, options = [] } }: Control): Look =>
  (appearance as Look | undefined) ?? (options.length > maxRadios && !options.some(({ image }) => image) ? 'dropdown' : 'list');

const classes: Readonly<Record<Look, string>> = { list: 'choices', dropdown: 'choices', buttons: 'choices toggles' };

const classOf = ({ field: { options = [] } }: Control, look: Look): string =>
  options.some(({ image }) => image) ? `${classes[look]} cards` : classes[look];

interface Choice {
  value: string;
  label: ReactNode;
  picture?: ReactNode;
  visible_if?: Condition | undefined;
  isFull?: boolean;
  /** Whether a search leaves it in sight, whatever people look for. */
  stays?: boolean;
}

export function Choices({
  control,
  type,
  choices,
  className = 'choices',
  ends,
}: {
  control: Control;
  type: 'radio' | 'checkbox';
  choices: readonly Choice[];
  className?: string;
  /** The meaning of the first and the last choice, below them. */
  ends?: ReactNode;
}) {
  const { words } = useReading();
  const { field, mayBeEmpty, values } = control;
  const hasPictures = choices.some(({ picture }) => picture !== undefined);
  // Of radio buttons with the same name the browser keeps the last that is checked.
  const isChosen = (value: string) => (type === 'radio' ? values[0] === value : values.includes(value));
  return (
    <Group control={control} isRadio={type === 'radio'}>
      {isSearched(field) && (
        <div className="find" hidden>
          <label htmlFor={`s-${field.key}`}>{words.searchOptions}</label>
          <input type="search" id={`s-${field.key}`} autoComplete="off" spellCheck={false} />
          <p className="hint" role="status" />
        </div>
      )}
      <div className={className}>
        {choices.map(({ value, label, picture, visible_if, isFull = false, stays = false }, index) => {
          const named = (
            <>
              {label}
              {isFull && <span className="full">{words.optionFull}</span>}
            </>
          );
          return (
            <div className="choice" key={value} data-stays={stays ? '' : undefined}>
              <input
                type={type}
                id={idOf(control, index + 1)}
                name={nameOf(control)}
                value={value}
                defaultChecked={isChosen(value)}
                aria-invalid={type === 'checkbox' ? invalid(control) : undefined}
                data-if={visible_if && JSON.stringify(visible_if)}
                data-full={isFull ? '' : undefined}
                disabled={isFull}
              />
              <label htmlFor={idOf(control, index + 1)}>
                {picture}
                {hasPictures ? <span>{named}</span> : named}
              </label>
            </div>
          );
        })}
        {ends}
        {/* A chosen radio button cannot be switched off. This one shows once there is something to take back. */}
        {type === 'radio' && mayBeEmpty !== 'never' && (
          <div className="choice none" hidden={!choices.some(({ value }) => isChosen(value))}>
            <input type="radio" id={idOf(control, choices.length + 1)} name={nameOf(control)} value="" />
            <label htmlFor={idOf(control, choices.length + 1)}>{words.noAnswer}</label>
          </div>
        )}
      </div>
    </Group>
  );
}

/**
 * The picture is a part of the label, so that it can be pressed, and the label is the name of the choice: a picture that shows what the label says adds
 * nothing to it for those who hear it. Only a text that the author has written is read, and shown if the picture does not load.
 */
function Picture({ image: { picture, alt = '' } }: { image: OptionImage }) {
  const { pictureAt, authorLanguage, documentLanguage } = useReading();
  const lang = alt !== '' && authorLanguage !== documentLanguage ? authorLanguage : undefined;
  return <img src={pictureAt(picture)} alt={alt} lang={lang} loading="lazy" decoding="async" />;
}

/** *Other* is for people who find nothing else. */
const isOther = ({ other }: Field, value: string): boolean => other !== undefined && value === otherValue;

const optionsOf = ({ field, texts, full }: Control): Choice[] =>
  texts.options.map(({ label, image, ...option }) => ({
    ...option,
    label: <Written text={label} />,
    picture: image && <Picture image={image} />,
    isFull: full.includes(option.value),
    stays: isOther(field, option.value),
  }));

export function Select({ control }: { control: Control }) {
  const listed = useListed(control);
  const look = lookOf(control);
  if (look !== 'dropdown')
    return <Choices control={control} type="radio" choices={optionsOf(control)} className={classOf(control, look)} />;
  const options = listed.map((option) => ({
    ...option,
    isFull: control.full.includes(option.value),
    stays: isOther(control.field, option.value),
  }));
  return <SelectBox control={control} options={options} isSearched={isSearched(control.field)} />;
}

/** The options as a list box has them, where texts cannot be marked. */
function useListed({ texts }: Control) {
  const { documentLanguage } = useReading();
  return texts.options.map(({ label: { text, lang }, ...option }) => ({
    ...option,
    text,
    lang: lang === documentLanguage ? undefined : lang,
  }));
}

/** Always a list box: few people look for a country among radio buttons. */
export function Countries({ control }: { control: Control }) {
  const { field } = control;
  const listed = useListed(control);
  return <SelectBox control={control} options={listed} isSearched={isSearched(field)} first={field.preferred?.length} />;
}

export const MultiSelect = ({ control }: { control: Control }) => (
  <Choices
    control={control}
    type="checkbox"
    choices={optionsOf(control)}
    className={classOf(control, control.field.appearance === 'buttons' ? 'buttons' : 'list')}
  />
);

export function YesOrNo({ control }: { control: Control }) {
  const { words } = useReading();
  const choices = [
    { value: 'true', label: words.yes },
    { value: 'false', label: words.no },
  ];
  return <Choices control={control} type="radio" choices={choices} className="choices few" />;
}

/** One box that has to be ticked, as for consent. */
export const Consent = ({ control }: { control: Control }) => (
  <>
    <Hints control={control} />
    <div className="choice">
      <input
        type="checkbox"
        id={idOf(control)}
        name={nameOf(control)}
        value="true"
        defaultChecked={control.values.includes('true')}
        aria-describedby={describedBy(control)}
        aria-invalid={invalid(control)}
      />
      <label htmlFor={idOf(control)}>
        <Label control={control} />
      </label>
    </div>
  </>
);
