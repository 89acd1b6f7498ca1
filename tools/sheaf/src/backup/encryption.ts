import { readFile } from 'node:fs/promises';
import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { Failure } from '../failure';

type Chunks = AsyncIterable<Uint8Array>;

/** Encrypts and decrypts in the age format (https://age-encryption.org/v1), so that `age --decrypt` opens a backup, too. */
export interface Encryption {
  encrypt(plain: Chunks): Chunks;
  /** @throws Error if the passphrase is another one, or the content was changed */
  decrypt(encrypted: Chunks): Chunks;
}

const minLength = 16;

/** The first line of a file that only its owner should be able to read. An argument would be readable by every user of the machine. */
export async function encryptionWith(passphraseFile: string): Promise<Encryption> {
  let text: string;
  try {
    text = await readFile(passphraseFile, 'utf8');
  } catch (error) {
    throw new Failure('bad_request', `--passphrase-file: cannot be read: ${(error as Error).message}`, 2, { cause: error });
  }
  const passphrase = text.split(/\r?\n/, 1)[0] ?? '';
  if (passphrase.length < minLength)
    throw new Failure('bad_request', `--passphrase-file: its first line must have at least ${minLength} characters`, 2);
  return ageEncryption(passphrase);
}

/** @param workFactor of scrypt, as the base-2 logarithm; undefined for that of age, which takes a second */
export function ageEncryption(passphrase: string, workFactor?: number): Encryption {
  return {
    async *encrypt(plain) {
      const encrypter = new Encrypter();
      encrypter.setPassphrase(passphrase);
      if (workFactor !== undefined) encrypter.setScryptWorkFactor(workFactor);
      yield* chunksOf(await encrypter.encrypt(streamOf(plain)));
    },
    async *decrypt(encrypted) {
      const decrypter = new Decrypter();
      decrypter.addPassphrase(passphrase);
      let plain;
      try {
        plain = await decrypter.decrypt(streamOf(encrypted));
      } catch (error) {
        throw new Error('it cannot be decrypted: the passphrase is another one', { cause: error });
      }
      yield* chunksOf(plain);
    },
  };
}

// The web's streams of Node and those of the web differ only in their types.
const streamOf = (chunks: Chunks) => ReadableStream.from(chunks) as unknown as globalThis.ReadableStream<Uint8Array>;
const chunksOf = (stream: globalThis.ReadableStream<Uint8Array>): Chunks => stream;
