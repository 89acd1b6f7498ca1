/** The version of a form that answers were made against, as far as it is known: old submissions have no id of it, and tried answers no time. */
export interface MadeAgainst {
  versionId: string | null | undefined;
  madeAt: Date | string | undefined;
}

/** The version that has this number now. An earlier release of `forms` tells neither, or only the time. */
export interface FoundVersion {
  id: string | undefined;
  publishedAt: Date | string | undefined;
}

/** How far the clocks of two services may be apart. */
const clocksApartMs = 60_000;

const msOf = (time: Date | string): number => new Date(time).getTime();

/**
 * Whether a version that was found by its number is the one that answers were made against: after a restore of `forms`, another one may have the
 * number. Ids decide; without one, it is another version if it was published only afterwards.
 */
export function isMeant({ versionId, madeAt }: MadeAgainst, { id, publishedAt }: FoundVersion): boolean {
  if (typeof versionId === 'string' && id !== undefined) return versionId === id;
  return madeAt === undefined || publishedAt === undefined || msOf(publishedAt) <= msOf(madeAt) + clocksApartMs;
}
