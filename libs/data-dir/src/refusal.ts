/** The system cannot start, for a reason that the user can fix. The message is all that they need to see. */
export class Refusal extends Error {}
