import { randomBytes } from 'node:crypto';

const longest = 63;

/** A slug in the words of a name: letters without their marks, all else as hyphens; "workspace" where nothing is left. */
export function slugOf(name: string): string {
  const words = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return trimmed(words) || 'workspace';
}

/** The same one with something at its end that is hardly another one's. */
export const anotherSlug = (slug: string): string => `${trimmed(slug.slice(0, longest - 7))}-${randomBytes(3).toString('hex')}`;

const trimmed = (text: string): string => text.replace(/^-+/, '').slice(0, longest).replace(/-+$/, '');
