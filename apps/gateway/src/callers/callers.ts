import { hash } from 'node:crypto';
import { AccessChanged } from '@sheaf/contracts';
import { EventCache, LastKnown, type Broker } from '@sheaf/events';
import {
  instanceRoles,
  Problem,
  scopes,
  systemClock,
  workspaceRoles,
  type Caller,
  type Client as ClientCaller,
  type Clock,
  services,
} from '@sheaf/kernel';
import { callerTokens, type Call, type Client, type SignCaller, type TokenFor, type WorkspacesDefinition } from '@sheaf/rpc';
import { LRUCache } from 'lru-cache';

/** Events usually invalidate entries much sooner; this is the upper bound on their age. */
const cacheTtlMs = 30_000;

/** A caller with the tokens that the services read. */
export class KnownCaller<C extends Caller = Caller> {
  readonly tokenFor: TokenFor;

  constructor(
    readonly caller: C,
    sign: SignCaller,
    private readonly expiresAt?: Date,
  ) {
    this.tokenFor = callerTokens(sign, caller);
  }

  /** The maximum memory of an entry. A caller with many roles has long tokens. */
  get bytes(): number {
    return 1_024 + services.length * (512 + 1.5 * JSON.stringify(this.caller).length);
  }

  /** Whether the credential has expired since it was looked up. */
  get isExpired(): boolean {
    return this.expiresAt !== undefined && this.expiresAt.getTime() <= Date.now();
  }
}

/**
 * Resolves hosts to instances and credentials to callers. Responses from `workspaces` are cached until an event reports that access or a
 * host changed.
 */
export class Callers {
  private readonly clients: EventCache<KnownCaller<ClientCaller>>;
  private readonly instances: LastKnown<{ id: string }>;
  private readonly respondents = new LRUCache<string, KnownCaller>({ max: 10_000 });
  /** For the gateway's own calls. */
  readonly gatewayToken: TokenFor;

  constructor(
    private readonly workspaces: Client<WorkspacesDefinition>,
    private readonly sign: SignCaller,
    broker: Pick<Broker, 'listen' | 'sightOf'>,
    { staleMs, clock = systemClock, ttlMs = cacheTtlMs }: { staleMs: number; clock?: Clock; ttlMs?: number },
  ) {
    this.gatewayToken = callerTokens(sign, { kind: 'service', id: 'gateway' });
    this.clients = new EventCache(broker, {
      listener: 'gateway',
      source: 'workspaces',
      max: 50_000,
      maxBytes: 64 * 1_024 * 1_024,
      bytesOf: ({ bytes }) => bytes,
      ttlMs: cacheTtlMs,
      tagsOf: (event) => {
        if (event.type !== 'access.changed') return [];
        const { principal_ids, credential_ids } = AccessChanged.parse(JSON.parse(event.body));
        return [...principal_ids, ...credential_ids];
      },
    });
    // Stale hosts are safe, because access does not depend on a host's owner.
    this.instances = new LastKnown(broker, {
      listener: 'gateway',
      source: 'workspaces',
      max: 10_000,
      maxBytes: 16 * 1_024 * 1_024,
      ttlMs,
      staleMs,
      clock,
      // Unknown hosts are not cached, so only the hosts of the instance itself can be stale.
      tagsOf: (event) => (event.type === 'workspace.moved' || event.type === 'workspace.erased' ? [event.instanceId] : []),
    });
  }

  /** @param host as returned by `parseHost`. @throws Problem `not_found` for a host without an instance. */
  async instanceAt(host: string, context: Omit<Call, 'token'>): Promise<string> {
    const instance = await this.instances.get(host, async () => {
      const found = await this.workspaces.resolveHost({ ...context, token: this.gatewayToken }, { host });
      return { value: found, tags: [found.id] };
    });
    return instance.id;
  }

  /** @throws Problem `authentication_required` without a header, `unauthorized` for an invalid credential. */
  async byHeader(instanceId: string, authorization: string | undefined, context: Omit<Call, 'token'>): Promise<KnownCaller<ClientCaller>> {
    if (authorization === undefined)
      throw new Problem('authentication_required', 'This request needs an Authorization header with a key or a session.');
    const credential = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (credential === undefined) throw Problem.unauthorized('not a bearer credential');
    return this.byCredential(instanceId, credential, context);
  }

  /** @throws Problem `unauthorized` for an invalid credential. */
  async byCredential(instanceId: string, credential: string, context: Omit<Call, 'token'>): Promise<KnownCaller<ClientCaller>> {
    // The cache key is a hash, so that the credential stays in memory no longer than the request.
    const key = `${instanceId}:${hash('sha256', credential, 'base64')}`;
    const known = await this.clients.get(key, async () => {
      const principal = await this.workspaces.authenticate(
        { ...context, token: this.gatewayToken },
        { instance_id: instanceId, credential },
      );
      const expiresAt = principal.expires_at === undefined ? undefined : new Date(principal.expires_at);
      return { value: new KnownCaller(toCaller(principal), this.sign, expiresAt), tags: [principal.id, principal.credential_id] };
    });
    if (known.isExpired) throw Problem.unauthorized('expired');
    return known;
  }

  /** Drops a caller who changed their own access, so that the change applies to their next request, even if that comes before the event. */
  forget(caller: Caller): void {
    if ('credentialId' in caller) this.clients.forget([caller.credentialId]);
  }

  /** A caller without a credential. */
  respondent(instanceId: string): KnownCaller {
    let known = this.respondents.get(instanceId);
    if (!known) {
      known = new KnownCaller({ kind: 'respondent', instanceId }, this.sign);
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
  const instanceRole = instanceRoles.find((known) => known === principal.instance_role);
  return {
    kind: 'user',
    id,
    instanceId,
    credentialId,
    via: principal.via === 'session' ? 'session' : 'api_key',
    roles: Object.fromEntries(roles),
    ...(instanceRole === undefined ? {} : { instanceRole }),
    ...(principal.workspace_id === undefined ? {} : { workspaceId: principal.workspace_id }),
  };
}
