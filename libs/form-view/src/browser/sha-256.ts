/** The browser's own SHA-256 is asynchronous, which costs more than the hash itself, and is missing on pages without TLS. */

const primes: number[] = [];
for (let number = 2; primes.length < 64; number++) if (primes.every((prime) => number % prime !== 0)) primes.push(number);

/** The first 32 bits of the fractional part, which the standard takes its constants from. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0;
const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const initial = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const words = new Int32Array(64);
const at = (list: Int32Array | readonly number[], index: number): number => list[index] ?? 0;
const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Adds a block of 64 bytes to the state. */
function compress(state: Int32Array, block: DataView): void {
  for (let i = 0; i < 64; i++) {
    if (i < 16) {
      words[i] = block.getInt32(i * 4);
      continue;
    }
    const early = at(words, i - 15);
    const late = at(words, i - 2);
    words[i] =
      at(words, i - 16) +
      (rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)) +
      at(words, i - 7) +
      (rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10));
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const first = (h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + at(constants, i) + at(words, i)) | 0;
    const second = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = at(state, i) + word));
}

/** The SHA-256 of a text. Blocks that all texts with the same beginning share are added once: `begin` keeps them. */
function hashOf(begin: Uint8Array, end: string): Int32Array {
  const tail = new TextEncoder().encode(end);
  const length = begin.length + tail.length;
  const padded = new Uint8Array(Math.ceil((length + 9) / 64) * 64);
  padded.set(begin);
  padded.set(tail, begin.length);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  // Longer texts than 512 MB are not hashed here.
  view.setUint32(padded.length - 4, length * 8);
  const state = initial.slice();
  for (let block = 0; block < padded.length; block += 64) compress(state, new DataView(padded.buffer, block, 64));
  return state;
}

export const sha256 = (text: string): string =>
  [...hashOf(new Uint8Array(), text)].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');

/** @returns a number so that the SHA-256 of `<challenge>:<number>` begins with as many zero bits, at most 32 */
export function findNonce(challenge: string, bits: number): string {
  const begin = new TextEncoder().encode(`${challenge}:`);
  for (let nonce = 0; ; nonce++) {
    if (Math.clz32(at(hashOf(begin, String(nonce)), 0)) >= bits) return String(nonce);
  }
}
