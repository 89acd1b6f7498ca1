import { flag, whole } from '@sheaf/runtime';
import { z } from 'zod';

/** The settings of files: either a folder or a bucket. */
export const fileSettings = {
  /** A folder for the files. All copies of the process have to share it. There is no default: files on a disk that nobody chose get lost. */
  FILES_DIR: z.string().min(1).optional(),
  /** A bucket for the files, instead of a folder. */
  FILES_S3_BUCKET: z.string().min(3).optional(),
  /** The address of an S3 that is not AWS's own. */
  FILES_S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  FILES_S3_REGION: z.string().min(1).default('us-east-1'),
  /** The bucket in the path and not in the name of the host, as most that are not AWS want it. */
  FILES_S3_FORCE_PATH_STYLE: flag().default(false),
  /** The largest file, whatever a field says. */
  FILE_MAX_BYTES: whole(1, 2_147_483_647).default(26_214_400),
  /** After how long a file that no submission claimed is removed. An upload never takes that long. */
  FILE_UNCLAIMED_HOURS: whole(1, 720).default(24),
  /** How many files of one address may wait to be claimed: with FILE_MAX_BYTES the bound to what one address can make us store. */
  FILE_UNCLAIMED_PER_ADDRESS: whole(1, 100_000).default(50),
};

export const isStorageChosen = ({ FILES_DIR, FILES_S3_BUCKET }: { FILES_DIR?: string | undefined; FILES_S3_BUCKET?: string | undefined }): boolean =>
  (FILES_DIR === undefined) !== (FILES_S3_BUCKET === undefined);
