import type { Scope } from '@sheaf/client';
import { useWords } from '../../words/use-words';

export const scopes = [
  'forms:read',
  'forms:write',
  'submissions:read',
  'submissions:write',
  'workspaces:manage',
  'hooks:manage',
] as const satisfies readonly Scope[];

export const isScope = (scope: string): scope is Scope => scopes.some((each) => each === scope);

/** The meaning of a scope. One that this console does not know may come from a newer server. */
export function useScopeName(): (scope: string) => string {
  const say = useWords('settings').instance;
  return (scope) => (isScope(scope) ? say[scope] : say.unknownScope(scope));
}
