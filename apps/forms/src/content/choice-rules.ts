import {
  boundsOf,
  cellsOf,
  choiceBounds,
  hasSetting,
  isMatrix,
  isOtherText,
  isRanked,
  maxListedForRanks,
  maxMatrixCells,
  nps,
  otherKey,
  otherValue,
  traitsOf,
  type Field,
} from '@sheaf/contracts';
import type { Fault } from './faults';

const maxPictures = 10;

/** The fault of a look that choices of another type have. */
export function appearanceFaults({ appearance, type }: Field): Fault[] {
  const { appearances } = traitsOf({ type });
  return appearance === undefined || !appearances || appearances.includes(appearance)
    ? []
    : [['appearance', `must be one of ${appearances.join(', ')} for the type ${type}`]];
}

/** The fault of a preferred country that nobody can choose. */
export function countryFaults({ only, preferred = [] }: Field): Fault[] {
  const missing = only && preferred.find((code) => !only.includes(code));
  return missing === undefined ? [] : [['preferred', `must have only countries of "only", not ${missing}`]];
}

/** The faults of a look that does not fit the scale of a rating, and of its score. */
export function ratingFaults(field: Field): Fault[] {
  const { appearance, score } = field;
  const { min = 0, max = 0 } = boundsOf(field);
  const faults: Fault[] = [];
  if (!hasSetting(field, 'score')) return [];
  if (appearance === 'stars' && (min !== 1 || max > maxPictures))
    faults.push(['appearance', `may be stars only for a scale from 1 to at most ${maxPictures}`]);
  if (appearance === 'faces' && max - min >= maxPictures)
    faults.push(['appearance', `may be faces only for a scale of at most ${maxPictures} steps`]);
  if (score === 'nps' && (min !== nps.min || max !== nps.max))
    faults.push(['score', `may be nps only with min: ${nps.min} and max: ${nps.max}`]);
  return faults;
}

/** The faults of what is ranked. Pages have a list of the options for each rank, and an option that is full could not be ranked last. */
export function rankingFaults(field: Field): Fault[] {
  const { options = [], ranks } = field;
  if (!isRanked(field)) return [];
  const { max: asked = 0 } = choiceBounds(field);
  const most = Math.min(options.length, Math.floor(maxListedForRanks / Math.max(options.length, 1)));
  const limited = options.findIndex(({ limit }) => limit !== undefined);
  const pictured = options.findIndex(({ image }) => image !== undefined);
  const faults: Fault[] = limited === -1 ? [] : [[`options.${limited}.limit`, `is not allowed for the type ${field.type}`]];
  // The lists of a page have texts alone.
  if (pictured !== -1) faults.push([`options.${pictured}.image`, `is not allowed for the type ${field.type}`]);
  if (ranks !== undefined && options.length > 0 && ranks > options.length)
    faults.push(['ranks', `must be at most ${options.length}, the number of options`]);
  else if (asked > most) faults.push(['ranks', `must be at most ${most} for ${options.length} options`]);
  return faults;
}

/** The faults of the rows and columns of a matrix, of which a page has all cells. */
export function matrixFaults(field: Field): Fault[] {
  if (!isMatrix(field)) return [];
  const faults = (['rows', 'columns'] as const).flatMap((part): Fault[] => {
    const choices = field[part];
    if (!choices) return [[part, `is required for the type ${field.type}`]];
    const seen = new Set<string>();
    return choices.flatMap(({ value }, index): Fault[] =>
      seen.size === seen.add(value).size ? [[`${part}.${index}`, 'must have a value that no other one has']] : [],
    );
  });
  const cells = cellsOf(field);
  if (cells > maxMatrixCells) faults.push(['rows', `times columns must be at most ${maxMatrixCells}, but are ${cells}`]);
  return faults;
}

/** How many options a page has for a ranking, in the lists of all ranks. */
export const listedForRanks = (field: Field): number => (choiceBounds(field).max ?? 0) * (field.options ?? []).length;

const maxKey = 64;
const maxOptions = 1_000;

/** The faults of *Other*. The option and the text were made by the rules of drafts, apart from what they cannot have. */
export function otherFaults(field: Field): Fault[] {
  const { key, options = [], other, other_of: of } = field;
  if (of !== undefined && !isOtherText(field)) return [['other_of', `is allowed only for the key ${otherKey(of).slice(0, maxKey)}`]];
  if (!other) return [];
  const faults: Fault[] = [];
  if (otherKey(key).length > maxKey)
    faults.push(['other', `is allowed only for a key of at most ${maxKey - otherKey('').length} characters`]);
  if (options.length > maxOptions) faults.push(['other', `must leave at most ${maxOptions} options, itself included`]);
  const { visible_if, limit, image } = options.find(({ value }) => value === otherValue) ?? {};
  if (visible_if !== undefined) faults.push(['other', 'must have no condition']);
  if (image !== undefined) faults.push(['other', 'must have no picture, as it is for what nobody knows yet']);
  if (limit !== undefined) faults.push(['other', 'must have no limit, as it is for what the other options leave out']);
  return faults;
}
