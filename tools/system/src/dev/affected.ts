/** The state of a bundle that decides whether a change affects it. */
export type Built = {
  /** The repository files that the last good build read, such as `libs/kernel/src/index.ts`; empty if there was none. */
  inputs: ReadonlySet<string>;
  /** Whether the last build failed: any change may fix it. */
  failed: boolean;
};

/** The apps that must be rebuilt after these files changed. */
export function affectedBy<App extends string>(files: readonly string[], built: Readonly<Record<App, Built>>): App[] {
  const sources = files.filter((file) => !file.endsWith('.test.ts'));
  if (sources.length === 0) return [];
  return (Object.entries<Built>(built) as [App, Built][])
    .filter(([, { inputs, failed }]) => failed || sources.some((file) => inputs.has(file)))
    .map(([app]) => app);
}
