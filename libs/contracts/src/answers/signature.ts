/** A signature as it is kept. */
export type Signature = { kind: 'drawn'; file_id: string } | { kind: 'typed'; name: string };

/** The signature of somebody who may have drawn one, typed a name, or both: who has drawn means the picture. */
export function signatureOf(name: string, fileId: string | undefined): Signature | undefined {
  if (fileId !== undefined) return { kind: 'drawn', file_id: fileId };
  return name === '' ? undefined : { kind: 'typed', name };
}
