import { crc32, deflateSync } from 'node:zlib';

interface Drawn {
  width: number;
  height: number;
  /** Red, green, blue and the opacity. */
  pixel: (x: number, y: number) => readonly number[];
  /** How its rows are written (PNG, section 9.2). */
  filter?: number;
  /** The parts of its header that do not tell the truth. */
  says?: { width?: number; height?: number; bitDepth?: number; colors?: number; interlace?: number };
  packed?: Buffer;
  /** The sum of each chunk, if it is not the right one. */
  sum?: number;
}

/** A picture for tests, written without the code that reads it. */
export function aPng({ width, height, pixel, filter = 0, says = {}, packed, sum }: Drawn): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(says.width ?? width, 0);
  header.writeUInt32BE(says.height ?? height, 4);
  header.set([says.bitDepth ?? 8, says.colors ?? 6, 0, 0, says.interlace ?? 0], 8);
  const rows = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (__, x) => pixel(x, y)).flat());
  const written = rows.map((row, y) => [filter, ...row.map((byte, at) => byte - predicted(filter, { row, above: rows[y - 1], at }))]);
  const chunk = (type: string, data: Buffer) => {
    const [length, checked] = [Buffer.alloc(4), Buffer.alloc(4)];
    const summed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    length.writeUInt32BE(data.length);
    checked.writeUInt32BE(sum ?? crc32(summed));
    return Buffer.concat([length, summed, checked]);
  };
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', packed ?? deflateSync(Buffer.concat(written.map((row) => Buffer.from(row))))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function predicted(
  filter: number,
  { row, above = [], at }: { row: readonly number[]; above?: readonly number[] | undefined; at: number },
): number {
  const [a, b, c] = [row[at - 4] ?? 0, above[at] ?? 0, above[at - 4] ?? 0];
  const nearest = [a, b, c].toSorted((one, other) => Math.abs(a + b - c - one) - Math.abs(a + b - c - other))[0] ?? 0;
  return [0, a, b, Math.floor((a + b) / 2), nearest][filter] ?? 0;
}
