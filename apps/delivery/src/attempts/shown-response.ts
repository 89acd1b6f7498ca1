import type { Excerpt } from '@sheaf/egress';

/** What a subscriber answered, as people see it. */
export const shownResponse = ({ contentType, text, isCut, location }: Excerpt) => ({
  content_type: contentType,
  body: text,
  truncated: isCut,
  location,
});
