/** A command failed; the message tells the operator why. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** 1: refused or failed; 2: invalid usage; 3: done, and something is missing. */
    readonly exitCode: 1 | 2 | 3 = 1,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
