/**
 * The last message of every streamed request. Node's HTTP/2 ends a stream before it reports the cancellation, so without an explicit mark a
 * service would accept half an upload as complete.
 */
export const endMark = Symbol('the end of a streamed request');

/** A field that no message has: the highest field number, set to 1. */
const endMarkBytes = Buffer.from('f8ffffff0f01', 'hex');

export const serializerWithEnd =
  (serialize: (message: unknown) => Buffer) =>
  (message: unknown): Buffer =>
    message === endMark ? endMarkBytes : serialize(message);

export const deserializerWithEnd =
  (deserialize: (bytes: Buffer) => unknown) =>
  (bytes: Buffer): unknown =>
    bytes.equals(endMarkBytes) ? endMark : deserialize(bytes);
