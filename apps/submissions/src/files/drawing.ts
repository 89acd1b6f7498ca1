import { answerFault, maxDrawing, type AnswerRefusal } from '@sheaf/contracts';
import { crc32, createInflate } from 'node:zlib';

interface Header {
  width: number;
  height: number;
  bitDepth: number;
  colors: number;
  isInterlaced: boolean;
}

/** The bytes of a pixel for each type of colours (PNG, section 11.2.1), the last of which is the opacity if there are 2 or 4. No pad writes a palette. */
const samples: Readonly<Partial<Record<number, number>>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** Why a PNG is no picture of a signature: nobody can read it, it is too large to be looked at, or nothing is drawn on it. */
export async function drawingFault(bytes: Buffer): Promise<AnswerRefusal | undefined> {
  const { header, packed } = readPng(bytes) ?? {};
  if (!header || !packed) return answerFault('not_drawing');
  const { width, height } = maxDrawing;
  // Before anything is unpacked, which could be a thousand times as large.
  if (header.width > width || header.height > height) return answerFault('drawing_too_large', { width, height });
  const pixelBytes = samples[header.colors];
  if (pixelBytes === undefined || header.bitDepth !== 8 || header.isInterlaced || header.width === 0 || header.height === 0)
    return answerFault('not_drawing');
  const seen = await inTurn(() => seenOf(packed, new Rows({ ...header, pixelBytes })));
  return seen === 'drawn' ? undefined : answerFault(seen === 'blank' ? 'drawing_empty' : 'not_drawing');
}

let before: Promise<unknown> = Promise.resolve();

/** One picture after the other: many that arrive together must not fill the memory, nor keep the process from its other work. */
function inTurn<Result>(look: () => Promise<Result>): Promise<Result> {
  const looked = before.then(look);
  before = looked.catch(() => undefined);
  return looked;
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** The header and the packed rows; undefined for anything that is not whole. */
function readPng(bytes: Buffer): { header: Header; packed: Buffer } | undefined {
  if (!bytes.subarray(0, 8).equals(signature)) return undefined;
  let header: Header | undefined;
  const packed: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    const data = bytes.subarray(at + 8, end);
    // A sum follows the data of each chunk.
    if (end + 4 > bytes.length || bytes.readUInt32BE(end) !== crc32(bytes.subarray(at + 4, end))) return undefined;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IHDR' && data.length === 13)
      header = {
        width: data.readUInt32BE(0),
        height: data.readUInt32BE(4),
        bitDepth: data.readUInt8(8),
        colors: data.readUInt8(9),
        isInterlaced: data.readUInt8(12) !== 0,
      };
    if (type === 'IDAT') packed.push(data);
    if (type === 'IEND') return header && { header, packed: Buffer.concat(packed) };
    at = end + 4;
  }
  return undefined;
}

/** Unpacks piece by piece, and no more than the rows need; other work goes on in between. */
async function seenOf(packed: Buffer, rows: Rows): Promise<'broken' | 'blank' | 'drawn'> {
  const unpacked = createInflate();
  unpacked.end(packed);
  try {
    for await (const piece of unpacked as AsyncIterable<Buffer>) if (!rows.take(piece)) return 'broken';
  } catch {
    return 'broken';
  }
  if (!rows.areWhole) return 'broken';
  return rows.areBlank ? 'blank' : 'drawn';
}

interface Shape {
  width: number;
  height: number;
  pixelBytes: number;
}

/** The rows of a picture as they come. */
class Rows {
  /** Whether all pixels until now look the same. The colours of a pixel that lets everything through do not count. */
  areBlank = true;
  private rest: Buffer = nothing;
  private left: number;
  private above: Buffer;
  private first: Buffer | undefined;

  constructor(private readonly shape: Shape) {
    this.left = shape.height;
    this.above = Buffer.alloc(shape.width * shape.pixelBytes);
  }

  get areWhole(): boolean {
    return this.left === 0 && this.rest.length === 0;
  }

  /** @returns false for more rows than the picture has, or one that is written in no known way */
  take(piece: Buffer): boolean {
    const bytes = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
    const length = this.above.length + 1;
    let at = 0;
    for (; at + length <= bytes.length; at += length) {
      const filter = bytes[at] ?? 0;
      if (this.left === 0 || filter > 4) return false;
      this.left -= 1;
      // One difference is enough: the rows after it are only counted.
      if (this.areBlank) this.compare(bytes.subarray(at + 1, at + length), filter);
    }
    this.rest = bytes.subarray(at);
    return true;
  }

  private compare(written: Buffer, filter: number): void {
    const step = this.shape.pixelBytes;
    const row = unfiltered(written, { filter, above: this.above, step });
    for (let pixel = 0; pixel < row.length; pixel += step) {
      const isClear = step % 2 === 0 && row[pixel + step - 1] === 0;
      this.first ??= isClear ? nothing : row.subarray(pixel, pixel + step);
      if (isClear !== (this.first === nothing) || !isSame(row, pixel, this.first)) {
        this.areBlank = false;
        return;
      }
    }
    this.above = row;
  }
}

const nothing: Buffer = Buffer.alloc(0);

function isSame(row: Buffer, start: number, pixel: Buffer): boolean {
  for (let at = 0; at < pixel.length; at++) if (row[start + at] !== pixel[at]) return false;
  return true;
}

/** A row of bytes, of which each is kept as its difference from those before it (PNG, section 9.2). */
function unfiltered(row: Buffer, { filter, above, step }: { filter: number; above: Buffer; step: number }): Buffer<ArrayBuffer> {
  const result = Buffer.alloc(row.length);
  for (let at = 0; at < row.length; at++) {
    const left = at < step ? 0 : (result[at - step] ?? 0);
    const up = above[at] ?? 0;
    const corner = at < step ? 0 : (above[at - step] ?? 0);
    result[at] = (row[at] ?? 0) + predicted(filter, left, up, corner);
  }
  return result;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}
