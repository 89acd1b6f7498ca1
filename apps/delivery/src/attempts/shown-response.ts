import type { Excerpt } from '@sheaf/egress';

/** The response of a subscriber, as people see it. */
export const shownResponse = ({ contentType, headers, text, isCut, location }: Excerpt) => ({
  content_type: contentType,
  headers: headers ?? {},
  body: text,
  truncated: isCut,
  location,
});
