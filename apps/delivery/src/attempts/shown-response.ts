import type { Excerpt } from '@sheaf/egress';

/** The response of a subscriber, as people see it. */
export const shownResponse = ({ contentType, text, isCut, location }: Excerpt) => ({
  content_type: contentType,
  body: text,
  truncated: isCut,
  location,
});
