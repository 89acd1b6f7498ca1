import { z } from 'zod';

export const maxPreferences = 200;
const maxValueBytes = 16 * 1_024;

export const preferenceKey = () =>
  z
    .string('must be a string')
    .regex(
      /^[a-z0-9][a-z0-9._-]{0,99}$/,
      'must be 1 to 100 lower-case letters, digits, dots, underscores and hyphens, and begin with a letter or digit',
    );

/** Any JSON. */
export const preferenceValue = () =>
  z
    .unknown()
    .refine((value) => value !== undefined, { error: 'is required', abort: true })
    .refine(
      (value) => new TextEncoder().encode(JSON.stringify(value)).length <= maxValueBytes,
      `must have at most ${maxValueBytes} bytes of JSON`,
    );

export const PreferenceRequest = z.object({ value: preferenceValue() });

export const Preference = z.object({ key: z.string(), value: z.unknown() });

export const Preferences = z.object({ data: z.record(z.string(), z.unknown()) });
