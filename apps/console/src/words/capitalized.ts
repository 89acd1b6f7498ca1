/** A text of the language as a label that stands by itself. */
export const capitalized = (text: string, language: string): string => text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
