import { z } from 'zod';
import { instant, listOf, page } from '../shapes';
import { Actor } from './actor';
import { FormItem } from './draft';
import { Payment } from './payment';

export const FormVersion = z.object({ version: z.int(), published_at: instant(), published_by: Actor });

export const FormVersionList = listOf(FormVersion);

/** `fields` and `payment` as published. Without `payment` the form collects none. */
export const FormVersionDetail = FormVersion.extend({ fields: z.array(FormItem), payment: Payment.optional() });

export const VersionsQuery = z.object(page);
