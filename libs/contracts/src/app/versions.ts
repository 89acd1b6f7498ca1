import { z } from 'zod';
import { instant, listOf, page } from '../shapes';
import { Field } from './draft';

/** Who did something: a person, or a service account. */
export const Actor = z.object({ kind: z.string(), id: z.string() });

export const FormVersion = z.object({ version: z.int(), published_at: instant(), published_by: Actor });

export const FormVersionList = listOf(FormVersion);

/** `fields` as they were published. */
export const FormVersionDetail = FormVersion.extend({ fields: z.array(Field) });

export const VersionsQuery = z.object(page);
