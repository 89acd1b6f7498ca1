/** The most places that an option may have. */
export const maxPlaces = 1_000_000;

/** The most options that a `multi_select` may have if one of them has a limit. */
export const maxChoicesWithPlaces = 200;
