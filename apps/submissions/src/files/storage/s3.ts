import { Readable } from 'node:stream';
import type { FileStorage } from './storage';

export interface S3Settings {
  bucket: string;
  /** Absent for AWS itself. */
  endpoint: string | undefined;
  region: string;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  forcePathStyle: boolean;
}

/** Files in a bucket of S3, or of what speaks its protocol. Credentials come from where AWS's tools look for them. */
export async function s3Storage({ bucket: Bucket, ...settings }: S3Settings): Promise<FileStorage> {
  // Loaded when it is configured only: it is larger than the rest of this service.
  const { AbortMultipartUploadCommand, DeleteObjectCommand, GetObjectCommand, ListMultipartUploadsCommand, S3Client, Upload } =
    await import('./s3-sdk');
  const client = new S3Client({
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint }),
    requestHandler: { connectionTimeout: 3_000, socketTimeout: 30_000 },
    // The checksums that newer clients add by default are not understood by every server that speaks the protocol.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

  return {
    async put(Key, bytes) {
      // One part at a time: what is held in memory is one part of 5 MiB for each upload.
      const upload = new Upload({ client, queueSize: 1, params: { Bucket, Key, Body: Readable.from(bytes) } });
      await upload.done();
    },

    async open(Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      return Body as Readable;
    },

    async remove(Key) {
      // The parts of an upload whose process died are no object, and would be kept for ever.
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }));
      for (const { UploadId } of Uploads) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
  };
}
