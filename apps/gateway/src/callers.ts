import { hash } from 'node:crypto';
import { AccessChanged } from '@sheaf/contracts';
import { EventCache, LastKnown, type Broker } from '@sheaf/events';
import { Problem, scopes, systemClock, workspaceRoles, type Caller, type Client as ClientCaller, type Clock } from '@sheaf/kernel';
import { callerTokens, serviceNames, type Call, type Client, type SignCaller, type TokenFor, type WorkspacesDefinition } from '@sheaf/rpc';
import { LRUCache } from 'lru-cache';

/** An event drops it long before; after this it is looked up anew all the same. */
const rememberMs = 30_000;

/** A caller with the tokens that the services read. */
export class Known<C extends Caller = Caller> {
  readonly tokenFor: TokenFor;

  constructor(
    readonly caller: C,
    sign: SignCaller,
    private readonly expiresAt?: Date,
  ) {
    this.tokenFor = callerTokens(sign, caller);
  }

  /** What it takes in memory at most: somebody with many roles has long tokens. */
  get bytes(): number {
    return 1_024 + serviceNames.length * (512 + 1.5 * JSON.stringify(this.caller).length);
  }

  /** Whether the credential ran out since it was looked up. */
  get isExpired(): boolean {
    return this.expiresAt !== undefined && this.expiresAt.getTime() <= Date.now();
  }
}

/**
 * Knows who is calling: which instance a host belongs to and who a credential stands for. `workspaces` is asked once, then the answer
 * is remembered until an event says that somebody's access changed.
 */
export class Callers {
  private readonly clients: EventCache<Known<ClientCaller>>;
  private readonly instances: LastKnown<{ id: string }>;
  private readonly respondents = new LRUCache<string, Known>({ max: 10_000 });
  /** For what the gateway asks in its own name. */
  readonly ownToken: TokenFor;

  constructor(
    private readonly workspaces: Client<WorkspacesDefinition>,
    private readonly sign: SignCaller,
    broker: Pick<Broker, 'listen' | 'sightOf'>,
    { staleMs, clock = systemClock, ttlMs = rememberMs }: { staleMs: number; clock?: Clock; ttlMs?: number },
  ) {
    this.ownToken = callerTokens(sign, { kind: 'service', id: 'gateway' });
    this.clients = new EventCache(broker, {
      source: 'workspaces',
      max: 50_000,
      maxBytes: 64 * 1_024 * 1_024,
      bytesOf: ({ bytes }) => bytes,
      ttlMs: rememberMs,
      tagsOf: (event) => {
        if (event.type !== 'access.changed') return [];
        const { principal_ids, credential_ids } = AccessChanged.parse(JSON.parse(event.body));
        return [...principal_ids, ...credential_ids];
      },
    });
    // No access hangs on it: whose host it is says nothing about who is asking.
    this.instances = new LastKnown(broker, {
      source: 'workspaces',
      max: 10_000,
      maxBytes: 16 * 1_024 * 1_024,
      ttlMs,
      staleMs,
      clock,
      // A host that nobody was found at is not remembered, so only those of the instance itself can be wrong.
      tagsOf: (event) => (event.type === 'workspace.moved' ? [event.instanceId] : []),
    });
  }

  /** @param host as `hostNamed` gives it. @throws Problem `not_found` for a host that is nobody's. */
  async instanceAt(host: string, own: Omit<Call, 'token'>): Promise<string> {
    const instance = await this.instances.get(host, async () => {
      const found = await this.workspaces.resolveHost({ ...own, token: this.ownToken }, { host });
      return { value: found, tags: [found.id] };
    });
    return instance.id;
  }

  /** @throws Problem `authentication_required` without a header, `unauthorized` for whatever does not authenticate. */
  async byHeader(instanceId: string, authorization: string | undefined, own: Omit<Call, 'token'>): Promise<Known<ClientCaller>> {
    if (authorization === undefined) throw new Problem('authentication_required', 'This request needs an Authorization header with a key or a session.');
    const credential = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (credential === undefined) throw Problem.unauthorized('not a bearer credential');
    return this.byCredential(instanceId, credential, own);
  }

  /** @throws Problem `unauthorized` for whatever does not authenticate. */
  async byCredential(instanceId: string, credential: string, own: Omit<Call, 'token'>): Promise<Known<ClientCaller>> {
    // The credential itself is not kept in memory longer than the request.
    const key = `${instanceId}:${hash('sha256', credential, 'base64')}`;
    const known = await this.clients.get(key, async () => {
      const principal = await this.workspaces.authenticate({ ...own, token: this.ownToken }, { instance_id: instanceId, credential });
      const expiresAt = principal.expires_at === undefined ? undefined : new Date(principal.expires_at);
      return { value: new Known(toCaller(principal), this.sign, expiresAt), tags: [principal.id, principal.credential_id] };
    });
    if (known.isExpired) throw Problem.unauthorized('expired');
    return known;
  }

  /** For who changes what a credential may do: they see it with their next request, and not when the event arrives that tells everybody. */
  forget(caller: Caller): void {
    if ('credentialId' in caller) this.clients.forget([caller.credentialId]);
  }

  /** Somebody without a credential. */
  respondent(instanceId: string): Known {
    let known = this.respondents.get(instanceId);
    if (!known) {
      known = new Known({ kind: 'respondent', instanceId }, this.sign);
      this.respondents.set(instanceId, known);
    }
    return known;
  }
}

type Principal = Awaited<ReturnType<Client<WorkspacesDefinition>['authenticate']>>;

function toCaller(principal: Principal): ClientCaller {
  const { id, instance_id: instanceId, credential_id: credentialId } = principal;
  if (principal.kind === 'service_account') {
    return { kind: 'service_account', id, instanceId, credentialId, scopes: scopes.filter((scope) => principal.scopes.includes(scope)) };
  }
  // A role that this version of the gateway does not know gives no access.
  const roles = Object.entries(principal.roles).flatMap(([workspace, name]) => {
    const role = workspaceRoles.find((known) => known === name);
    return role ? [[workspace, role] as const] : [];
  });
  return {
    kind: 'user',
    id,
    instanceId,
    credentialId,
    via: principal.via === 'session' ? 'session' : 'api_key',
    roles: Object.fromEntries(roles),
    ...(principal.workspace_id === undefined ? {} : { workspaceId: principal.workspace_id }),
  };
}
