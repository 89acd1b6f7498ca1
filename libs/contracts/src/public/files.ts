import { z } from 'zod';

/** The field that the file is for. Its rules for files are checked during the upload. */
export const FileQuery = z.object({ field: z.string('must be the key of a field').min(1, 'must be the key of a field') });

/** `file_id` is the field's answer in `data`. The name and type are those under which the file was stored. */
export const UploadedFile = z.object({ file_id: z.string(), name: z.string(), content_type: z.string(), size: z.int() });
