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
  /** How many files may come from one address within ten minutes that no submission has claimed yet: enough for a school behind one address. */
  FILE_UNCLAIMED_PER_ADDRESS: whole(1, 100_000).default(500),
  /** How many bytes these may have together; a file of FILE_MAX_BYTES always fits. */
  FILE_UNCLAIMED_BYTES: whole(1, Number.MAX_SAFE_INTEGER).default(1_073_741_824),
  /** How many bytes all files of a form may have together; 0 means no bound. */
  FILE_FORM_BYTES: whole(0, Number.MAX_SAFE_INTEGER).default(5_368_709_120),
  /** How many bytes all files of an instance may have together; 0 means no bound. */
  FILE_INSTANCE_BYTES: whole(0, Number.MAX_SAFE_INTEGER).default(53_687_091_200),
};

export const isStorageChosen = ({
  FILES_DIR,
  FILES_S3_BUCKET,
}: {
  FILES_DIR?: string | undefined;
  FILES_S3_BUCKET?: string | undefined;
}): boolean => (FILES_DIR === undefined) !== (FILES_S3_BUCKET === undefined);
