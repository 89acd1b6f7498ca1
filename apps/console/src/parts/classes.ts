/** Joins the names of classes; what is not set is left out. */
export const classes = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ');
