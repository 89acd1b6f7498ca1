import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The position of a client in a stream of NATS. */
export interface Place {
  stream: string;
  position: number;
}

/** The ids of events, as their clients keep them. */
export interface EventIds {
  idOf(place: Place): string;
  /** Undefined for an id that is not ours. */
  placeOf(id: string): Place | undefined;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** Of one length, which would otherwise tell how many events there are. */
const digits = 15;

/**
 * Encrypted ids: a position counts the events of all instances, so that in the clear it would tell each client how much the others do. Every
 * copy of the gateway reads the ids of the others; after a change of the secret, clients load everything.
 */
export function eventIds(secret: string): EventIds {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sheaf ids of events', 32));
  return {
    idOf({ stream, position }) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce);
      const text = `${stream}-${String(position).padStart(digits, '0')}`;
      return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },

    placeOf(id) {
      const bytes = Buffer.from(id, 'base64url');
      if (bytes.length < nonceBytes + tagBytes) return undefined;
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      try {
        const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString();
        const [stream = '', position = ''] = text.split('-');
        return { stream, position: Number(position) };
      } catch {
        return undefined;
      }
    },
  };
}
