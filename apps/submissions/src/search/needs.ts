import type { Filter, Test } from './filter';

// A job in the background is kept as JSON, and another process may take it over, also one of an earlier release. That would not see a condition that
// it does not know, and the job would have too much. So each job says which number its conditions need, and is left alone by who knows less.
// A new condition, or a new meaning of one, gets the next number. The types make somebody give one to a new property; a new value of an action, a format or
// a column has to be counted by hand.

/** The number that this release knows. */
export const knownNeeds = 8;

const ofFilter: Readonly<Record<keyof Filter, number>> = {
  formId: 1,
  terms: 1,
  indexed: 1,
  phrases: 1,
  texts: 1,
  lacking: 1,
  ranges: 1,
  statuses: 1,
  assignee: 1,
  isUnassigned: 1,
  withoutNumber: 1,
  from: 1,
  to: 1,
  changedSince: 1,
  ids: 1,
  anyOf: 1,
  areas: 1,
};

const ofTests: Readonly<Record<Test['by'], number>> = { terms: 1, lacking: 1, range: 1, text: 1, version: 1, language: 1, arrival: 1 };

/** The most that anything needs that is given. */
export const mostOf = <T extends object>(given: T, needs: Readonly<Record<keyof T, number>>): number =>
  Math.max(1, ...(Object.keys(given) as (keyof T)[]).filter((key) => given[key] !== undefined).map((key) => needs[key]));

export const needsOf = (filter: Filter | undefined): number =>
  filter === undefined ? 1 : Math.max(mostOf(filter, ofFilter), ...(filter.anyOf ?? []).flat().map(({ by }) => ofTests[by]));
