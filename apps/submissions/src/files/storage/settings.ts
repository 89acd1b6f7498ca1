import { flag, whole } from '@sheaf/runtime';
import { z } from 'zod';

/** File settings: either a folder or a bucket. */
export const fileSettings = {
  /** A folder for the files, shared by all replicas. There is no default, because files on an arbitrary disk get lost. */
  FILES_DIR: z.string().min(1).optional(),
  /** A bucket for the files, instead of a folder. */
  FILES_S3_BUCKET: z.string().min(3).optional(),
  /** The address of an S3-compatible server other than AWS. */
  FILES_S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  FILES_S3_REGION: z.string().min(1).default('us-east-1'),
  /** Puts the bucket in the path rather than the host name, as most S3-compatible servers require. */
  FILES_S3_FORCE_PATH_STYLE: flag().default(false),
  /** Maximum file size, whatever a field allows. */
  FILE_MAX_BYTES: whole(1, 2_147_483_647).default(26_214_400),
  /** An unclaimed file is removed after this time. An upload never takes that long. */
  FILE_UNCLAIMED_HOURS: whole(1, 720).default(24),
  /** Maximum number of unclaimed files from one address within ten minutes: enough for a school behind one address. */
  FILE_UNCLAIMED_PER_ADDRESS: whole(1, 100_000).default(500),
  /** Maximum total bytes of those files; a file of FILE_MAX_BYTES always fits. */
  FILE_UNCLAIMED_BYTES: whole(1, Number.MAX_SAFE_INTEGER).default(1_073_741_824),
  /** Maximum total bytes of a form's files; 0 means no limit. */
  FILE_FORM_BYTES: whole(0, Number.MAX_SAFE_INTEGER).default(5_368_709_120),
  /** Maximum total bytes of an instance's files; 0 means no limit. */
  FILE_INSTANCE_BYTES: whole(0, Number.MAX_SAFE_INTEGER).default(53_687_091_200),
  /** Maximum size of the file of an export that is made in the background. One that is streamed has no limit. */
  EXPORT_MAX_BYTES: whole(1, Number.MAX_SAFE_INTEGER).default(2_147_483_648),
};

export const hasOneStorage = ({
  FILES_DIR,
  FILES_S3_BUCKET,
}: {
  FILES_DIR?: string | undefined;
  FILES_S3_BUCKET?: string | undefined;
}): boolean => (FILES_DIR === undefined) !== (FILES_S3_BUCKET === undefined);
