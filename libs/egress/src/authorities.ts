import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';

/** As often as the certificates of processes. */
const lookEveryMs = 5_000;
const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The authorities that Node trusts: Mozilla's, or those that Node was started with. Older versions of Node only tell the former. */
function trusted(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (of: 'default') => string[] };
  return getCACertificates?.('default') ?? tls.rootCertificates;
}

/**
 * Trusts the authorities of a PEM file besides those that Node trusts. The file is read anew when it changes. While it cannot be used, as in the
 * middle of being written, those that were read last stay trusted.
 */
export class Authorities {
  private text: string;
  private current: tls.SecureContext;
  private lookedAt = performance.now();

  /** @throws Error that names the fault, if the file cannot be used. */
  constructor(
    private readonly file: string,
    private readonly onFault: (error: unknown) => void = () => undefined,
  ) {
    this.text = readFileSync(file, 'utf8');
    this.current = contextOf(this.text);
  }

  /** What TLS goes by. One for many connections: making it means to parse all certificates. */
  get context(): tls.SecureContext {
    if (performance.now() - this.lookedAt >= lookEveryMs) this.look();
    return this.current;
  }

  /** Reads the file if it has changed. */
  look(): void {
    this.lookedAt = performance.now();
    try {
      const text = readFileSync(this.file, 'utf8');
      if (text === this.text) return;
      this.current = contextOf(text);
      this.text = text;
    } catch (error) {
      this.onFault(error);
    }
  }
}

function contextOf(text: string): tls.SecureContext {
  const found = text.match(certificate) ?? [];
  // A certificate that is cut off would otherwise be left out in silence.
  if (found.length === 0 || found.length !== text.split('-----BEGIN ').length - 1)
    throw new Error('must hold PEM certificates and nothing else');
  for (const each of found) new X509Certificate(each);
  return tls.createSecureContext({ ca: [...trusted(), ...found] });
}
