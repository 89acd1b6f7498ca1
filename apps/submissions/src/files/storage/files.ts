import type { Log, Process } from '@sheaf/runtime';
import type { Config } from '../../config';
import type { UploadLimits } from '../upload-limits';
import { localStorage } from './local';
import { reportingOutages } from './outages';
import { s3Storage } from './s3';
import type { FileStorage } from './storage';

/** The file storage and the operator's limits. */
export interface Files {
  storage: FileStorage;
  log: Log;
  /** Maximum file size, whatever a field allows. */
  maxBytes: number;
  /** An unclaimed file is removed after this time. */
  unclaimedHours: number;
  /** Maximum size of the file of an export that is made in the background. */
  exportMaxBytes: number;
  limits: UploadLimits;
}

export async function openFiles(process: Process, config: Config): Promise<Files> {
  return {
    storage: reportingOutages(await openStorage(config)),
    log: process.log,
    maxBytes: config.FILE_MAX_BYTES,
    unclaimedHours: config.FILE_UNCLAIMED_HOURS,
    exportMaxBytes: config.EXPORT_MAX_BYTES,
    limits: {
      formBytes: config.FILE_FORM_BYTES,
      instanceBytes: config.FILE_INSTANCE_BYTES,
      waitingFiles: config.FILE_UNCLAIMED_PER_ADDRESS,
      waitingBytes: Math.max(config.FILE_UNCLAIMED_BYTES, config.FILE_MAX_BYTES),
    },
  };
}

/** The storage that the settings name. */
export function openStorage(
  config: Pick<Config, 'FILES_DIR' | 'FILES_S3_BUCKET' | 'FILES_S3_ENDPOINT' | 'FILES_S3_REGION' | 'FILES_S3_FORCE_PATH_STYLE'>,
): Promise<FileStorage> {
  if (config.FILES_S3_BUCKET === undefined) return localStorage(config.FILES_DIR ?? '');
  return s3Storage({
    bucket: config.FILES_S3_BUCKET,
    endpoint: config.FILES_S3_ENDPOINT,
    region: config.FILES_S3_REGION,
    forcePathStyle: config.FILES_S3_FORCE_PATH_STYLE,
  });
}
