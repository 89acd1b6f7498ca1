import { newId, Problem, scopes, type Caller, type Scope } from '@sheaf/kernel';
import type { Client, Protocol } from '@sheaf/rpc';
import { aServiceAccount, aUser, callAs } from './callers';

type AnyMethod = (call: ReturnType<typeof callAs>, request: unknown) => Promise<unknown> | AsyncIterable<unknown>;

/**
 * Finds by trial and error the scopes that admit a service account to each method of a service. Methods that refuse all service accounts
 * are left out. Only these two refusals count: other errors are expected, because the requests are empty and the instance has no data.
 */
export async function scopesByMethod<Definition>(
  client: Client<Definition>,
  protocol: Protocol<Definition>,
): Promise<Record<string, (Scope | 'no scope')[]>> {
  const admits = async (method: EmptyCall, granted: readonly Scope[]) => {
    const refusal = await method(aServiceAccount({ instanceId: newId(), scopes: granted }));
    return !(
      refusal instanceof Problem &&
      (refusal.code === 'insufficient_scope' || refusal.message === 'This operation is not for this kind of caller.')
    );
  };

  const found: Record<string, (Scope | 'no scope')[]> = {};
  for (const [name, method] of emptyCalls(client, protocol)) {
    const admitting: (Scope | 'no scope')[] = [];
    if (await admits(method, [])) admitting.push('no scope');
    for (const scope of scopes) if (await admits(method, [scope])) admitting.push(scope);
    if (admitting.length > 0) found[name] = admitting;
  }
  return found;
}

/** Finds by trial the methods of a service that a person may call with a session, but not with a key. */
export async function methodsForSessions<Definition>(client: Client<Definition>, protocol: Protocol<Definition>): Promise<string[]> {
  const found: string[] = [];
  for (const [name, method] of emptyCalls(client, protocol)) {
    const [byKey, bySession] = [
      await method(aUser({ instanceId: newId(), via: 'api_key' })),
      await method(aUser({ instanceId: newId(), via: 'session' })),
    ].map((refusal) => refusal instanceof Problem && refusal.message === 'This operation requires a session; a key is not enough.');
    if (byKey === true && bySession !== true) found.push(name);
  }
  return found.sort();
}

/** Calls a method with an empty request. @returns what it threw */
type EmptyCall = (as: Caller) => Promise<unknown>;

function emptyCalls<Definition>(client: Client<Definition>, protocol: Protocol<Definition>): [string, EmptyCall][] {
  const methods = client as Record<string, AnyMethod | undefined>;
  return Object.entries(protocol.methods).map(([method, { requestStream }]) => {
    const name = method.charAt(0).toLowerCase() + method.slice(1);
    const call: EmptyCall = async (as) => {
      try {
        const answer = methods[name]?.(callAs(as), requestStream ? nothing() : {});
        if (!answer) throw new Error(`the client has no ${name}`);
        if (Symbol.asyncIterator in answer) await answer[Symbol.asyncIterator]().next();
        else await answer;
        return undefined;
      } catch (refusal) {
        return refusal;
      }
    };
    return [name, call];
  });
}

// oxlint-disable-next-line typescript/require-await
async function* nothing() {
  yield* [];
}
