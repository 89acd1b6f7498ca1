import type { Database } from '@sheaf/postgres';
import type { Log } from '@sheaf/runtime';
import { LRUCache } from 'lru-cache';
import { countedKeys } from './counters';
import { keyOf, saveVersion } from './versions.queries';
import type { VersionName } from '../form/forms-view';

/** Stores which fields of a version are counted by value, once it is known to this process: the background has nobody to ask `forms` for. */
export class KnownVersions {
  private readonly saved = new LRUCache<string, true>({ max: 10_000 });
  private readonly saving = new Set<Promise<void>>();

  constructor(private readonly deps: { db: Database; log: Log }) {}

  /**
   * Stores it without waiting for it. If that fails, the insights of the form ask for the version when somebody looks at them.
   * @param fields as JSON
   */
  note(version: VersionName, fields: Buffer): void {
    const name = keyOf(version);
    if (this.saved.has(name)) return;
    this.saved.set(name, true);
    const saving = saveVersion(this.deps.db, version, countedKeys(fields)).then(
      () => undefined,
      (error: unknown) => {
        this.saved.delete(name);
        this.deps.log.warn({ err: error, ...version }, 'noting the fields of a version failed');
      },
    );
    this.saving.add(saving);
    void saving.finally(() => this.saving.delete(saving));
  }

  /** Resolves once all noted versions are stored. */
  async idle(): Promise<void> {
    await Promise.all(this.saving);
  }
}
