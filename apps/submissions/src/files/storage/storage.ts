/** Stores the bytes of files. Keys are made of ids, never of client input. */
export interface FileStorage {
  /** All or nothing: once it resolves, every byte is on disk; if it rejects, nothing is left. */
  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Reads a file from the start. Rejects if there is nothing under this key. */
  open(key: string): Promise<AsyncIterable<Uint8Array>>;
  /** Removes everything under this key, including the remains of a `put` whose process died. Succeeds if there is nothing. */
  remove(key: string): Promise<void>;
  /** How many bytes the file under this key has; undefined if there is none, or if its `put` has not ended. */
  sizeOf(key: string): Promise<number | undefined>;
  /**
   * All keys, folder by folder in the order of the folders, without holding them in memory. A key whose `put` died in the middle may be among them.
   * @param after only those of later folders (`<instance>/<form>`)
   */
  keys(after?: string): AsyncIterable<string>;
}
