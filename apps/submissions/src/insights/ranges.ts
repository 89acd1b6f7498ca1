import { nps } from '@sheaf/contracts';
import { rangeOf, type CountedRange } from './counted-range';
import { exactMean } from './mean';

export interface Summary {
  min: number;
  lower_quartile: number;
  median: number;
  upper_quartile: number;
  max: number;
  ranges: { from: number; to: number; submissions: number }[];
  mean?: number;
  score?: Score;
}

export interface Score {
  value: number;
  promoters: number;
  passives: number;
  detractors: number;
}

/** The steps of a rating, and whether its answers make a score. */
export interface Scale {
  min: number;
  max: number;
  hasScore: boolean;
}

/** The most ranges that people are shown. */
const maxRanges = 20;

/**
 * Sums up the numbers of a field. Each of its numbers is rounded down to two significant digits. Undefined if there are none.
 * @param scale of a rating, or of whole numbers between bounds: every step of it has a range
 * @param digits those that the ranges leave out, for an exact mean; undefined if not all of them are counted
 */
export function summaryOf(
  counted: readonly CountedRange[],
  areWhole: boolean,
  { scale, digits }: { scale?: Scale | undefined; digits?: readonly CountedRange[] | undefined } = {},
): Summary | undefined {
  const sorted = counted.map(({ range, submissions }) => ({ ...partsOf(range), submissions })).sort((a, b) => a.low - b.low);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last) return undefined;
  const total = sorted.reduce((sum, { submissions }) => sum + submissions, 0);
  const at = (share: number): number => {
    let remaining = Math.max(1, Math.ceil(share * total));
    return (sorted.find(({ submissions }) => (remaining -= submissions) <= 0) ?? last).low;
  };
  return {
    min: first.low,
    lower_quartile: at(0.25),
    median: at(0.5),
    upper_quartile: at(0.75),
    max: last.low,
    ranges: widened(scale ? withEnds(sorted, scale) : sorted, areWhole),
    ...meanOf(counted, digits ?? (areCountedAsTheyAre(sorted, areWhole || scale !== undefined) ? [] : undefined)),
    ...(scale?.hasScore ? { score: scoreOf(sorted) } : {}),
  };
}

/** With nobody at the ends of the scale, if nobody is there. */
function withEnds(sorted: readonly (Parts & { submissions: number })[], { min, max }: Scale): (Parts & { submissions: number })[] {
  const [low = min, high = max] = [sorted[0]?.low, sorted.at(-1)?.low];
  const nobody = (step: number) => ({ ...partsOf(rangeOf(step)), submissions: 0 });
  return [...(min < low ? [nobody(min)] : []), ...sorted, ...(max > high ? [nobody(max)] : [])];
}

/** Steps and whole numbers below a hundred are. Those from there on are rounded down. */
const areCountedAsTheyAre = (sorted: readonly Parts[], areWhole: boolean): boolean => areWhole && sorted.every(({ scale }) => scale <= 0);

function meanOf(counted: readonly CountedRange[], digits: readonly CountedRange[] | undefined): Pick<Summary, 'mean'> {
  const mean = digits && exactMean(counted, digits);
  return mean === undefined ? {} : { mean };
}

/** Answers from before the question had this scale may lie beyond it. */
function scoreOf(sorted: readonly Counts[]): Score {
  const between = (from: number, to: number) =>
    sorted.filter(({ low }) => low >= from && low <= to).reduce((all, { submissions }) => all + submissions, 0);
  const promoters = between(nps.promotersFrom, nps.max);
  const passives = between(nps.passivesFrom, nps.promotersFrom - 1);
  const detractors = between(nps.min, nps.passivesFrom - 1);
  const all = promoters + passives + detractors;
  return { value: all === 0 ? 0 : Math.round((1_000 * (promoters - detractors)) / all) / 10, promoters, passives, detractors };
}

interface Counts {
  low: number;
  submissions: number;
}

interface Parts {
  low: number;
  mantissa: number;
  scale: number;
}

function partsOf(range: string): Parts {
  const [mantissa = '', scale = ''] = range.split('e');
  return { low: Number(range), mantissa: Number(mantissa), scale: Number(scale) };
}

/** Ranges of equal width, 1, 2 or 5 times a power of ten, each of which has whole counted ranges. */
function widened(sorted: readonly (Parts & { submissions: number })[], areWhole: boolean): Summary['ranges'] {
  const scales = sorted.flatMap(({ mantissa, scale }) => (mantissa === 0 ? [] : [scale]));
  for (let scale = Math.max(...(scales.length > 0 ? scales : [0]), ...(areWhole ? [0] : [])); ; scale++) {
    for (const step of [1, 2, 5]) {
      const placeOf = (parts: Parts) => Math.floor(parts.mantissa / (step * 10 ** Math.max(0, scale - parts.scale)));
      const places = sorted.map(placeOf);
      const [start, end] = [places[0] ?? 0, places.at(-1) ?? 0];
      if (end - start >= maxRanges) continue;
      const edge = (place: number) => Number(`${place * step}e${scale}`);
      const ranges = Array.from({ length: end - start + 1 }, (_, n) => ({
        from: edge(start + n),
        to: edge(start + n + 1),
        submissions: 0,
      }));
      sorted.forEach(({ submissions }, n) => {
        const range = ranges[(places[n] ?? 0) - start];
        if (range) range.submissions += submissions;
      });
      return ranges;
    }
  }
}
