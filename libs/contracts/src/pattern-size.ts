/** The bounds of patterns, in steps: a form's author writes them, and they run in our processes. */
export const patternSteps = { perField: 1_000, perForm: 5_000 } as const;

// A literal run, a character class, the beginning of a group, a counted repetition, or any other character with its escape.
const part = /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|\((?:\?(?:P?<\w+>|<[=!]|[^:)]*:?))?|\{(\d+)(,?)(\d*)\}|[\s\S]/gu;

/**
 * How many steps a pattern has once its repetitions are written out: one for each character, class, group and alternative. Compiling a
 * pattern takes time and memory in proportion to that, which is why this reads the text instead. What is no valid pattern has some size, too.
 */
export function patternSize(pattern: string): number {
  const around: number[] = [];
  let before = 0;
  // What a repetition that follows would repeat.
  let last = 0;
  for (const [text, least, comma, most] of pattern.matchAll(part)) {
    if (least !== undefined) {
      const times = comma === '' ? Number(least) : most === '' ? Number(least) + 1 : Math.max(Number(least), Number(most));
      last *= Math.max(times, 1);
    } else if (text.startsWith('(')) {
      around.push(before + last);
      before = 0;
      last = text === '(' || text.includes('<') ? 1 : 0;
    } else if (text === ')') {
      last += before;
      before = around.pop() ?? 0;
    } else if (text === '*' || text === '+' || text === '?') {
      last += 1;
    } else {
      before += last;
      last = text.startsWith('\\Q') ? text.length : 1;
    }
  }
  return around.reduce((sum, size) => sum + size, before + last);
}
