import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** What differs between two requests for the same untouched page. */
export interface PageTokens {
  token: string;
  started: string;
}

const maxBytes = 8 * 1_024 * 1_024;

/**
 * The pages of forms as they are before anything was entered. Rendering one takes a few hundred microseconds, and all that differs the next
 * time are its tokens, so the rest is remembered.
 */
export class UntouchedPages {
  private readonly templates = new LRUCache<string, readonly string[]>({
    max: 1_000,
    maxSize: maxBytes,
    sizeCalculation: (parts, key) => 512 + 2 * parts.reduce((sum, part) => sum + part.length, key.length),
  });
  /** Stand in the place of tokens. Random, so that no text of an author can contain one. */
  private readonly marks: PageTokens = { token: randomBytes(16).toString('hex'), started: randomBytes(16).toString('hex') };
  private readonly separator = new RegExp(`(${this.marks.token}|${this.marks.started})`);

  /**
   * @param key everything that the page depends on
   * @param draw makes the page with the given tokens; called if it is not known yet
   */
  html(key: string, tokens: PageTokens, draw: (tokens: PageTokens) => string): string {
    let parts = this.templates.get(key);
    if (!parts) {
      parts = draw(this.marks).split(this.separator);
      this.templates.set(key, parts);
    }
    return parts.map((part) => (part === this.marks.token ? tokens.token : part === this.marks.started ? tokens.started : part)).join('');
  }
}
