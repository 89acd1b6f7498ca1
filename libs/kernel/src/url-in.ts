/**
 * The address in a text; undefined if there is none. `URL.canParse` does not tell: on Node 20 and 22 it refuses right addresses that have letters beyond
 * ASCII, such as `https://bücher.example`, once it has been called some thousand times and V8 has optimized the call.
 * @param base the address to which a relative one belongs
 */
export function urlIn(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
