import { Readable } from 'node:stream';
import type { FileStorage } from './storage';

export interface S3Settings {
  bucket: string;
  /** Undefined for AWS. */
  endpoint: string | undefined;
  region: string;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  forcePathStyle: boolean;
}

/** Stores files in an S3 or S3-compatible bucket. Credentials come from the AWS SDK's default sources. */
export async function s3Storage({ bucket: Bucket, ...settings }: S3Settings): Promise<FileStorage> {
  // Loaded only when configured: the SDK is larger than the rest of this service.
  const {
    AbortMultipartUploadCommand,
    DeleteObjectCommand,
    GetObjectCommand,
    HeadObjectCommand,
    ListMultipartUploadsCommand,
    paginateListObjectsV2,
    S3Client,
    Upload,
  } = await import('./s3-sdk');
  const client = new S3Client({
    region: settings.region,
    forcePathStyle: settings.forcePathStyle,
    ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint }),
    requestHandler: { connectionTimeout: 3_000, socketTimeout: 30_000 },
    // Not every S3-compatible server supports the checksums that newer clients add by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

  return {
    async put(Key, bytes) {
      // One part at a time, so that each upload holds only one part of 5 MiB in memory.
      const upload = new Upload({ client, queueSize: 1, params: { Bucket, Key, Body: Readable.from(bytes) } });
      await upload.done();
    },

    async open(Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      return Body as Readable;
    },

    async remove(Key) {
      // Parts of an upload whose process died are not an object and would be kept forever.
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }));
      for (const { UploadId } of Uploads) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },

    async sizeOf(Key) {
      return client.send(new HeadObjectCommand({ Bucket, Key })).then(
        ({ ContentLength }) => ContentLength ?? 0,
        // An answer to HEAD has no body that could name the error.
        (error: unknown) =>
          (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404
            ? undefined
            : Promise.reject(error as Error),
      );
    },

    async *keys(after) {
      // Sorts after all in the folder, also what is not ours: "0" follows "/".
      const from = after === undefined ? {} : { StartAfter: `${after}0` };
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, ...from }))
        for (const { Key } of Contents) if (Key !== undefined) yield Key;
    },
  };
}
