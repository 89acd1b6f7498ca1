/** Which bundles a change belongs to. */
export type Built = {
  /** The files of the repository that the last good build read, as `libs/kernel/src/index.ts`; none if there was none. */
  inputs: ReadonlySet<string>;
  /** Whether the last build failed: any change may be the one that mends it. */
  failed: boolean;
};

/** The apps that have to be built again after these files changed. */
export function affectedBy<App extends string>(files: readonly string[], built: Readonly<Record<App, Built>>): App[] {
  const sources = files.filter((file) => !file.endsWith('.test.ts'));
  if (sources.length === 0) return [];
  return (Object.entries<Built>(built) as [App, Built][])
    .filter(([, { inputs, failed }]) => failed || sources.some((file) => inputs.has(file)))
    .map(([app]) => app);
}
