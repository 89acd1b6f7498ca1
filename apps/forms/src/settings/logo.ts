import { createHash } from 'node:crypto';
import { maxLogoBytes } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import { dataUrlOf, readPicture } from '../pictures/picture-bytes';
import type { LogoRow } from '../rows';

/**
 * Reads the data URL of a logo.
 * @throws Problem `bad_request` if the picture is too large, or its bytes are not in the declared format.
 */
export function readLogo(dataUrl: string): LogoRow {
  const read = readPicture(dataUrl, maxLogoBytes);
  if ('fault' in read) throw Problem.badRequest(`theme.logo: ${read.fault}`);
  return { logo_type: read.type, logo: read.bytes };
}

export const logoUrl = ({ logo_type: type, logo: bytes }: LogoRow): string => dataUrlOf({ type, bytes });

/** Stands for the logo in published settings, and changes with it, so that its address can be cached forever. */
export const logoHash = ({ logo }: LogoRow): string => createHash('sha256').update(logo).digest('hex');
