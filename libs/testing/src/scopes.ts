import { newId, Problem, scopes, type Scope } from '@sheaf/kernel';
import type { Client, Protocol } from '@sheaf/rpc';
import { aServiceAccount, callAs } from './callers';

type AnyMethod = (call: ReturnType<typeof callAs>, request: unknown) => Promise<unknown> | AsyncIterable<unknown>;

/**
 * Finds by trial and error the scopes that admit a service account to each method of a service. Methods that refuse all service accounts
 * are left out. Only these two refusals count: other errors are expected, because the requests are empty and the instance has no data.
 */
export async function scopesByMethod<Definition>(
  client: Client<Definition>,
  protocol: Protocol<Definition>,
): Promise<Record<string, (Scope | 'no scope')[]>> {
  const methods = client as Record<string, AnyMethod | undefined>;
  const admits = async (name: string, request: unknown, granted: readonly Scope[]) => {
    try {
      const answer = methods[name]?.(callAs(aServiceAccount({ instanceId: newId(), scopes: granted })), request);
      if (!answer) throw new Error(`the client has no ${name}`);
      if (Symbol.asyncIterator in answer) await answer[Symbol.asyncIterator]().next();
      else await answer;
      return true;
    } catch (refusal) {
      return !(
        refusal instanceof Problem &&
        (refusal.code === 'insufficient_scope' || refusal.message === 'This operation is not for this kind of caller.')
      );
    }
  };

  const found: Record<string, (Scope | 'no scope')[]> = {};
  for (const [method, { requestStream }] of Object.entries(protocol.methods)) {
    const name = method.charAt(0).toLowerCase() + method.slice(1);
    const request = requestStream ? nothing() : {};
    const admitting: (Scope | 'no scope')[] = [];
    if (await admits(name, request, [])) admitting.push('no scope');
    for (const scope of scopes) if (await admits(name, request, [scope])) admitting.push(scope);
    if (admitting.length > 0) found[name] = admitting;
  }
  return found;
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* nothing() {
  yield* [];
}
