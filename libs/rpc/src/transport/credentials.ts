import { X509Certificate } from 'node:crypto';
import {
  credentials,
  experimental,
  ResponderBuilder,
  ServerCredentials,
  ServerInterceptingCall,
  ServerListenerBuilder,
  status,
  type ChannelCredentials,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import type { ServiceName } from '@sheaf/kernel';
import { callersOf } from '../audiences';
import { isFor, type Certificates } from './certificates';

/** How a service is called: only if its certificate has its name, whatever address led to it. */
export function callingCredentials(service: ServiceName, certificates: Certificates | undefined): ChannelCredentials {
  if (!certificates) return credentials.createInsecure();
  return experimental.createCertificateProviderChannelCredentials(certificates, certificates, {
    checkServerIdentity: (_host, { raw }) =>
      isFor(new X509Certificate(raw), service) ? undefined : new Error(`The certificate is not for ${service}.`),
  });
}

/** How a service is reached: only by the apps that call it. Their calls then need caller tokens, as without TLS. */
export function servingCredentials(service: ServiceName, certificates: Certificates | undefined): ServerCredentials {
  if (!certificates) return ServerCredentials.createInsecure();
  return experimental.createServerCredentialsWithInterceptors(
    experimental.createCertificateProviderServerCredentials(certificates, certificates, true),
    [onlyCallersOf(service)],
  );
}

/** Refuses other apps at the beginning of a call: grpc-js tells nothing of connections. */
function onlyCallersOf(service: ServiceName): ServerInterceptor {
  const callers = callersOf(service);
  return (_method, call) => {
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        const peer = call.getAuthContext().sslPeerCertificate;
        const certificate = peer && new X509Certificate(peer.raw);
        if (certificate && callers.some((app) => isFor(certificate, app))) next(metadata);
        else call.sendStatus({ code: status.PERMISSION_DENIED, details: `The certificate is not of an app that calls ${service}.` });
      })
      .build();
    return new ServerInterceptingCall(call, new ResponderBuilder().withStart((next) => next(listener)).build());
  };
}
