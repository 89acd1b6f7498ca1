/** A language's own name, such as `Deutsch`; the tag of one that the browser does not know. */
export function languageName(tag: string): string {
  const name = new Intl.DisplayNames(tag, { type: 'language', fallback: 'none' }).of(tag);
  return name === undefined ? tag : name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}
