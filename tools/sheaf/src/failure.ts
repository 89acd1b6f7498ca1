/** Why something could not be done, in words for the operator. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** 1: it was refused or failed; 2: it was asked for in a way that we do not take. */
    readonly exitCode: 1 | 2 = 1,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
