import {
  canBePrefilled,
  fieldKinds,
  isComputed,
  isHidden,
  notInRepeats,
  traitsOf,
  type Field,
  type FieldType,
  type FormElement,
  type FormItem,
} from '@sheaf/contracts';
import {
  AlignLeft,
  AtSign,
  Calculator,
  Calendar,
  CalendarClock,
  CalendarRange,
  CheckCheck,
  CircleDot,
  Clock,
  EyeOff,
  FileStack,
  FileUp,
  Flag,
  Globe,
  Grid3x3,
  Hash,
  Heading,
  Link,
  ListChecks,
  MapPin,
  ListOrdered,
  MessageSquareText,
  Phone,
  Repeat,
  Signature,
  Star,
  ToggleLeft,
  Type,
  Binary,
  ShieldAlert,
  type LucideIcon,
} from 'lucide-react';

export type ItemType = FormItem['type'];

/** The kinds of items to add: each type, and a box to tick for consent, which is a boolean that must be true. */
export type Kind = ItemType | 'consent';

export type Group = 'text' | 'choice' | 'number' | 'date' | 'other' | 'layout';

/** The group under which each kind is offered, in the order there, and its icon. */
const palette: Readonly<Record<Kind, { group: Group; icon: LucideIcon }>> = {
  short_text: { group: 'text', icon: Type },
  long_text: { group: 'text', icon: AlignLeft },
  email: { group: 'text', icon: AtSign },
  phone: { group: 'text', icon: Phone },
  url: { group: 'text', icon: Link },
  select: { group: 'choice', icon: CircleDot },
  multi_select: { group: 'choice', icon: ListChecks },
  ranking: { group: 'choice', icon: ListOrdered },
  matrix: { group: 'choice', icon: Grid3x3 },
  boolean: { group: 'choice', icon: ToggleLeft },
  consent: { group: 'choice', icon: CheckCheck },
  rating: { group: 'choice', icon: Star },
  country: { group: 'choice', icon: Globe },
  number: { group: 'number', icon: Hash },
  integer: { group: 'number', icon: Binary },
  calculated: { group: 'number', icon: Calculator },
  date: { group: 'date', icon: Calendar },
  time: { group: 'date', icon: Clock },
  datetime: { group: 'date', icon: CalendarClock },
  date_range: { group: 'date', icon: CalendarRange },
  address: { group: 'text', icon: MapPin },
  repeat: { group: 'other', icon: Repeat },
  signature: { group: 'other', icon: Signature },
  file: { group: 'other', icon: FileUp },
  hidden: { group: 'other', icon: EyeOff },
  section: { group: 'layout', icon: Heading },
  statement: { group: 'layout', icon: MessageSquareText },
  page: { group: 'layout', icon: FileStack },
  check: { group: 'layout', icon: ShieldAlert },
  ending: { group: 'layout', icon: Flag },
};

const kinds = Object.keys(palette) as Kind[];

export const groups: readonly { group: Group; kinds: readonly Kind[] }[] = [...new Set(kinds.map((kind) => palette[kind].group))].map(
  (group) => ({
    group,
    kinds: kinds.filter((kind) => palette[kind].group === group),
  }),
);

export const iconOf = (kind: Kind): LucideIcon => palette[kind].icon;

export const kindOf = (item: FormItem): Kind => (item.type === 'boolean' && item.must_be_true === true ? 'consent' : item.type);

export const isElement = (kind: Kind): kind is FormElement['type'] =>
  kind !== 'consent' && kind !== 'check' && kind !== 'ending' && !Object.hasOwn(fieldKinds, kind);

/** The types that a field can be changed to. */
export const fieldTypesInOrder = kinds.filter((kind) => Object.hasOwn(fieldKinds, kind)) as readonly FieldType[];

const outside: ReadonlySet<Kind> = new Set<Kind>(notInRepeats);

/** Whether an item of a repeat can be asked for it. */
export const isForItems = (kind: Kind): boolean => kind === 'consent' || (Object.hasOwn(fieldKinds, kind) && !outside.has(kind));

/** The properties that types have beside those of all. */
const partsOf = (type: FieldType): readonly string[] => [...traitsOf({ type }).settings, ...(traitsOf({ type }).aids ?? [])];
const particular = new Set(fieldTypesInOrder.flatMap(partsOf));

const isNotGiven = (field: Field): boolean => isHidden(field) || isComputed(field);

/** A field with another type: without the settings that the type cannot have. */
export function retyped(field: Field, type: FieldType): Field {
  const kept = new Set(partsOf(type));
  const entries = Object.entries(field).filter(([name]) => !particular.has(name) || kept.has(name));
  const next = { ...Object.fromEntries(entries), type } as Field;
  const wasChoice = field.options !== undefined;
  const isChoice = kept.has('options');
  if (isChoice && !wasChoice) next.options = [];
  for (const part of ['rows', 'columns'] as const) if (kept.has(part)) next[part] ??= [];
  // The default of one type is seldom one of another, and a condition on it is checked where it stands.
  if (type !== field.type) delete next.default;
  if (next.appearance && !traitsOf(next).appearances?.includes(next.appearance)) delete next.appearance;
  if (!canBePrefilled(next)) delete next.prefill;
  // It is answered by nobody, and its formula is yet to be written.
  if (isComputed(next)) Object.assign(next, { required: false, formula: next.formula ?? '' });
  if (isNotGiven(next)) {
    delete next.required_if;
    delete next.messages;
  }
  const textsIn = (texts: object) => Object.fromEntries(Object.entries(texts).filter(([name]) => !particular.has(name) || kept.has(name)));
  if (next.translations)
    next.translations = Object.fromEntries(
      Object.entries(next.translations).map(([language, { options, messages, ...others }]) => [
        language,
        { ...textsIn(others), ...(isChoice && options && { options }), ...(!isNotGiven(next) && messages && { messages }) },
      ]),
    );
  return next;
}
