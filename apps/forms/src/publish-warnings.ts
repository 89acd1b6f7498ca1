import type { Field } from '@sheaf/contracts';

/** What a careful person would want to know about a publication. `previous` is the version before it, if there was one. */
export function publishWarnings(fields: readonly Field[], previous: { version: number; fields: readonly Field[] } | undefined): string[] {
  const warnings = fields.length === 0 ? ['The form has no fields.'] : [];
  if (!previous) return warnings;

  const { version } = previous;
  if (JSON.stringify(fields) === JSON.stringify(previous.fields)) return [...warnings, `Nothing has changed since version ${version}.`];

  const types = new Map(fields.map(({ key, type }) => [key, type]));
  const kept = `Answers collected up to version ${version} stay readable as they were.`;
  for (const { key, type } of previous.fields) {
    const now = types.get(key);
    if (now === undefined) warnings.push(`The field "${key}" of version ${version} was removed. ${kept}`);
    else if (now !== type) warnings.push(`The field "${key}" was of type ${type} in version ${version} and is of type ${now} now. ${kept}`);
  }
  return warnings;
}
