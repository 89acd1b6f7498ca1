import { Client as GrpcClient, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { metadataKeys, type Call } from './call';
import { fromStatus } from './problem-status';
import { ownCase, sizeLimits, type Messages, type MethodName, type Protocol } from './protocol';

/** The methods of a service, as calls that answer or throw a Problem. */
export type Client<Definition> = {
  [M in MethodName<Definition> as Uncapitalize<M>]: (
    call: Call,
    request: Messages<Definition[M]>['sent'],
  ) => Promise<Messages<Definition[M]>['received']>;
};

export interface Connection<Definition> {
  readonly client: Client<Definition>;
  close(): void;
}

const channelOptions = {
  ...sizeLimits,
  // One address may stand for several copies of a service (a headless Service in Kubernetes); the default sends everything to the first.
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  // The defaults (1 s, growing to 2 min) leave a neighbour that came back unused for much too long.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 5_000,
};

/**
 * A connection to a service. It is made in the background and remade when it breaks; a call that finds the service away fails at
 * once with `unavailable`, one that takes too long fails at its deadline with the same.
 */
export function connect<Definition>(address: string, protocol: Protocol<Definition>): Connection<Definition> {
  const grpc = new GrpcClient(address, credentials.createInsecure(), channelOptions);

  const client: Record<string, (call: Call, request: unknown) => Promise<unknown>> = {};
  for (const [name, method] of Object.entries(protocol.methods)) {
    client[ownCase(name)] = (call, request) =>
      new Promise((resolve, reject) => {
        const metadata = new Metadata();
        metadata.set(metadataKeys.token, `Bearer ${call.token}`);
        metadata.set(metadataKeys.requestId, call.requestId);
        if (call.address !== undefined) metadata.set(metadataKeys.address, call.address);
        grpc.makeUnaryRequest(
          method.path,
          method.requestSerialize,
          method.responseDeserialize,
          request,
          metadata,
          { deadline: call.deadline },
          (error: ServiceError | null, answer?: unknown) => (error ? reject(fromStatus(error)) : resolve(answer)),
        );
      });
  }
  return { client: client as Client<Definition>, close: () => grpc.close() };
}
