import { hangMs } from '@sheaf/testing';
import { anyone } from './people';

/** A control of a page's form. Several controls may have the same name. */
export interface Control {
  name: string;
  kind: string;
  /** The value that the browser would send. A radio button or check box is only sent if it is on. */
  value: string;
  isOn: boolean;
  /** The position of the item that it belongs to; undefined if it belongs to none. */
  item: number | undefined;
  options: { value: string; isOn: boolean }[];
}

interface Item {
  key: string | undefined;
  isHidden: boolean;
}

/** A page as a browser without scripts sees it, as far as tests need it. It reads the markup of our own pages only. */
export class PlainPage {
  readonly controls: Control[] = [];
  readonly items = new Map<number, Item>();
  readonly buttons: string[] = [];
  readonly heading: string;

  private constructor(
    readonly status: number,
    readonly url: string,
    readonly html: string,
  ) {
    this.heading = textOf(/<h1\b[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? '');
    this.read();
  }

  static async open(path: string, headers: Record<string, string> = {}): Promise<PlainPage> {
    return PlainPage.from(await fetch(new URL(path, anyone.origin), { headers, signal: AbortSignal.timeout(hangMs) }));
  }

  /** Sends a form of a script's. */
  static async post(address: string, controls: Record<string, string>, headers: Record<string, string>): Promise<PlainPage> {
    const body = new URLSearchParams(controls);
    return PlainPage.from(await fetch(address, { method: 'POST', body, headers, signal: AbortSignal.timeout(hangMs) }));
  }

  private static async from(response: Response): Promise<PlainPage> {
    return new PlainPage(response.status, response.url, await response.text());
  }

  /** The keys of the questions that are shown. */
  get shownKeys(): string[] {
    return [...this.items.values()].flatMap(({ key, isHidden }) => (key === undefined || isHidden ? [] : [key]));
  }

  /** The keys that the error summary leads to. */
  get faultyKeys(): string[] {
    return [...this.html.matchAll(/<a\b[^>]*href="#f-([a-z0-9_]+?)(?:-\d+)?"/g)].map(([, key = '']) => key);
  }

  /** Sets the controls of a name to these values, as typing, ticking or choosing does. Of several lists, as a ranking has, each gets one. */
  enter(name: string, values: readonly string[]): void {
    const controls = this.controls.filter((control) => control.name === name);
    if (controls.length === 0) throw new Error(`the page has no control ${name}`);
    controls.forEach((control, index) => {
      if (control.kind === 'radio' || control.kind === 'checkbox') control.isOn = values.includes(control.value);
      else control.value = values[control.kind === 'select' ? index : 0] ?? '';
    });
  }

  /** The values of the controls with this name. */
  entered(name: string): string[] {
    return this.controls.filter((control) => control.name === name && control.isOn).map(({ value }) => value);
  }

  /** Sends the form by the button with this value, with the files, and follows where the answer leads. */
  async send(
    button: string,
    files: readonly { name: string; file: File }[] = [],
    headers: Record<string, string> = {},
  ): Promise<PlainPage> {
    const form = new FormData();
    // A browser writes each line break as CR LF.
    for (const { name, value, isOn, kind } of this.controls)
      if (isOn && kind !== 'file') form.append(name, value.replaceAll(/\r\n?|\n/g, '\r\n'));
    for (const { name, file } of files) form.append(name, file);
    form.append('do', button);
    const action = decoded(/<form\b[^>]*\baction="([^"]*)"/.exec(this.html)?.[1] ?? '');
    return PlainPage.from(
      await fetch(new URL(action, this.url), { method: 'POST', body: form, headers, signal: AbortSignal.timeout(hangMs) }),
    );
  }

  private read(): void {
    let item: number | undefined;
    let select: Control | undefined;
    for (const [, tag = '', rest = ''] of this.html.matchAll(/<(\/?[a-z][a-z0-9]*)\b((?:[^>"]|"[^"]*")*)>/g)) {
      const attributes = attributesOf(rest);
      const { id = '', name = '', value = '' } = attributes;
      const index = /^i-(\d+)$/.exec(id)?.[1];
      if (index !== undefined) {
        item = Number(index);
        this.items.set(item, { key: attributes['data-key'], isHidden: 'hidden' in attributes });
      }
      if (tag === 'button' && name === 'do') this.buttons.push(value);
      if (tag === 'input' || tag === 'textarea' || tag === 'select') {
        const kind = tag === 'input' ? (attributes.type ?? 'text') : tag;
        const isOn = kind === 'radio' || kind === 'checkbox' ? 'checked' in attributes : true;
        const control = { name, kind, value, isOn, item: kind === 'hidden' ? undefined : item, options: [] };
        if (name !== '') this.controls.push(control);
        select = tag === 'select' ? control : undefined;
        if (tag === 'textarea') control.value = this.textAfter(id);
      }
      if (tag === 'option' && select) {
        const option = { value, isOn: 'selected' in attributes };
        if (option.isOn || select.options.length === 0) select.value = value;
        select.options.push(option);
      }
    }
  }

  private textAfter(id: string): string {
    const found = new RegExp(`<textarea\\b[^>]*\\bid="${id}"(?:[^>"]|"[^"]*")*>(.*?)</textarea>`, 's').exec(this.html)?.[1] ?? '';
    // HTML drops the first line break.
    return decoded(found).replace(/^\n/, '');
  }
}

const attributesOf = (text: string): Partial<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, decoded(value)]));

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'" };

const decoded = (text: string): string => text.replaceAll(/&(amp|lt|gt|quot|#x27|#39);/g, (_all, name: string) => entities[name] ?? '');

const textOf = (html: string): string => decoded(html.replaceAll(/<[^<>]*>/g, '')).trim();
