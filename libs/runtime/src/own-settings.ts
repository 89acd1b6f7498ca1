/**
 * The settings of one of several apps in a process, as it would have them alone: `FORMS__DATABASE_URL` is the DATABASE_URL of `forms` and of no
 * other app; a name without an app's prefix is for all of them. An app's own value goes before the common one.
 */
export function ownSettings(app: string, apps: readonly string[], env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const prefixes = apps.map((name) => `${name.toUpperCase()}__`);
  const own = `${app.toUpperCase()}__`;
  const common = Object.entries(env).filter(([name]) => !prefixes.some((prefix) => name.startsWith(prefix)));
  const its = Object.entries(env).flatMap(([name, value]) => (name.startsWith(own) ? [[name.slice(own.length), value] as const] : []));
  return Object.fromEntries([...common, ...its]);
}
