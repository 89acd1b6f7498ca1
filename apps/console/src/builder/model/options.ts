import type { Options } from './edits';

/** Options as lines of a text: the label, or `value = label` where they differ. */
export const textFromOptions = (options: Options): string =>
  options.map(({ value, label }) => (value === label ? label : `${value} = ${label}`)).join('\n');

/** The options in lines of a text. A label that an option had keeps the value of that option, and a value its condition, its limit and its picture. */
export function optionsFromText(text: string, before: Options): Options {
  const known = new Map(before.map(({ value, label }) => [label, value]));
  const earlier = new Map(before.map((option) => [option.value, option]));
  const lines = text.split('\n').flatMap((line) => {
    const plain = line.trim();
    const equals = plain.search(/\s=\s/);
    if (equals > 0) return [{ value: plain.slice(0, equals).trimEnd(), label: plain.slice(equals + 2).trimStart() }];
    return plain === '' ? [] : [{ value: known.get(plain) ?? plain, label: plain }];
  });
  const values = new Set(before.map(({ value }) => value));
  const kept = new Set(lines.map(({ value }) => value));
  // While a line is edited, its text is no option that there was, and the option that there was is gone. Its place tells then.
  const inPlace = lines.length === before.length ? before.map((option) => (kept.has(option.value) ? undefined : option)) : [];
  return lines.map((option, at) => {
    const { visible_if, limit, image } = (values.has(option.value) ? earlier.get(option.value) : inPlace[at]) ?? {};
    return withImage(withLimit(visible_if ? { ...option, visible_if } : option, limit), image);
  });
}

export function withLimit({ limit: _, ...option }: Options[number], limit: number | undefined): Options[number] {
  return limit === undefined ? option : { ...option, limit };
}

export function withImage({ image: _, ...option }: Options[number], image: Options[number]['image']): Options[number] {
  return image === undefined ? option : { ...option, image };
}

export const withoutBlank = (options: Options): Options => options.filter(({ label, value }) => label.trim() !== '' || value.trim() !== '');

/** The values that are the texts of their options, and that follow them. Answers have a value that was published: it stays, whatever is written. */
export const linkedValues = (options: Options, published: Options = []): Set<string> => {
  const kept = new Set(published.map(({ value }) => value));
  return new Set(options.flatMap(({ value, label }) => (value === label && value !== '' && !kept.has(value) ? [value] : [])));
};

/** Whether an option does not get its own text as its value, because another one has that value. */
export const isTaken = (options: Options, { value, label }: Options[number]): boolean =>
  options.some((other) => other.value !== value && other.value.trim() === label.trim());

/** The options once their texts are typed: these values have become what their options say. */
export const followed = (options: Options, linked: ReadonlySet<string>): Options =>
  options.map((option) =>
    linked.has(option.value) && option.label.trim() !== '' && !isTaken(options, option) ? { ...option, value: option.label } : option,
  );

/** Whether an option has got the value of another one in its place, as may happen for a moment while somebody types. */
export const collides = (before: Options, next: Options): boolean =>
  before.length === next.length &&
  next.some(({ value }, at) => value !== before[at]?.value && next.some((other, place) => place !== at && other.value === value));
