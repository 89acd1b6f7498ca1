import { affectedBy, type Built } from './affected';

/** An app's bundle, from tools/build/bundle.mjs. */
export type Bundle = {
  /** Rejects with the build errors, and then leaves the bundle unchanged. */
  rebuild: () => Promise<{ inputs: readonly string[]; changed: boolean }>;
  dispose: () => Promise<void>;
};

export type RebuildsOptions<App extends string> = {
  bundles: Readonly<Record<App, Bundle>>;
  /** Regenerates the types and descriptors of proto/. Rejects with the errors in the files. */
  generate: () => Promise<void>;
  /** Called with each app whose code changed, and with the files that caused it. Must not reject. */
  onChanged: (app: App, files: readonly string[]) => Promise<void>;
  onFailed: (what: string, error: unknown) => void;
};

const generated = 'libs/rpc/src/generated/';

/** Keeps the bundles up to date: builds run in rounds, and changes made during a round go into the next one. */
export class Rebuilds<App extends string> {
  readonly #built: Record<App, Built>;
  #waiting = new Set<string>();
  #round: Promise<void> | undefined;

  constructor(private readonly options: RebuildsOptions<App>) {
    this.#built = Object.fromEntries(this.#apps.map((app) => [app, { inputs: new Set(), failed: false }])) as unknown as Record<App, Built>;
  }

  /** The first build of everything. @returns the apps that could not be built */
  async buildAll(): Promise<App[]> {
    await Promise.all(this.#apps.map((app) => this.#build(app)));
    return this.#apps.filter((app) => this.#built[app].failed);
  }

  /** Reports repository files, such as `libs/kernel/src/index.ts`, as changed, added or removed. Resolves when no changes are left. */
  changed(files: readonly string[]): Promise<void> {
    for (const file of files) this.#waiting.add(file);
    this.#round ??= this.#rounds().finally(() => (this.#round = undefined));
    return this.#round;
  }

  async dispose(): Promise<void> {
    await this.#round;
    await Promise.all(this.#apps.map((app) => this.options.bundles[app].dispose()));
  }

  get #apps(): App[] {
    return Object.keys(this.options.bundles) as App[];
  }

  async #rounds(): Promise<void> {
    while (this.#waiting.size > 0) {
      const files = [...this.#waiting];
      this.#waiting = new Set();
      await this.#runRound(files);
    }
  }

  async #runRound(files: readonly string[]): Promise<void> {
    const sources = files.some((file) => file.startsWith('proto/')) ? [...files, ...(await this.#generate())] : files;
    await Promise.all(
      affectedBy(sources, this.#built).map(async (app) => {
        if (await this.#build(app)) await this.options.onChanged(app, files);
      }),
    );
  }

  /** @returns the generated files that may have changed */
  async #generate(): Promise<string[]> {
    try {
      await this.options.generate();
    } catch (error) {
      this.options.onFailed('proto', error);
      return [];
    }
    return Object.values<Built>(this.#built).flatMap(({ inputs }) => [...inputs].filter((file) => file.startsWith(generated)));
  }

  /** @returns whether the code changed */
  async #build(app: App): Promise<boolean> {
    try {
      const { inputs, changed } = await this.options.bundles[app].rebuild();
      this.#built[app] = { inputs: new Set(inputs), failed: false };
      return changed;
    } catch (error) {
      this.#built[app] = { ...this.#built[app], failed: true };
      this.options.onFailed(app, error);
      return false;
    }
  }
}
