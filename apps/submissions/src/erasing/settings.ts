import { whole } from '@sheaf/runtime';
import type { z } from 'zod';

export const retentionSettings = {
  /** Shorter days for keeping submissions take effect after this time, so that they can be undone before anything is erased. */
  RETENTION_GRACE_DAYS: whole(1, 365).default(7),
};

const dayMs = 86_400_000;

export const graceMs = ({ RETENTION_GRACE_DAYS: days }: z.output<z.ZodObject<typeof retentionSettings>>): number => days * dayMs;
