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
const day = 86_400_000;
/** cert-manager renews 30 days before the end, so that less than this means that it cannot. The alerts have the same bound. */
const warnDays = 14;
const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

type Contents = Record<keyof typeof files, Buffer>;
type CaListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

/** The settings of every process that calls services or answers calls. */
export interface TlsSettings {
  GRPC_TLS_DIR?: string | undefined;
  GRPC_TLS?: TlsStep | undefined;
}

/**
 * How far a running system has changed over to TLS. Processes of two neighbouring steps understand each other, as do those of the first step and
 * those without TLS, so that a system takes the steps one after the other, forwards or backwards, and answers every call meanwhile.
 */
export const tlsSteps = ['accept', 'call', 'require'] as const;
export type TlsStep = (typeof tlsSteps)[number];

/** How a process speaks TLS. */
export interface Tls {
  readonly certificates: Certificates;
  /** Whether it calls with TLS: not before every service accepts it. */
  readonly calls: boolean;
  /** Whether it also answers callers without TLS: until every caller has it. */
  readonly acceptsPlain: boolean;
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
  private readonly followers: (() => void)[] = [];

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

  /** When this process's certificate ends, and when that of the authority which signed it. */
  get expires(): Record<'own' | 'authority', Date> {
    const own = new X509Certificate(this.contents.certificate);
    const authorities = [...this.contents.caCertificate.toString('latin1').matchAll(pem)].map(([text]) => new X509Certificate(text));
    // While one replaces another, there are two.
    const signer = authorities.find((authority) => own.checkIssued(authority)) ?? authorities[0] ?? own;
    return { own: new Date(own.validTo), authority: new Date(signer.validTo) };
  }

  /** Says how little time is left; undefined if it is long enough. */
  warningAt(now: number): string | undefined {
    const { own, authority } = this.expires;
    const [whose, end] = own <= authority ? ['the certificate of this process', own] : ['the authority of its certificate', authority];
    const days = Math.floor((end.getTime() - now) / day);
    if (days >= warnDays) return undefined;
    if (days < 0) return `${whose} ended at ${end.toISOString()}: new connections to and from other processes fail`;
    return `${whose} ends at ${end.toISOString()}, in ${days === 0 ? 'less than a day' : `${days} day${days === 1 ? '' : 's'}`}`;
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
    for (const follow of this.followers) follow();
    return true;
  }

  /** For the TLS of Node itself: hands them over now, and whenever they have changed. */
  follow(use: (these: Record<'ca' | 'cert' | 'key', Buffer>) => void): void {
    const hand = () => use({ ca: this.contents.caCertificate, cert: this.contents.certificate, key: this.contents.privateKey });
    hand();
    this.followers.push(hand);
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

/** The certificates with which a process calls services; undefined if it calls without TLS. */
export function certificatesOf(process: Process, settings: TlsSettings): Certificates | undefined {
  const tls = tlsOf(process, settings);
  return tls?.calls === true ? tls.certificates : undefined;
}

const ofProcess = new WeakMap<Process, Tls>();

/** How a process speaks TLS, with certificates that are read until it stops; undefined if it does not. */
export function tlsOf(process: Process, { GRPC_TLS_DIR: folder, GRPC_TLS: step }: TlsSettings): Tls | undefined {
  if (folder === undefined) {
    if (step !== undefined) throw new ConfigError('GRPC_TLS: needs GRPC_TLS_DIR, the folder of the certificates');
    return undefined;
  }
  const known = ofProcess.get(process);
  if (known) return known;
  const certificates = Certificates.read(folder, process.name as App);
  const tls = { certificates, calls: step !== 'accept', acceptsPlain: step === 'accept' || step === 'call' };
  ofProcess.set(process, tls);

  new Gauge({
    name: 'sheaf_certificate_expires_timestamp_seconds',
    help: 'When the certificate ends with which this process speaks to the others, and when that of its authority.',
    labelNames: ['certificate'],
    registers: [process.metrics],
    collect() {
      for (const [certificate, end] of Object.entries(certificates.expires)) this.set({ certificate }, end.getTime() / 1_000);
    },
  });
  const warning = () => certificates.warningAt(Date.now());
  process.health.warn(warning);
  let lastProblem: string | undefined;
  let lastWarning: string | undefined;
  const timer = setInterval(() => {
    const said = warning();
    // Names the days that are left: one line a day.
    if (said !== undefined && said !== lastWarning) process.log.warn(said);
    lastWarning = said;
    certificates.refresh().then(
      (changed) => {
        lastProblem = undefined;
        if (changed) process.log.info({ expires: certificates.expires.own }, 'certificates read anew');
      },
      (error: unknown) => {
        const { message } = error as Error;
        if (message !== lastProblem) process.log.warn({ reason: message }, 'new certificates cannot be used');
        lastProblem = message;
      },
    );
  }, readEveryMs);
  process.onStop('certificates', () => clearInterval(timer));
  return tls;
}
