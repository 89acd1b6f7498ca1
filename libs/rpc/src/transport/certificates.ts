import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { experimental } from '@grpc/grpc-js';
import type { App } from '@sheaf/kernel';
import { ConfigError, type Process } from '@sheaf/runtime';
import { Gauge } from 'prom-client';

/** As cert-manager and Kubernetes name the keys of a secret with a certificate. */
const files = { certificate: 'tls.crt', privateKey: 'tls.key', caCertificate: 'ca.crt' } as const;
/** A kubelet takes about a minute to bring a changed secret into a pod; old and new certificates are valid together for much longer. */
const readEveryMs = 5_000;

type Contents = Record<keyof typeof files, Buffer>;
type CaListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

/** The setting of every process that calls services or answers calls. */
export interface TlsSettings {
  GRPC_TLS_DIR?: string | undefined;
}

/** Whether a certificate is for an app: one of its DNS names is the app's name. Wildcards and the subject do not count. */
export const isFor = (certificate: Pick<X509Certificate, 'checkHost'>, app: App): boolean =>
  certificate.checkHost(app, { wildcards: false, partialWildcards: false, subject: 'never' }) !== undefined;

/**
 * This process's certificate, and the authorities whose certificates it accepts, read anew when the files change. New connections use what was
 * read last; established ones stay, and end at their maximum age. grpc-js has a watcher of its own, which reads the files one after the other: in
 * the moment of a rotation it can pair a certificate with the key of another, and refuses every connection until it reads again. Here a set that
 * does not fit together is left for the next look, and the last good one stays in use.
 */
export class Certificates implements experimental.CertificateProvider {
  private readonly caListeners = new Set<CaListener>();
  private readonly identityListeners = new Set<IdentityListener>();

  private constructor(
    private contents: Contents,
    private readonly folder: string,
    private readonly app: App,
  ) {}

  /** @throws ConfigError if the files are missing, do not fit together or are another app's. */
  static read(folder: string, app: App): Certificates {
    try {
      const read = (name: keyof typeof files) => readFileSync(join(folder, files[name]));
      const contents = { certificate: read('certificate'), privateKey: read('privateKey'), caCertificate: read('caCertificate') };
      check(contents, app);
      return new Certificates(contents, folder, app);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new ConfigError(`GRPC_TLS_DIR: ${code === 'ENOENT' ? `needs the files ${Object.values(files).join(', ')}` : message}`);
    }
  }

  /** When this process's certificate ends. */
  get expires(): Date {
    return new Date(new X509Certificate(this.contents.certificate).validTo);
  }

  /**
   * Reads the files again.
   * @returns whether they have changed
   * @throws Error if they cannot be used; the last good ones stay in use
   */
  async refresh(): Promise<boolean> {
    const read = (name: keyof typeof files) => readFile(join(this.folder, files[name]));
    const [certificate, privateKey, caCertificate] = await Promise.all([read('certificate'), read('privateKey'), read('caCertificate')]);
    const fresh = { certificate, privateKey, caCertificate };
    const names = Object.keys(files) as (keyof Contents)[];
    if (names.every((name) => fresh[name].equals(this.contents[name]))) return false;
    check(fresh, this.app);
    this.contents = fresh;
    for (const listener of this.caListeners) listener({ caCertificate });
    for (const listener of this.identityListeners) listener({ certificate, privateKey });
    return true;
  }

  // A new listener hears of the certificates in a moment of its own: grpc-js registers it before it is ready to be called.
  addCaCertificateListener(listener: CaListener): void {
    this.caListeners.add(listener);
    queueMicrotask(() => listener({ caCertificate: this.contents.caCertificate }));
  }

  removeCaCertificateListener(listener: CaListener): void {
    this.caListeners.delete(listener);
  }

  addIdentityCertificateListener(listener: IdentityListener): void {
    this.identityListeners.add(listener);
    queueMicrotask(() => listener({ certificate: this.contents.certificate, privateKey: this.contents.privateKey }));
  }

  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.identityListeners.delete(listener);
  }
}

/** @throws Error if the certificate, its key and the authorities cannot be used together */
function check({ certificate, privateKey, caCertificate }: Contents, app: App): void {
  const own = new X509Certificate(certificate);
  // Throws if it holds none.
  new X509Certificate(caCertificate);
  if (!own.checkPrivateKey(createPrivateKey(privateKey))) throw new Error(`${files.privateKey} is not the key of ${files.certificate}`);
  if (!isFor(own, app)) throw new Error(`${files.certificate} is not for ${app}: it needs the DNS name ${app}`);
}

const ofProcess = new WeakMap<Process, Certificates>();

/** The certificates of a process, which are read until it stops; undefined if it is to speak without TLS. */
export function certificatesOf(process: Process, { GRPC_TLS_DIR: folder }: TlsSettings): Certificates | undefined {
  if (folder === undefined) return undefined;
  const known = ofProcess.get(process);
  if (known) return known;
  const certificates = Certificates.read(folder, process.name as App);
  ofProcess.set(process, certificates);

  new Gauge({
    name: 'sheaf_certificate_expires_timestamp_seconds',
    help: 'When the certificate ends with which this process speaks to the others.',
    registers: [process.metrics],
    collect() {
      this.set(certificates.expires.getTime() / 1_000);
    },
  });
  let lastProblem: string | undefined;
  const timer = setInterval(() => {
    certificates.refresh().then(
      (changed) => {
        lastProblem = undefined;
        if (changed) process.log.info({ expires: certificates.expires }, 'certificates read anew');
      },
      (error: unknown) => {
        const { message } = error as Error;
        if (message !== lastProblem) process.log.warn({ reason: message }, 'new certificates cannot be used');
        lastProblem = message;
      },
    );
  }, readEveryMs);
  process.onStop('certificates', () => clearInterval(timer));
  return certificates;
}
