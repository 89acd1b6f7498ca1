/**
 * The files that pages load. `conditions` is a script for pages with conditions, `formulas` one in its place for pages that also calculate, `piping` for
 * those that show their own answers, `search` for those with long lists of options, and `sign` for those on which people draw their signature; `proof` runs in a worker. The build makes them.
 */
export const assetNames = {
  style: 'form.css',
  script: 'page.js',
  conditions: 'conditions.js',
  formulas: 'formulas.js',
  piping: 'piping.js',
  search: 'search.js',
  sign: 'sign.js',
  proof: 'proof.js',
  icon: 'icon.svg',
} as const;

/** Their addresses. */
export type Assets = Readonly<Record<keyof typeof assetNames, string>>;

export const assetsAt = (addressOf: (name: string) => string): Assets =>
  Object.fromEntries(Object.entries(assetNames).map(([part, name]) => [part, addressOf(name)])) as Assets;
