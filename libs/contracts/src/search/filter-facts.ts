// Without any dependency, as the console loads it with every list.

/**
 * The facts that a filter can be about besides answers. The names begin as no key of a field does. They travel as keys, so that a service of an earlier
 * version, which would ignore a parameter of its own for each, refuses them.
 */
export const filterFacts = ['_version', '_language', '_files', '_created', '_in', '_match'] as const;
export type FilterFact = (typeof filterFacts)[number];

const facts: ReadonlySet<string> = new Set(filterFacts);
export const isFilterFact = (key: string): key is FilterFact => facts.has(key);

/** The parts of a form's submissions. `_in` chooses among them; the list is meant without it. */
export const submissionAreas = ['list', 'spam', 'trash'] as const;
export type SubmissionArea = (typeof submissionAreas)[number];
