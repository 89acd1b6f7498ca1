/**
 * An option with a condition as it is stored, and travels between services. A release that knows no conditions of options would drop one beside value and
 * label in silence, and take an answer that should not be there. It refuses this one, as it lacks a value and a label of its own.
 */
export interface StoredOption {
  option: object;
  visible_if: unknown;
}

const isStored = (option: object): option is StoredOption => 'option' in option && 'visible_if' in option;

/** An option as people send it, if it is one as it is stored; anything else stays as it is. */
export const asSent = (option: unknown): unknown =>
  typeof option === 'object' && option !== null && isStored(option) && typeof option.option === 'object'
    ? { ...option.option, visible_if: option.visible_if }
    : option;
