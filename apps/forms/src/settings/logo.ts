import { createHash } from 'node:crypto';
import { maxLogoBytes } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { LogoRow } from '../rows';

/** The first bytes of the formats that every browser displays and that cannot contain a script. */
const formats: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  'image/webp': (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
};

/**
 * Reads the data URL of a logo.
 * @throws Problem `bad_request` if the picture is too large, or its bytes are not in the declared format.
 */
export function readLogo(dataUrl: string): LogoRow {
  const [, type = '', base64 = ''] = /^data:([^;]+);base64,(.*)$/s.exec(dataUrl) ?? [];
  const logo = Buffer.from(base64, 'base64');
  if (logo.length > maxLogoBytes)
    throw Problem.badRequest(`theme.logo: must be a picture of at most ${maxLogoBytes} bytes; it has ${logo.length}`);
  if (formats[type]?.(logo) !== true) throw Problem.badRequest(`theme.logo: is declared as ${type}, but its bytes are not in that format`);
  return { logo_type: type, logo };
}

export const logoUrl = ({ logo_type, logo }: LogoRow): string => `data:${logo_type};base64,${logo.toString('base64')}`;

/** Stands for the logo in published settings, and changes with it, so that its address can be cached forever. */
export const logoHash = ({ logo }: LogoRow): string => createHash('sha256').update(logo).digest('hex');
