import {
  isEnding,
  isRepeat,
  isTemporal,
  labelTextOf,
  type Condition,
  type Field,
  type FormCheck,
  type FormItem,
  type Operand,
} from '@sheaf/contracts';
import type { Formats } from '../../words/formats';
import type { Words } from '../../words/words';

type Say = Words['builder'];

/** The name of a part of an item, such as `Required` for `required`. */
export function partName(part: string, { settings: say }: Say, item: Pick<FormItem, 'type'>): string {
  // The words of other parts have their names: `minLength` for `min_length`.
  const several: Partial<Record<string, Readonly<Record<string, string>>>> = {
    matrix: { multiple: say.severalColumns },
    repeat: { min: say.minItems, max: say.maxItems },
  };
  const names: Record<string, string> = {
    ...several[item.type],
    max_bytes: say.maxSize,
    visible_if: say.condition,
    if: isEnding(item) ? say.endsWhen : say.refuseWhen,
    message: say.checkMessage,
    at: say.messageAt,
    other: say.hasOther,
    name: say.endingName,
    title: say.endingTitle,
    text: say.endingText,
    redirect_url: say.endingRedirect,
  };
  const words = say as Readonly<Record<string, unknown>>;
  const word = words[part] ?? words[part.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
  return names[part] ?? (typeof word === 'string' ? word : part);
}

const maxOptions = 12;

/** As the settings of a field count them. */
const megabyte = 1_048_576;

/** A part of an item in words; undefined where there is nothing. */
export function partText(item: FormItem, part: string, words: Say, formats: Formats): string | undefined {
  const say = words.settings;
  const field = item as Field & Partial<Pick<FormCheck, 'if'>>;
  switch (part) {
    case 'type':
      return words.kinds[field.type];
    case 'required':
      return field.required ? say.yes : say.no;
    case 'options': {
      const labels = (field.options ?? []).map(({ label, visible_if, limit, image }) => {
        const facts = [
          visible_if && conditionText(visible_if, say),
          limit === undefined ? undefined : `${say.limitPlaces}: ${formats.number(limit)}`,
          // Digits tell one picture from another.
          image && `${say.picture} ${image.picture.slice(0, 6)}`,
          image?.alt,
        ];
        const known = facts.filter((fact) => fact !== undefined);
        return known.length === 0 ? label : `${label} (${known.join(', ')})`;
      });
      return firstOf(labels, formats);
    }
    case 'rows':
    case 'columns':
      return firstOf(
        (field[part] ?? []).map(({ label }) => label),
        formats,
      );
    case 'fields':
      return firstOf((field.fields ?? []).map(labelTextOf), formats);
    case 'only':
    case 'preferred':
      return firstOf((field[part] ?? []).map(formats.country), formats);
    case 'parts':
      return field.parts?.map((each) => `${say.partNames[each.part]}${each.required ? '' : ` (${say.partOptional})`}`).join(', ');
    case 'visible_if':
      return field.visible_if && conditionText(field.visible_if, say);
    case 'required_if':
      return field.required_if && conditionText(field.required_if, say);
    case 'if':
      return field.if && conditionText(field.if, say);
    case 'autocomplete':
      return field.autocomplete && say[field.autocomplete];
    case 'max_bytes':
      return field.max_bytes === undefined ? undefined : `${formats.number(field.max_bytes / megabyte)} MB`;
    case 'appearance':
      return field.appearance && say.looks[field.appearance];
    case 'other':
      return field.other?.label;
    case 'score':
      return field.score && say.nps;
    case 'messages':
      return field.messages && Object.values(field.messages).join(' · ');
    case 'translations':
      return translationText(field.translations);
    default:
      return plainText(field[part as keyof Field], say, formats);
  }
}

function firstOf(labels: readonly string[], formats: Formats): string | undefined {
  const rest = labels.length - maxOptions;
  return labels.length === 0 ? undefined : [...labels.slice(0, maxOptions), ...(rest > 0 ? [`+ ${formats.number(rest)}`] : [])].join(' · ');
}

function plainText(value: unknown, say: Say['settings'], formats: Formats): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'boolean') return value ? say.yes : say.no;
  if (typeof value === 'number') return formats.number(value);
  return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value);
}

/** A condition as a sentence, with the labels of the fields that `fieldOf` knows; otherwise their keys. */
export function conditionText(
  condition: Condition,
  say: Say['settings'],
  fieldOf: (key: string) => Field | undefined = () => undefined,
): string {
  const { all, any, not, key = '', ...operators } = condition;
  const inner = (each: Condition) => {
    const text = conditionText(each, say, fieldOf);
    return (each.all ?? each.any ?? []).length > 1 ? `(${text})` : text;
  };
  if (all) return all.map(inner).join(` ${say.and} `);
  if (any) return any.map(inner).join(` ${say.or} `);
  if (not) return `${say.not} (${conditionText(not, say, fieldOf)})`;
  const name = nameOf(key);
  const field = fieldOf(key);
  const { answered } = operators;
  if (answered !== undefined) return `${name} ${answered ? say.answered : say.unanswered}`;
  return Object.entries<Operand | readonly Operand[] | undefined>(operators)
    .flatMap(([operator, value]) =>
      value === undefined
        ? []
        : [
            `${name} ${operatorText(operator, say, { areMoments: field ? isTemporal(field) : typeof value === 'string', areItems: field !== undefined && isRepeat(field) })} ${[value].flat().map(textOf).join(', ')}`,
          ],
    )
    .join(` ${say.and} `);

  function nameOf(each: string): string {
    const known = fieldOf(each);
    return known && known.label.trim() !== '' ? `“${labelTextOf(known)}”` : each;
  }
  function textOf(value: Operand): string {
    // A joint of a later release has conditions in place of values.
    if (typeof value === 'object') return 'key' in value && Object.keys(value).length === 1 ? nameOf(value.key) : JSON.stringify(value);
    return typeof value === 'boolean' ? (value ? say.yes : say.no) : String(value);
  }
}

/** The words for what is ordered. */
export const ordersOf = (say: Say['settings'], areMoments: boolean): Readonly<Record<'gt' | 'gte' | 'lt' | 'lte', string>> =>
  areMoments
    ? { gt: say.after, gte: say.notBefore, lt: say.before, lte: say.notAfter }
    : { gt: say.gt, gte: say.gte, lt: say.lt, lte: say.lte };

/** The words for a number: of items, or of chosen options. */
export const countsOf = (say: Say['settings'], areItems: boolean): Readonly<Record<'chosen_at_least' | 'chosen_at_most', string>> =>
  areItems
    ? { chosen_at_least: say.itemsAtLeast, chosen_at_most: say.itemsAtMost }
    : { chosen_at_least: say.chosenAtLeast, chosen_at_most: say.chosenAtMost };

/** The words for an operator; the operator itself if it comes from a later release. */
function operatorText(
  operator: string,
  say: Say['settings'],
  { areMoments, areItems }: { areMoments: boolean; areItems: boolean },
): string {
  const texts: Record<string, string> = {
    equals: say.equals,
    not_equals: say.notEquals,
    in: `${say.in}:`,
    ...ordersOf(say, areMoments),
    contains: say.contains,
    not_contains: say.notContains,
    starts_with: say.startsWith,
    ...countsOf(say, areItems),
  };
  return texts[operator] ?? operator;
}

/** Each translated text with its language, because only the texts tell what has changed. */
const translationText = (translations: Field['translations']): string | undefined => {
  const lines = Object.entries(translations ?? {}).flatMap(
    ([language, { options = {}, rows = {}, columns = {}, messages = {}, ...texts }]) =>
      [texts, options, rows, columns, messages]
        .flatMap((each) => Object.values(each))
        .filter((text) => text !== '')
        .map((text) => `${language}: ${text}`),
  );
  return lines.length === 0 ? undefined : lines.slice(0, maxOptions).join(' · ');
};
