import { capitalized } from './capitalized';

/** A language's own name, such as `Deutsch`; the tag of one that the browser does not know. */
export function languageName(tag: string): string {
  const name = new Intl.DisplayNames(tag, { type: 'language', fallback: 'none' }).of(tag);
  return name === undefined ? tag : capitalized(name, tag);
}
