import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** The differences between two requests for the same untouched page. */
export interface PageTokens {
  token: string;
  started: string;
  /** Ties the token to the address that gets the page. */
  here: string;
}

/** A page, and the step of the form that it shows. */
export interface Drawn<Html = string> {
  html: Html;
  step: number;
}

interface Template {
  /** The page's bytes, with the names of tokens between them. */
  parts: readonly (Buffer | keyof PageTokens)[];
  /** The length without tokens. */
  bytes: number;
  /** How often each token occurs. */
  places: Record<keyof PageTokens, number>;
  step: number;
}

const names = ['token', 'started', 'here'] as const;
const newMark = () => randomBytes(16).toString('hex');

const maxBytes = 8 * 1_024 * 1_024;

/**
 * The pages of forms as they are before anything was entered. Rendering one takes a few hundred microseconds, and all that differs the next
 * time are its tokens, so the rest is remembered.
 */
export class UntouchedPages {
  private readonly templates = new LRUCache<string, Template>({
    max: 1_000,
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }, key) => 512 + bytes + 2 * key.length,
  });
  /** Stand in the place of tokens. Random, so that no text of an author can contain one. */
  private readonly marks: PageTokens = { token: newMark(), started: newMark(), here: newMark() };
  private readonly separator = new RegExp(`(${names.map((name) => this.marks[name]).join('|')})`);

  /**
   * @param key everything that the page depends on
   * @param draw makes the page with the given tokens; called if it is not known yet
   * @returns the HTML as UTF-8
   */
  page(key: string, tokens: PageTokens, draw: (tokens: PageTokens) => Drawn): Drawn<Buffer> {
    let template = this.templates.get(key);
    if (!template) {
      template = this.split(draw(this.marks));
      this.templates.set(key, template);
    }
    const { parts, bytes, places, step } = template;
    // Encoding the whole page each time took a tenth of the time of answering with it.
    const values = { token: Buffer.from(tokens.token), started: Buffer.from(tokens.started), here: Buffer.from(tokens.here) };
    const html = Buffer.allocUnsafe(names.reduce((sum, name) => sum + places[name] * values[name].length, bytes));
    let at = 0;
    for (const part of parts) at += (typeof part === 'string' ? values[part] : part).copy(html, at);
    return { html, step };
  }

  private split({ html, step }: Drawn): Template {
    const parts = html.split(this.separator).map((part) => names.find((name) => part === this.marks[name]) ?? Buffer.from(part));
    const count = (name: keyof PageTokens) => parts.filter((part) => part === name).length;
    return {
      parts,
      bytes: parts.reduce((sum, part) => sum + (typeof part === 'string' ? 0 : part.length), 0),
      places: { token: count('token'), started: count('started'), here: count('here') },
      step,
    };
  }
}
