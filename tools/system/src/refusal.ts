/** The system cannot start, for a reason that people can do something about. The message is all that they need to see. */
export class Refusal extends Error {}
