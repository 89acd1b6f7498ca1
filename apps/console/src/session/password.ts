/** As the server counts: characters, not units. */
const shortest = 12;
const longest = 200;

/** The fault of a new password, said before it is sent. */
export function passwordFault(password: string, say: { tooShort: string; tooLong: string }): string | undefined {
  const { length } = Array.from(password);
  if (length < shortest) return say.tooShort;
  return length > longest ? say.tooLong : undefined;
}
