type Kept = Map<string, Map<string, unknown>>;

/**
 * Keeps values that are dear to make and never changed: all test files of a process that give the same name share them, by Jest's runtime
 * (tools/jest/runtime.cjs).
 */
export function keptForAllFiles<T>(name: string): Map<string, T> {
  const all = (globalThis as { keptForAllFiles?: Kept }).keptForAllFiles;
  const kept = (all?.get(name) ?? new Map<string, unknown>()) as Map<string, T>;
  all?.set(name, kept);
  return kept;
}
