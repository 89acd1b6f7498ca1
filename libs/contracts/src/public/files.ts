import { z } from 'zod';

/** Which field of the form the file is for: what it may be is checked while it arrives. */
export const FileQuery = z.object({ field: z.string('must be the key of a field').min(1, 'must be the key of a field') });

/** `file_id` is the answer to the field: it goes into `data` as it is. Name and type are as they were understood. */
export const UploadedFile = z.object({ file_id: z.string(), name: z.string(), content_type: z.string(), size: z.int() });
