/** Which option each one is: an option has no id, its texts change, and blank ones are alike. */
const identities = new WeakMap<object, object>();

const identityOf = (option: object): object => identities.get(option) ?? option;

/** Notes that options which have changed in their places are still the same ones. */
export function keepIdentities(before: readonly object[], next: readonly object[]): void {
  if (before.length !== next.length) return;
  const [earlier, later] = [new Set(before), new Set(next)];
  for (const [at, option] of next.entries()) {
    const former = before[at];
    if (former && !later.has(former) && !earlier.has(option)) identities.set(option, identityOf(former));
  }
}

/** The place of an option that may have changed or moved since; -1 if it is gone. */
export const placeOf = (options: readonly object[], option: object): number =>
  options.findIndex((each) => identityOf(each) === identityOf(option));
