/**
 * The last message of every streamed request. Node's HTTP/2 ends a cancelled stream first, so without an explicit mark a service would take
 * half an upload for the whole.
 */
export const endMark = Symbol('the end of a streamed request');

/** A field that no message has: the highest field number, set to 1. */
const bytesOfMark = Buffer.from('f8ffffff0f01', 'hex');

export const markingEnd =
  (serialize: (message: unknown) => Buffer) =>
  (message: unknown): Buffer =>
    message === endMark ? bytesOfMark : serialize(message);

export const knowingEnd =
  (deserialize: (bytes: Buffer) => unknown) =>
  (bytes: Buffer): unknown =>
    bytes.equals(bytesOfMark) ? endMark : deserialize(bytes);
