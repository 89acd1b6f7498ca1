import { posix } from 'node:path';
import type { Fields, Known, OfItems } from './expressions';

/** The questions so far, as expressions refer to them: by name, or by a path from the row that has the expression. */
export class EarlierFields {
  private readonly byName = new Map<string, Known>();
  private readonly byPath = new Map<string, Known>();
  private readonly names = new Set<string>();
  /** Of repeats that have ended: what asks for how many items there are, or for all answers of their items. */
  private readonly repeats = new Map<string, Known>();
  private readonly ofItems = new Map<string, OfItems>();

  hasName(name: string): boolean {
    return this.names.has(name);
  }

  /** @param groups the names of the groups around it, from the outermost on */
  add(name: string, groups: readonly string[], field: Known): void {
    // A condition that names one of two cannot say which.
    if (this.names.has(name)) this.byName.delete(name);
    else this.byName.set(name, field);
    this.names.add(name);
    this.byPath.set(pathOf([...groups, name]), field);
  }

  /** A name that is taken, by a question that no condition can refer to. */
  reserve(name: string): void {
    this.byName.delete(name);
    this.names.add(name);
  }

  /**
   * Once a repeat has ended, its questions have as many answers as it has items, so no condition can refer to them.
   * @param repeat undefined if its questions are asked once
   */
  endRepeat(name: string, groups: readonly string[], repeat: Known | undefined): void {
    const under = `${pathOf(groups)}/`;
    for (const [path, field] of this.byPath) {
      if (!path.startsWith(under)) continue;
      this.byPath.delete(path);
      if (repeat) this.ofItems.set(path, { repeat, field });
      for (const [own, known] of this.byName)
        if (known === field) {
          this.byName.delete(own);
          if (repeat) this.ofItems.set(own, { repeat, field });
        }
    }
    if (!repeat) return;
    this.reserve(name);
    for (const reference of [name, pathOf(groups)]) this.repeats.set(reference, repeat);
  }

  /** As the row of this name sees them. */
  from(name: string, groups: readonly string[]): Fields {
    const here = pathOf([...groups, name]);
    return {
      get: (reference) => (reference.includes('/') ? this.byPath.get(posix.resolve(here, reference)) : this.byName.get(reference)),
      repeat: (reference) => this.repeats.get(reference.includes('/') ? posix.resolve(here, reference) : reference),
      ofItems: (reference) => this.ofItems.get(reference.includes('/') ? posix.resolve(here, reference) : reference),
    };
  }
}

const pathOf = (names: readonly string[]): string => `/${names.join('/')}`;
