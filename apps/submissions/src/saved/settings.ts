import { whole } from '@sheaf/runtime';

export const savedSettings = {
  /** Maximum total bytes of a form's saved answers; 0 means no limit. */
  SAVED_ANSWERS_FORM_BYTES: whole(0, Number.MAX_SAFE_INTEGER).default(1_073_741_824),
};
