const pollMs = 2_000;

/** When to load a list of deliveries again: no event tells that one of them has ended. */
export const pollWhilePending = (deliveries: readonly { state: string }[] | undefined): number | false =>
  deliveries?.some(({ state }) => state === 'pending') ? pollMs : false;
