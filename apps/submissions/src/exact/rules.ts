import { answerKindOf, fieldsOf, hasPlaces, type FormItem } from '@sheaf/contracts';

/** The rules of a version that hold across submissions. The database has those that hold now, and decides. */
export interface ExactRules {
  /** The fields whose options have places, with the places of each option that has a limit. */
  places: readonly { key: string; options: readonly { option: string; places: number }[] }[];
  /** The fields whose answers are unique, with the author's message. */
  unique: readonly { key: string; kind: 'text' | 'phone'; message: string | undefined }[];
}

/** Undefined for a version without such rules, as most are. */
export function exactRules(items: readonly FormItem[]): ExactRules | undefined {
  const fields = fieldsOf(items);
  const places = fields.filter(hasPlaces).map(({ key, options = [] }) => ({
    key,
    options: options.flatMap(({ value: option, limit }) => (limit === undefined ? [] : [{ option, places: limit }])),
  }));
  const unique = fields
    .filter((field) => field.unique === true)
    .map((field) => ({
      key: field.key,
      kind: answerKindOf(field) === 'phone' ? ('phone' as const) : ('text' as const),
      message: field.messages?.unique,
    }));
  return places.length + unique.length > 0 ? { places, unique } : undefined;
}
