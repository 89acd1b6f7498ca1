/** A refusal or failure that a person can read. */
export class Failure extends Error {
  constructor(
    message: string,
    /** 1: refused or failed; 2: wrong usage. */
    readonly exitCode: 1 | 2 = 1,
    /** For programs. */
    readonly code = exitCode === 2 ? 'usage' : 'refused',
  ) {
    super(message);
  }
}
