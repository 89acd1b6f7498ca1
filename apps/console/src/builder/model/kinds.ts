import type { Field, FormItem } from '@sheaf/contracts';
import {
  AlignLeft,
  AtSign,
  Calendar,
  CalendarClock,
  CheckCheck,
  CircleDot,
  Clock,
  EyeOff,
  FileStack,
  FileUp,
  Hash,
  Heading,
  Link,
  ListChecks,
  MessageSquareText,
  Phone,
  Star,
  ToggleLeft,
  Type,
  Binary,
  type LucideIcon,
} from 'lucide-react';

export type ItemType = FormItem['type'];

/** What can be added: each type, and a box to tick for consent, which is a boolean that must be true. */
export type Kind = ItemType | 'consent';

export type Group = 'text' | 'choice' | 'number' | 'date' | 'other' | 'layout';

export const groups: readonly { group: Group; kinds: readonly Kind[] }[] = [
  { group: 'text', kinds: ['short_text', 'long_text', 'email', 'phone', 'url'] },
  { group: 'choice', kinds: ['select', 'multi_select', 'boolean', 'consent', 'rating'] },
  { group: 'number', kinds: ['number', 'integer'] },
  { group: 'date', kinds: ['date', 'time', 'datetime'] },
  { group: 'other', kinds: ['file', 'hidden'] },
  { group: 'layout', kinds: ['section', 'statement', 'page'] },
];

export const icons: Readonly<Record<Kind, LucideIcon>> = {
  short_text: Type,
  long_text: AlignLeft,
  email: AtSign,
  url: Link,
  phone: Phone,
  number: Hash,
  integer: Binary,
  rating: Star,
  boolean: ToggleLeft,
  consent: CheckCheck,
  date: Calendar,
  time: Clock,
  datetime: CalendarClock,
  select: CircleDot,
  multi_select: ListChecks,
  file: FileUp,
  hidden: EyeOff,
  page: FileStack,
  section: Heading,
  statement: MessageSquareText,
};

export const kindOf = (item: FormItem): Kind => (item.type === 'boolean' && item.must_be_true === true ? 'consent' : item.type);

const elements: ReadonlySet<Kind> = new Set(['page', 'section', 'statement']);
export const isElement = (kind: Kind): kind is 'page' | 'section' | 'statement' => elements.has(kind);

type FieldPart = keyof Field;

const ofTexts: readonly FieldPart[] = ['min_length', 'max_length', 'pattern'];
const ofNumbers: readonly FieldPart[] = ['min', 'max'];
const ofDates: readonly FieldPart[] = ['min_date', 'max_date'];

/** The settings that fields of a type have beside those that all have. */
export const partsOf: Readonly<Record<Field['type'], readonly FieldPart[]>> = {
  short_text: ['placeholder', ...ofTexts],
  long_text: ['placeholder', ...ofTexts],
  email: ['placeholder', ...ofTexts],
  url: ['placeholder', ...ofTexts],
  phone: ['placeholder', ...ofTexts],
  hidden: ofTexts,
  number: ['placeholder', ...ofNumbers],
  integer: ['placeholder', ...ofNumbers],
  rating: ofNumbers,
  boolean: ['must_be_true'],
  date: ofDates,
  time: [],
  datetime: ofDates,
  select: ['options'],
  multi_select: ['options', 'min_choices', 'max_choices'],
  file: ['accept', 'max_bytes', 'multiple', 'max_files'],
};

/** The settings that no type has in common with all others. */
const particular = new Set(Object.values(partsOf).flat());

/** The types that a field can be changed to, with what remains of its settings. */
export const fieldTypesInOrder: readonly Field['type'][] = groups.flatMap(({ kinds }) =>
  kinds.flatMap((kind) => (kind === 'consent' || isElement(kind) ? [] : [kind])),
);

/** A field with another type: without the settings that the type cannot have. */
export function retyped(field: Field, type: Field['type']): Field {
  const kept = new Set<string>(partsOf[type]);
  const entries = Object.entries(field).filter(([name]) => !particular.has(name as FieldPart) || kept.has(name));
  const next = { ...Object.fromEntries(entries), type } as Field;
  const wasChoice = field.options !== undefined;
  const isChoice = kept.has('options');
  if (isChoice && !wasChoice) next.options = [];
  // The default of one type is seldom one of another, and a condition on it is checked where it stands.
  if (type !== field.type) delete next.default;
  if (type === 'file' || type === 'hidden') delete next.prefill;
  if (!isChoice && next.translations)
    next.translations = Object.fromEntries(
      Object.entries(next.translations).map(([language, { options: _, ...texts }]) => [language, texts]),
    );
  return next;
}
