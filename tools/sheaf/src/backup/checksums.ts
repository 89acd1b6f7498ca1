import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** The text that `sha256sum --check` reads. */
export const sumsText = (sums: ReadonlyMap<string, string>): string => [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join('');

const line = /^([0-9a-f]{64}) {2}([\w.]{1,100})$/;

/** Reads what `sumsText` writes, and nothing else: a byte that differs anywhere must not go unnoticed. @returns undefined for any other text */
export function parseSums(text: string): Map<string, string> | undefined {
  const lines = text.split('\n');
  if (lines.pop() !== '') return undefined;
  const sums = new Map<string, string>();
  for (const each of lines) {
    const [, sum, name] = line.exec(each) ?? [];
    if (name === undefined || sum === undefined || sums.has(name)) return undefined;
    sums.set(name, sum);
  }
  return sums;
}

export async function sumOf(file: string, onBytes: (bytes: number) => void): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    onBytes(chunk.length);
  }
  return hash.digest('hex');
}
