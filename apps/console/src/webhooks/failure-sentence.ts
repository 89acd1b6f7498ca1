import type { AttemptError } from '@sheaf/client';
import type { Words } from '../words/words';

type Say = Words['deliveries']['failures'];
type Sentence = Exclude<keyof Say, 'redirectTo'>;

export interface Failed {
  status?: number | null | undefined;
  error?: string | null | undefined;
  code?: string | undefined;
  response?: { location?: string } | undefined;
}

const sentences: Record<Exclude<AttemptError, 'status'>, Sentence> = {
  timeout: 'timeout',
  connection_refused: 'connectionRefused',
  reset: 'reset',
  unreachable: 'unreachable',
  dns: 'dns',
  tls: 'tls',
  proxy: 'proxy',
  protocol: 'protocol',
  url_not_allowed: 'urlNotAllowed',
  address_not_allowed: 'addressNotAllowed',
  origin_not_allowed: 'originNotAllowed',
  interrupted: 'interrupted',
  unknown: 'unknown',
};

/** Codes that say more than the error. All others are shown beside its sentence. */
const byCode: Readonly<Record<string, Sentence>> = {
  'dns ESERVFAIL': 'nameServers',
  'dns ETIMEOUT': 'nameServers',
  'dns EAI_AGAIN': 'nameServers',
  'tls DEPTH_ZERO_SELF_SIGNED_CERT': 'selfSigned',
  'tls SELF_SIGNED_CERT_IN_CHAIN': 'unknownAuthority',
  'tls UNABLE_TO_VERIFY_LEAF_SIGNATURE': 'unknownAuthority',
  'tls UNABLE_TO_GET_ISSUER_CERT': 'unknownAuthority',
  'tls UNABLE_TO_GET_ISSUER_CERT_LOCALLY': 'unknownAuthority',
  'tls CERT_HAS_EXPIRED': 'expired',
  'tls CERT_NOT_YET_VALID': 'notYetValid',
  'tls CERT_REVOKED': 'revoked',
  'tls ERR_TLS_CERT_ALTNAME_INVALID': 'otherHost',
  'tls EPROTO': 'noTls',
  'tls ERR_SSL_WRONG_VERSION_NUMBER': 'noTls',
  'tls ERR_SSL_PACKET_LENGTH_TOO_LONG': 'noTls',
  'tls ERR_SSL_UNSUPPORTED_PROTOCOL': 'oldTls',
  'tls ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION': 'oldTls',
  'tls ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE': 'handshake',
  'tls ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': 'handshake',
  'tls ERR_SSL_TLSV1_UNRECOGNIZED_NAME': 'otherHost',
  'tls ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED': 'clientCertificate',
  // Tinyproxy answers 401 to a wrong password, and 407 to none.
  'proxy PROXY_401': 'proxyAccess',
  'proxy PROXY_407': 'proxyAccess',
  'proxy PROXY_403': 'proxyRefused',
  'proxy ETIMEDOUT': 'proxyTimeout',
  'protocol HPE_HEADER_OVERFLOW': 'headers',
};

const byStatus: Readonly<Record<number, Sentence>> = {
  401: 'denied',
  403: 'denied',
  404: 'notFound',
  405: 'noPost',
  410: 'gone',
  429: 'tooMany',
};

/** Why an attempt failed; undefined if it did not, or not yet. */
export function failureSentence({ status, error, code, response }: Failed, say: Say): string | undefined {
  if (typeof status === 'number') return answerSentence(status, response?.location, say);
  if (typeof error !== 'string') return undefined;
  const known = Object.hasOwn(sentences, error) ? sentences[error as keyof typeof sentences] : 'unknown';
  return say[byCode[`${error} ${code ?? ''}`] ?? known];
}

function answerSentence(status: number, location: string | undefined, say: Say): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400 && status !== 304) return location === undefined ? say.redirect : say.redirectTo(location);
  return say[byStatus[status] ?? (status >= 500 ? 'theirFault' : 'refused')];
}

/** The failure that a deactivation names: `HTTP 500`, `timeout`, `tls (CERT_HAS_EXPIRED)`. */
export function failedIn(detail: string): Failed {
  const [, status] = /^HTTP (\d{3})$/.exec(detail) ?? [];
  if (status !== undefined) return { status: Number(status) };
  const [, error = detail, code] = /^(\w+) \((\S+)\)$/.exec(detail) ?? [];
  return { error, code };
}

/** How people who know such things call the failure. */
export const failureCode = ({ status, error, code }: Failed): string | undefined =>
  typeof status === 'number' ? undefined : (code ?? error ?? undefined);
