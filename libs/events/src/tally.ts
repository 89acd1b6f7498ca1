/**
 * Events of one kind in a minute, told in a few bytes, so that two databases can compare millions of them and name only those of minutes in which they
 * differ.
 */
export type Tally = [
  /** Minutes since 1970. */
  minute: number,
  count: number,
  /** A sum over their forms and moments, to the millisecond: two databases have the same sum only if they have the same forms and moments. */
  sum: string,
];

/**
 * SQL for tallies, which must be the same wherever they are made: `minute` to group by, and `tally` as JSON. Not `hashtext`, which may differ between
 * versions of PostgreSQL.
 * @param form the column with the form
 * @param at the column with the moment
 */
export const tallyOf = (form: string, at: string): { minute: string; tally: string } => {
  const minute = `cast(floor(extract(epoch from ${at}) / 60) as bigint)`;
  const mark = `md5(concat(${form}, ' ', floor(extract(epoch from ${at}) * 1000)))`;
  return {
    minute,
    tally: `json_build_array(${minute}, count(*), cast(sum(cast(cast('x' || left(${mark}, 15) as bit(60)) as bigint)) as text))`,
  };
};

/** Adds tallies of the same minutes up: a walk through a table meets a minute more than once. */
export class Tallies {
  private readonly minutes = new Map<number, { count: number; sum: bigint }>();

  add(tallies: readonly Tally[]): void {
    for (const [minute, count, sum] of tallies) {
      const known = this.minutes.get(minute) ?? { count: 0, sum: 0n };
      this.minutes.set(minute, { count: known.count + count, sum: known.sum + BigInt(sum) });
    }
  }

  list(): Tally[] {
    return [...this.minutes].map(([minute, { count, sum }]) => [minute, count, String(sum)]);
  }
}
