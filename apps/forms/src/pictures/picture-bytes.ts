import { maxPicturePixels, maxPictureSide } from '@sheaf/contracts';

/** A picture as it is stored. */
export interface Picture {
  type: string;
  bytes: Buffer;
}

interface Size {
  width: number;
  height: number;
}

/** The first bytes of the formats that every browser displays and that cannot contain a script. */
const formats: Readonly<Record<string, { isIn: (bytes: Buffer) => boolean; sizeOf: (bytes: Buffer) => Size | undefined }>> = {
  'image/png': {
    isIn: (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
    sizeOf: (bytes) =>
      bytes.length >= 24 && bytes.toString('latin1', 12, 16) === 'IHDR'
        ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
        : undefined,
  },
  'image/jpeg': { isIn: (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])), sizeOf: sizeOfJpeg },
  'image/webp': {
    isIn: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
    sizeOf: sizeOfWebp,
  },
};

/** The picture in a data URL; in its place, the reason why it is none: it is too large, or its bytes are not in the declared format. */
export function readPicture(dataUrl: string, most: number): Picture | { fault: string } {
  const [, type = '', base64 = ''] = /^data:([^;]+);base64,(.*)$/s.exec(dataUrl) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > most) return { fault: `must be a picture of at most ${most} bytes; it has ${bytes.length}` };
  if (formats[type]?.isIn(bytes) !== true) return { fault: `is declared as ${type}, but its bytes are not in that format` };
  return { type, bytes };
}

/** The reason why a picture must not be shown many times on one page: its size is not told, or so large that it costs much memory. */
export function sizeFault({ type, bytes }: Picture): string | undefined {
  const size = formats[type]?.sizeOf(bytes);
  if (!size || size.width === 0 || size.height === 0) return 'must be a picture that says its width and height';
  const has = `it has ${size.width} × ${size.height}`;
  if (Math.max(size.width, size.height) > maxPictureSide) return `must have at most ${maxPictureSide} pixels on a side; ${has}`;
  return size.width * size.height > maxPicturePixels ? `must have at most ${maxPicturePixels} pixels in all; ${has}` : undefined;
}

export const dataUrlOf = ({ type, bytes }: Picture): string => `data:${type};base64,${bytes.toString('base64')}`;

/** From the frame header, which stands behind other segments. */
function sizeOfJpeg(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // Bytes of 0xff may fill the space before a marker, and these have no length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Of the three kinds: with more than one part, lossless, and lossy. */
function sizeOfWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}
