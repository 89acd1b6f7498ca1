import type { Options } from './edits';

/** Options as lines of a text: the label, or `value = label` where they differ. */
export const textFromOptions = (options: Options): string =>
  options.map(({ value, label }) => (value === label ? label : `${value} = ${label}`)).join('\n');

/** The options in lines of a text. A label that an option had keeps the value of that option. */
export function optionsFromText(text: string, before: Options): Options {
  const known = new Map(before.map(({ value, label }) => [label, value]));
  return text.split('\n').flatMap((line) => {
    const [, value, label] = /^\s*(.*?)\s+=\s+(.*?)\s*$/.exec(line) ?? [];
    if (value !== undefined && label !== undefined && value !== '' && label !== '') return [{ value, label }];
    const plain = line.trim();
    return plain === '' ? [] : [{ value: known.get(plain) ?? plain, label: plain }];
  });
}

export const withoutBlank = (options: Options): Options => options.filter(({ label, value }) => label.trim() !== '' || value.trim() !== '');
