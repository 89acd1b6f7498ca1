import type { Condition } from './condition-shape';
import type { Field } from './draft';

/** The facts of a field on which its options depend. In a page, an option is known by its value and condition alone. */
export interface Offering {
  options?: readonly { value: string; visible_if?: Condition | undefined }[] | undefined;
}

type Options = NonNullable<Offering['options']>;

/** The conditions of options, each once: the hundred cities of a region have the same one. */
export interface OptionConditions {
  /** The values of options without a condition. */
  always: ReadonlySet<string>;
  /** Each condition with the values of its options. */
  groups: readonly { condition: Condition; values: readonly string[] }[];
}

/** Fields stay as they are for as long as they are known, and each submission is compared with them. */
const known = new WeakMap<Options, OptionConditions>();

/** The conditions of a field's options; undefined if none of them has any. */
export function optionConditions({ options }: Offering): OptionConditions | undefined {
  if (options?.some(({ visible_if }) => visible_if !== undefined) !== true) return undefined;
  const found = known.get(options) ?? grouped(options);
  known.set(options, found);
  return found;
}

function grouped(options: Options): OptionConditions {
  const always = new Set<string>();
  const groups = new Map<string, { condition: Condition; values: string[] }>();
  for (const { value, visible_if: condition } of options) {
    if (condition === undefined) always.add(value);
    else {
      const name = JSON.stringify(condition);
      const group = groups.get(name) ?? { condition, values: [] };
      groups.set(name, group);
      group.values.push(value);
    }
  }
  return { always, groups: [...groups.values()] };
}

/** The options of a field that have conditions, with the part of the field where each condition is. */
export const conditionalOptions = ({
  options = [],
}: Pick<Field, 'options'>): [part: `options.${number}.visible_if`, condition: Condition][] =>
  options.flatMap(({ visible_if }, at): [`options.${number}.visible_if`, Condition][] =>
    visible_if === undefined ? [] : [[`options.${at}.visible_if`, visible_if]],
  );
