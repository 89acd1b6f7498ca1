import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import jwt from 'jsonwebtoken';
import { z } from 'zod';

/** The facts that a receipt shows without asking anybody: the submission and when it was sent. */
const Receipt = z.object({
  form: z.string(),
  submission: z.string(),
  sentAt: z.number(),
  /** Whether the submission was there before, and other answers were not sent. */
  before: z.boolean().optional(),
  /** Whether the form ended with one of its endings. Undefined for a page that was sent before, and where an earlier release signed it. */
  hasEnding: z.boolean().optional(),
});
export type Receipt = z.output<typeof Receipt>;

/** Leads back from the payment provider, when the submission has no id that we know yet. */
const Return = z.object({ form: z.string(), key: z.string() });
export type Return = z.output<typeof Return>;

const Upload = z.object({ form: z.string(), field: z.string(), id: z.string(), name: z.string(), size: z.number() });
export type Upload = z.output<typeof Upload>;

const nonceBytes = 16;
const signatureBytes = 16;
const ivBytes = 12;
const tagBytes = 16;

/**
 * Everything that pages signs or encrypts. Pages keeps nothing, so what it must recognize later travels with the page, signed with a secret
 * that all copies share. None of it expires: a form that was opened a day ago can still be sent.
 */
export class Tokens {
  /** Key objects, because the library would try to read a text as a private key each time, which takes long. */
  private readonly secrets: readonly [KeyObject, ...KeyObject[]];

  /** @param secrets the first one signs, all verify, so that a secret can be replaced without breaking open pages. */
  constructor([first, ...others]: readonly [string, ...string[]]) {
    const keyOf = (secret: string) => createSecretKey(secret, 'utf8');
    this.secrets = [keyOf(first), ...others.map(keyOf)];
  }

  /** A token for one page, which is also the idempotency key under which its answers are sent. It is short, because it travels often. */
  newPage(formId: string): string {
    const nonce = randomBytes(nonceBytes).toString('base64url');
    return `${nonce}.${this.signPage(this.secrets[0], formId, nonce)}`;
  }

  isPage = (formId: string, token: string): boolean => this.signerOf(formId, token) !== undefined;

  /** The secret that signed a page's token. */
  private signerOf(formId: string, token: string): KeyObject | undefined {
    const [nonce = '', signature = '', ...more] = token.split('.');
    if (more.length > 0) return undefined;
    return this.secrets.find((secret) => isSame(signature, this.signPage(secret, formId, nonce)));
  }

  private signPage(secret: KeyObject, formId: string, nonce: string): string {
    return createHmac('sha256', secret).update(`page:${formId}:${nonce}`).digest().subarray(0, signatureBytes).toString('base64url');
  }

  /** Ties a page's token to the address that got the page, for browsers that do not say where a request comes from. */
  signHere = (token: string, address: string): string => this.here(this.secrets[0], token, address);
  isHere = (token: string, address: string, signature: string): boolean =>
    this.secrets.some((secret) => isSame(signature, this.here(secret, token, address)));

  private here(secret: KeyObject, token: string, address: string): string {
    return createHmac('sha256', secret).update(`here:${token}:${address}`).digest().subarray(0, signatureBytes).toString('base64url');
  }

  /** The values of a step, encrypted for its address. It opens for the same form only. */
  sealPlace = (formId: string, content: unknown): string => sealed(placeKey(this.secrets[0], formId), content).toString('base64url');

  /** @returns undefined for what was not sealed by us, for this form */
  openPlace(formId: string, text: string): unknown {
    const bytes = Buffer.from(text, 'base64url');
    for (const secret of this.secrets) {
      try {
        return opened(placeKey(secret, formId), bytes);
      } catch {
        // Sealed with another secret, cut off, or forged.
      }
    }
    return undefined;
  }

  signReceipt = (receipt: Receipt): string => this.sign('receipt', receipt);
  readReceipt = (token: string): Receipt | undefined => this.read('receipt', Receipt, token);
  signReturn = (to: Return): string => this.sign('return', to);
  readReturn = (token: string): Return | undefined => this.read('return', Return, token);
  signUpload = (upload: Upload): string => this.sign('upload', upload);
  readUpload = (token: string): Upload | undefined => this.read('upload', Upload, token);

  private sign(purpose: string, claims: object): string {
    return jwt.sign(claims, this.secrets[0], { algorithm: 'HS256', audience: purpose, noTimestamp: true });
  }

  private read<S extends z.ZodType>(purpose: string, shape: S, token: string): z.output<S> | undefined {
    for (const secret of this.secrets) {
      try {
        return shape.parse(jwt.verify(token, secret, { algorithms: ['HS256'], audience: purpose }));
      } catch {
        // Signed with another secret, or forged.
      }
    }
    return undefined;
  }

  /**
   * The secret of the link to a page's saved answers. Always the same for a page, also after a new secret for pages, so that saving twice
   * replaces the first and sending erases it.
   */
  savedLink(formId: string, pageToken: string): string {
    const secret = this.signerOf(formId, pageToken) ?? this.secrets[0];
    return createHmac('sha256', secret).update(`saved:${pageToken}`).digest('base64url');
  }
}

/** The name under which the answers of a link are stored; the link itself cannot be found from it. */
export const savedName = (link: string): Buffer => createHash('sha256').update(`name:${link}`).digest();

const savedKey = (link: string): Buffer => Buffer.from(hkdfSync('sha256', link, '', 'saved answers', 32));

const placeKey = (secret: KeyObject, formId: string): Buffer => Buffer.from(hkdfSync('sha256', secret, formId, 'place of a form', 32));

/** Encrypts answers so that only the link's owner can read them. */
export const seal = (link: string, content: unknown): Buffer => sealed(savedKey(link), content);

/** The content sealed for this link. @throws if it was sealed for another one, or changed. */
export const unseal = (link: string, bytes: Buffer): unknown => opened(savedKey(link), bytes);

/** AES-256-GCM. */
function sealed(key: Buffer, content: unknown): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const text = Buffer.concat([cipher.update(deflateRawSync(JSON.stringify(content))), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
}

function opened(key: Buffer, bytes: Buffer): unknown {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  const content = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
  return JSON.parse(inflateRawSync(content).toString());
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
