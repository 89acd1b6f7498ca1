import { boundsOf, hasSetting, nps, traitsOf, type Field } from '@sheaf/contracts';
import type { Fault } from './faults';

const maxPictures = 10;

/** The faults of the looks of a rating, and of its score. */
export function ratingFaults(field: Field): Fault[] {
  const { appearance, score, type } = field;
  const { appearances = [] } = traitsOf(field);
  const { min = 0, max = 0 } = boundsOf(field);
  const faults: Fault[] = [];
  if (!hasSetting(field, 'score')) return [];
  if (appearance !== undefined && !appearances.includes(appearance))
    faults.push(['appearance', `must be one of ${appearances.join(', ')} for the type ${type}`]);
  if (appearance === 'stars' && (min !== 1 || max > maxPictures))
    faults.push(['appearance', `may be stars only for a scale from 1 to at most ${maxPictures}`]);
  if (appearance === 'faces' && max - min >= maxPictures)
    faults.push(['appearance', `may be faces only for a scale of at most ${maxPictures} steps`]);
  if (score === 'nps' && (min !== nps.min || max !== nps.max))
    faults.push(['score', `may be nps only with min: ${nps.min} and max: ${nps.max}`]);
  return faults;
}
