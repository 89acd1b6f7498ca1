/** Where the bytes of files are. A key is made of ids, never of anything that a client sent. */
export interface FileStorage {
  /** Stores all of it, or nothing: when it resolves, every byte has reached the disk; when it rejects, none is left. */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Its bytes, from the first one on. Rejects if there is nothing under this key. */
  open(key: string): Promise<AsyncIterable<Uint8Array>>;
  /** Afterwards there is nothing under this key, whether there was or not; what a `put` left half done when its process died included. */
  remove(key: string): Promise<void>;
}
