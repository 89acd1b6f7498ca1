import http2, { type ClientHttp2Session } from 'node:http2';

type Ping = (answered: (error: Error | null, duration: number, payload: Buffer) => void) => boolean;

/**
 * Lets what is under way on a connection come to its end although the service has asked to close it (GOAWAY), as it does by age and when it
 * stops. Node sends no ping on such a connection; grpc-js takes that for a dead one and breaks off everything on it, within the 30 s
 * between two pings: https://github.com/grpc/grpc-node/issues/3068. Here such a ping counts as answered. What it would have found out is
 * left to the deadlines of the calls. To go when that is mended; without pings nobody would notice for a quarter of an hour that a machine is gone.
 */
export function keepClosingConnections(): void {
  const { connect } = http2;
  const connectKeeping = (...given: Parameters<typeof connect>): ClientHttp2Session => {
    const session = connect(...given);
    const ping: Ping = session.ping.bind(session);
    const pingUnlessClosing: Ping = (answered) => {
      if (!session.closed || session.destroyed) return ping(answered);
      setImmediate(answered, null, 0, Buffer.alloc(8));
      return true;
    };
    return Object.assign(session, { ping: pingUnlessClosing });
  };
  // The one object of Node's that everybody has who calls `http2.connect`.
  Object.assign(http2, { connect: connectKeeping });
}
