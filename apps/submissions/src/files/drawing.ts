import { answerFault, maxDrawing, type AnswerRefusal } from '@sheaf/contracts';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

const unpack = promisify(inflate);

interface Header {
  width: number;
  height: number;
  bitDepth: number;
  colors: number;
  isInterlaced: boolean;
}

/** The samples of a pixel for each type of colours (PNG, section 11.2.1), the last of which is the opacity if there are 2 or 4. */
const samples: Readonly<Partial<Record<number, number>>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Why a PNG is no picture of a signature: nobody can read it, it is too large to be looked at, or nothing is drawn on it. */
export async function drawingFault(bytes: Buffer): Promise<AnswerRefusal | undefined> {
  const { header, packed } = readPng(bytes) ?? {};
  if (!header || !packed) return answerFault('not_drawing');
  const { width, height } = maxDrawing;
  // Before anything is unpacked, which could be a thousand times as large.
  if (header.width > width || header.height > height) return answerFault('drawing_too_large', { width, height });
  const channels = samples[header.colors];
  if (channels === undefined || header.isInterlaced || header.width === 0 || header.height === 0) return answerFault('not_drawing');
  const rowBytes = Math.ceil((header.width * channels * header.bitDepth) / 8);
  const length = header.height * (rowBytes + 1);
  const rows = await unpack(packed, { maxOutputLength: length }).catch(() => undefined);
  if (rows?.length !== length) return answerFault('not_drawing');
  const pixelBytes = (channels * header.bitDepth) / 8;
  return isBlank(rows, { rowBytes, pixelBytes, alphaBytes: channels % 2 === 0 ? header.bitDepth / 8 : 0 })
    ? answerFault('drawing_empty')
    : undefined;
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
    if (end + 4 > bytes.length) return undefined;
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
    if (type === 'IEND')
      return header && [1, 2, 4, 8, 16].includes(header.bitDepth) ? { header, packed: Buffer.concat(packed) } : undefined;
    at = end + 4;
  }
  return undefined;
}

/** Whether all pixels look the same. The colours of a pixel that lets everything through do not count. */
function isBlank(
  rows: Buffer,
  { rowBytes, pixelBytes, alphaBytes }: { rowBytes: number; pixelBytes: number; alphaBytes: number },
): boolean {
  const step = Math.max(pixelBytes, 1);
  // Several pixels in a byte may not fill the last one.
  const compared = pixelBytes < 1 ? Math.max(rowBytes - 1, 1) : rowBytes;
  let above = Buffer.alloc(rowBytes);
  let first: Buffer | undefined;
  for (let at = 0; at < rows.length; at += rowBytes + 1) {
    const row = unfiltered(rows.subarray(at + 1, at + 1 + rowBytes), { filter: rows[at] ?? 0, above, step });
    for (let pixel = 0; pixel + step <= compared; pixel += step) {
      const isClear = isUnseen(row, pixel + step, alphaBytes);
      first ??= isClear ? nothing : row.subarray(pixel, pixel + step);
      if (isClear !== (first === nothing) || !isSame(row, pixel, first)) return false;
    }
    above = row;
  }
  return true;
}

const nothing = Buffer.alloc(0);

/** Whether the pixel that ends there lets everything through. */
function isUnseen(row: Buffer, end: number, alphaBytes: number): boolean {
  for (let at = end - alphaBytes; at < end; at++) if (row[at] !== 0) return false;
  return alphaBytes > 0;
}

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
