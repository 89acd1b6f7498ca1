import { conditionsOf, fieldsOf, isKnownType, visibility, type Conditional, type FormItem } from '@sheaf/contracts';

/** The questions of a version, and the conditions that decide which of them a respondent was asked. */
export interface Questions {
  /** The keys of all fields. */
  keys: readonly string[];
  /** All fields and elements in display order; undefined if everybody is asked everything, as far as this release knows their types. */
  conditional: readonly ConditionalItem[] | undefined;
}

/** A field or an element, with the facts on which its visibility depends. */
export type ConditionalItem = Conditional & { key?: string };

export function questionsIn(items: readonly FormItem[]): Questions {
  const isConditional = items.some((item) => !isKnownType(item.type) || conditionsOf(item).some(([part]) => part.endsWith('visible_if')));
  return { keys: fieldsOf(items).map(({ key }) => key), conditional: isConditional ? items.map(factsOf) : undefined };
}

/** Labels and texts decide nothing. Options do if they have conditions. */
function factsOf(item: FormItem): ConditionalItem {
  const { type, key, visible_if, options } = item as ConditionalItem;
  return {
    type,
    ...(key === undefined ? {} : { key }),
    ...(visible_if === undefined ? {} : { visible_if }),
    ...(options?.some((option) => option.visible_if !== undefined) === true
      ? { options: options.map(({ value, visible_if: condition }) => ({ value, visible_if: condition })) }
      : {}),
  };
}

/**
 * The keys of the fields that these answers hid. A field with an answer was asked, however the answer came there.
 * @returns undefined if a condition, a field or an element is of a later release, which alone can tell
 */
export function hiddenFields({ keys, conditional }: Questions, answers: Readonly<Record<string, unknown>>): string[] | undefined {
  if (!conditional) return [];
  if (!conditional.every(({ type }) => isKnownType(type))) return undefined;
  const isShown = visibility();
  const fields = new Set(keys);
  try {
    return conditional.flatMap((item) => {
      const isHidden = !isShown(item, answers);
      return isHidden && item.key !== undefined && fields.has(item.key) && !Object.hasOwn(answers, item.key) ? [item.key] : [];
    });
  } catch {
    return undefined;
  }
}
