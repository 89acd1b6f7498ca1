import http2, { type ClientHttp2Session } from 'node:http2';

type Ping = (answered: (error: Error | null, duration: number, payload: Buffer) => void) => boolean;

/**
 * Lets the calls of a connection finish after the service has asked to close it (GOAWAY), because of its age or because the service stops.
 * Node sends no pings on such a connection; grpc-js considers it dead and fails all its calls within the 30 s between two pings:
 * https://github.com/grpc/grpc-node/issues/3068. Here such a ping counts as answered, and a dead connection is left to the deadlines of its
 * calls. Remove this once the issue is fixed. Pings stay on otherwise: without them, a lost machine would go unnoticed for a quarter of an
 * hour.
 */
export function keepClosingConnections(): void {
  const { connect } = http2;
  const connectKeeping = (...input: Parameters<typeof connect>): ClientHttp2Session => {
    const session = connect(...input);
    const ping: Ping = session.ping.bind(session);
    const pingUnlessClosing: Ping = (answered) => {
      if (!session.closed || session.destroyed) return ping(answered);
      setImmediate(answered, null, 0, Buffer.alloc(8));
      return true;
    };
    return Object.assign(session, { ping: pingUnlessClosing });
  };
  // All users of `http2.connect` share this object.
  Object.assign(http2, { connect: connectKeeping });
}
