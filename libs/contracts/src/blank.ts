/**
 * Whether a text is blank: only white space and characters that display nothing. It has a file without zod, which tries code from text as it is loaded:
 * the console draws pages under a policy that refuses it.
 */
export const isBlank = (text: string): boolean => /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
