/** A text as one word of a POSIX shell, which takes it as it is: quotes, `$`, line breaks. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
