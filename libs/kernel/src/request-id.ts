/** Reads the id of a request from outside; undefined if it is missing, or could not stand in a header, a line of the log and a column as it is. */
export const readRequestId = (text: string | undefined): string | undefined =>
  text !== undefined && /^[\w.-]{1,64}$/.test(text) ? text : undefined;
