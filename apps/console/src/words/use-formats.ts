import { formatsOf, regionalTag, type Formats } from './formats';
import { useLanguage } from './use-words';

const made = new Map<string, Formats>();

/** The same object for all who ask: making one takes milliseconds, and each cell of a table asks. */
export function useFormats(): Formats {
  const tag = regionalTag(useLanguage(), navigator.languages);
  let formats = made.get(tag);
  if (!formats) made.set(tag, (formats = formatsOf(tag)));
  return formats;
}
