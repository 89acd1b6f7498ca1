import { z } from 'zod';

/**
 * The files of a backup. `base.tar` and `backup_manifest` are PostgreSQL's own base backup; `data.tar` has what else belongs to DATA_DIR:
 * secrets and uploaded files. With a passphrase, these three are encrypted in the age format and end in `.age`.
 */
export const archives = ['base.tar', 'backup_manifest', 'data.tar'] as const;
export type Archive = (typeof archives)[number];

/** The description of the backup, in the clear. */
export const description = 'backup.json';
/** The SHA-256 of every other file, in the format of sha256sum. Written last: without it, a backup is not complete. */
export const sums = 'SHA256SUMS';

export const storedName = (archive: Archive, encrypted: boolean): string => (encrypted ? `${archive}.age` : archive);

export const storedNames = (encrypted: boolean): string[] => [...archives.map((archive) => storedName(archive, encrypted)), description];

export const Description = z.object({
  /** Everything accepted before this time is in the backup. */
  started_at: z.iso.datetime(),
  /** Nothing accepted after this time is in the backup. */
  completed_at: z.iso.datetime(),
  sheaf: z.string(),
  postgres: z.string(),
  /** A base backup fits the platform on which it was made. */
  platform: z.string(),
  encrypted: z.boolean(),
  /** Uploaded files; null if they are in a bucket, which has a backup of its own. */
  files: z.int().min(0).nullable(),
});
export type Description = z.output<typeof Description>;

export const platform = `${process.platform}-${process.arch}`;
